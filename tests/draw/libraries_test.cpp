// The picture of the libraries in docs/architecture.md is drawn from src/layers.txt, so it is never
// out of date.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "draw/well_formed.h"
#include "golden.h"
#include "isoscope/draw/layered_svg.h"

namespace isoscope {
namespace {

struct Library {
  std::string name;
  std::vector<std::string> uses;
};

/// The lines of src/layers.txt without those about rooms.
std::vector<Library> libraries() {
  std::vector<Library> all;
  std::ifstream file(ISOSCOPE_SOURCE_DIR "/src/layers.txt");
  const std::regex about_a_library("([a-z]+):(.*)");
  std::smatch parts;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, parts, about_a_library)) continue;
    Library library{parts[1], {}};
    std::istringstream names(parts[2]);
    for (std::string name; names >> name;) library.uses.push_back(name);
    all.push_back(std::move(library));
  }
  return all;
}

/// The libraries that have a row in the first table of docs/architecture.md.
std::set<std::string> described_libraries() {
  std::set<std::string> all;
  std::ifstream file(ISOSCOPE_SOURCE_DIR "/docs/architecture.md");
  const std::regex row("\\| `src/([a-z]+)/` \\|.*");
  std::smatch parts;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, parts, row)) all.insert(parts[1]);
  }
  return all;
}

/// For each library all that it uses, directly or not. Lines only name lines above them.
std::map<std::string, std::set<std::string>> everything_below(const std::vector<Library>& all) {
  std::map<std::string, std::set<std::string>> below;
  for (const Library& library : all) {
    for (const std::string& used : library.uses) {
      below[library.name].insert(used);
      below[library.name].insert(below[used].begin(), below[used].end());
    }
  }
  return below;
}

LayeredDrawing picture(const std::vector<Library>& all) {
  auto below = everything_below(all);
  LayeredDrawing drawing;
  drawing.title = "The libraries of Isoscope";
  drawing.notes = {
      "An arrow leads to what a library uses. Arrows that follow from others are left out."};
  drawing.styles = {{"only in isoscope", "#eef3fb", "#39598c"},
                    {"also in isoscope-verify", "#fbf3e2", "#8c6a39"},
                    {"only in isoscope-verify", "#eaf6ea", "#3f7a45"}};
  std::map<std::string, std::size_t> number;
  for (const Library& library : all) {
    number[library.name] = drawing.nodes.size();
    const std::size_t style = library.name == "verifier"                 ? 2
                              : below["verifier"].contains(library.name) ? 1
                                                                         : 0;
    drawing.nodes.push_back({library.name, "", style});
    for (const std::string& used : library.uses) {
      const bool follows = std::ranges::any_of(
          library.uses, [&](const std::string& other) { return below[other].contains(used); });
      if (!follows) drawing.edges.push_back({number[library.name], number[used]});
    }
  }
  return drawing;
}

TEST(Libraries, ArePicturedInTheDocuments) {
  const std::vector<Library> all = libraries();
  EXPECT_GE(all.size(), 19u);
  std::set<std::string> names;
  for (const Library& library : all) names.insert(library.name);
  EXPECT_EQ(described_libraries(), names);
  const std::string svg = svg_of(picture(all));
  EXPECT_EQ(xml_problem(svg), "");
  expect_golden("docs/libraries.svg", svg);
}

}  // namespace
}  // namespace isoscope
