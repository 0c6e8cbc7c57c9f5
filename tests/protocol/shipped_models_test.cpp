#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "isoscope/judge/judge_by_texts.h"
#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"

namespace isoscope::protocol {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string shipped_text(std::string_view name) {
  const auto& all = shipped_models();
  const auto found = std::ranges::find(all, name, &ShippedModel::name);
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? "" : std::string(found->text);
}

Model model_of(const std::string& name, const std::string& text) {
  Result<Model> model = read_model(name, text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? std::move(*model) : Model{};
}

/// What exploring a model at one size says.
struct Expectation {
  std::string model;
  Sizes sizes;
  std::string shapes;  ///< "": all
  /// Levels by name. Those in no list are not asked for.
  std::vector<std::string> holds;
  std::vector<std::string> violated;
  /// The levels that the order of versions or transactions violates, but not what clients see.
  std::vector<std::string> violated_in_order = {};
  /// "": all levels. Else the search ends as soon as this one is known to be violated.
  std::string level = "";
};

void PrintTo(const Expectation& expected, std::ostream* out) { *out << expected.model; }

const std::vector<std::string> all_levels = {"RA", "UA", "TCC", "PSI", "PC", "SI", "SER", "SSER"};
constexpr Sizes two_by_two = {.clients = 2, .keys = 2, .transactions = 1};
constexpr Sizes two_twice = {.clients = 2, .keys = 2, .transactions = 2};

const Expectation expectations[] = {
    {"atomic", two_by_two, "", all_levels, {}},
    {"atomic-steps", two_by_two, "", all_levels, {}},
    {"s2pl", two_by_two, "", all_levels, {}},
    {"s2pl", {.clients = 2, .keys = 1, .transactions = 2}, "", all_levels, {}},
    {"s2pl-read-ignores-write", two_by_two, "", {}, all_levels},
    {"s2pl-write-ignores-read", two_by_two, "", {}, all_levels},
    {"s2pl-early-read-release", two_by_two, "", {}, all_levels},
    {"s2pl-abort-installs", two_by_two, "", {}, all_levels},
    {"s2pl-printed-guard", two_by_two, "", {}, all_levels},
    {"tapir-journal", two_by_two, "", {}, {"RA", "SER"}},
    {"tapir-conference", two_by_two, "", {}, {"SER"}, {"RA"}},
    {"tapir-conference",
     {.clients = 4, .keys = 2, .transactions = 1},
     "r(x)r(y), w(x)w(y), w(x)w(y), w(y)",
     {},
     {"RA"},
     {},
     "RA"},
    {"tapir-repaired", two_by_two, "", {"RA", "SER"}, {}},
    {"mvcc-si", two_by_two, "", {"SI"}, {"SER", "SSER"}},
    {"ssi", two_by_two, "", {"SER"}, {}},
    {"ssi",
     {.clients = 3, .keys = 2, .transactions = 1},
     "r(x)w(y), r(y)w(x), r(x)r(y)",
     {"SER"},
     {}},
    {"occ", two_by_two, "", all_levels, {}},
    {"timestamp-ordering", two_by_two, "", {"SER"}, {}},
    {"ramp", two_by_two, "", {"RA"}, {}},
    {"ramp", {.clients = 1, .keys = 1, .transactions = 2}, "", {"RA"}, {"TCC"}},
    {"causal", two_by_two, "", {"RA", "TCC"}, {"UA", "PSI"}},
    {"causal", two_twice, "w(x), r(x)r(y), w(y), r(x)r(y)", {"TCC"}, {"PC"}},
    {"psi", two_by_two, "", {"PSI"}, {"SER"}},
    {"psi", two_twice, "w(x), r(x)r(y), w(y), r(x)r(y)", {"PSI"}, {"PC", "SI"}},
};

class ShippedModels : public testing::TestWithParam<Expectation> {};

TEST_P(ShippedModels, DoWhatIsExpected) {
  const Expectation& expected = GetParam();
  const Model model = model_of(expected.model, shipped_text(expected.model));
  ExploreOptions options;
  options.sizes = expected.sizes;
  options.judge = judge_by_texts();
  options.level = find_abstract_level(expected.level);
  if (!expected.shapes.empty()) {
    Result<std::vector<Shape>> shapes = read_shapes(expected.shapes);
    ASSERT_TRUE(shapes) << shapes.error().text();
    options.shapes = std::move(*shapes);
  }
  const Result<Exploration> found = explore(model, options);
  ASSERT_TRUE(found) << found.error().text();

  const auto expect = [&](const std::vector<std::string>& levels, LevelOutcome::Kind kind) {
    for (const std::string& level : levels)
      EXPECT_EQ(found->at(*find_abstract_level(level)).kind, kind) << level;
  };
  expect(expected.holds, LevelOutcome::Kind::not_refuted);
  expect(expected.violated, LevelOutcome::Kind::violated);
  expect(expected.violated_in_order, LevelOutcome::Kind::violated_in_version_order);
  if (!expected.holds.empty()) {
    EXPECT_TRUE(found->complete) << found->stopped;
  }
  if (!found->complete || !expected.shapes.empty()) return;
  for (std::size_t i = 0; i < model.events.size(); ++i)
    EXPECT_GT(found->coverage.fired[i], 0u) << model.events[i].name << " never happens";
}

std::string name_of(const testing::TestParamInfo<Expectation>& info) {
  std::string result = std::to_string(info.index) + "_" + info.param.model;
  std::ranges::replace(result, '-', '_');
  return result;
}
INSTANTIATE_TEST_SUITE_P(All, ShippedModels, testing::ValuesIn(expectations), name_of);

TEST(ShippedModelTexts, SayWhatTheyAreAndAreInHouseStyle) {
  const std::string page = read_text(ISOSCOPE_SOURCE_DIR "/docs/protocol-models.md");
  for (const ShippedModel& shipped : shipped_models()) {
    SCOPED_TRACE(shipped.name);
    const std::string name(shipped.name);
    const Model model = model_of(name, std::string(shipped.text));
    EXPECT_TRUE(shipped.text.starts_with("# "));
    EXPECT_NE(shipped.text.find("# Expected: "), std::string_view::npos);
    EXPECT_LE(std::ranges::count(shipped.text, '\n'), 130);
    EXPECT_FALSE(model.title.empty());
    EXPECT_FALSE(model.citation.empty());
    EXPECT_FALSE(model.claims.empty());
    for (const std::string& claim : model.claims) EXPECT_TRUE(find_abstract_level(claim)) << claim;
    const Result<std::string> formatted = format_model(name, shipped.text);
    ASSERT_TRUE(formatted);
    EXPECT_EQ(*formatted, shipped.text);
    EXPECT_NE(page.find("\n| `" + name + "` |"), std::string::npos) << "not in the table";
    EXPECT_TRUE(std::ranges::any_of(expectations, [&](const Expectation& e) {
      return e.model == name;
    })) << "nothing is expected of it";
  }
}

/// The parts of the tutorial between ```protocol and ```.
std::vector<std::string> tutorial_texts() {
  const std::string page = read_text(ISOSCOPE_SOURCE_DIR "/docs/tutorial-protocol.md");
  const std::string begin = "```protocol\n";
  const std::string end = "```\n";
  std::vector<std::string> result;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    const std::size_t last = page.find(end, at);
    result.push_back(page.substr(at, last - at));
    at = last + end.size();
  }
  return result;
}

TEST(ProtocolTutorial, TheMistakeIsFoundAndTheRepairIsOne) {
  const std::vector<std::string> texts = tutorial_texts();
  ASSERT_EQ(texts.size(), 2u);
  const std::string& wrong = texts[0];
  const std::size_t from = wrong.find("event get(");
  const std::size_t to = wrong.find("event put(");
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const std::string repaired = wrong.substr(0, from) + texts[1] + "\n" + wrong.substr(to);
  EXPECT_NE(wrong, repaired);

  ExploreOptions options;
  options.sizes = two_by_two;
  options.judge = judge_by_texts();
  const Result<Exploration> before = explore(model_of("locks", wrong), options);
  ASSERT_TRUE(before);
  for (const AbstractLevelEntry& level : abstract_levels())
    EXPECT_EQ(before->at(level.level).kind, LevelOutcome::Kind::violated) << level.name;
  const Result<Exploration> after = explore(model_of("locks", repaired), options);
  ASSERT_TRUE(after);
  EXPECT_TRUE(after->complete);
  for (const AbstractLevelEntry& level : abstract_levels())
    EXPECT_EQ(after->at(level.level).kind, LevelOutcome::Kind::not_refuted) << level.name;
  EXPECT_EQ(std::ranges::count(after->coverage.fired, 0u), 0);
}

}  // namespace
}  // namespace isoscope::protocol
