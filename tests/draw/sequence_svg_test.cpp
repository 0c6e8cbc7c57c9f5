#include "isoscope/draw/sequence_svg.h"

#include <gtest/gtest.h>

#include "draw/well_formed.h"

namespace isoscope {
namespace {

SequenceDiagram small_diagram() {
  return {.title = "A <small> run",
          .notes = {"one & two"},
          .lanes = {"client", "server"},
          .styles = {{"#ffffff", "#000000"}, {"#eeeeff", "#0000aa"}},
          .steps = {{"ask", 0, 0}, {"answer & go on", 1, 1}, {"done", 0, 0}},
          .messages = {{0, 1}, {1, 2}}};
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

TEST(SequenceSvg, IsWellFormedAndEscapesTexts) {
  const std::string svg = svg_of(small_diagram());
  EXPECT_EQ(xml_problem(svg), "");
  EXPECT_NE(svg.find("A &lt;small&gt; run"), std::string::npos);
  EXPECT_NE(svg.find("one &amp; two"), std::string::npos);
  EXPECT_EQ(svg, svg_of(small_diagram()));
}

TEST(SequenceSvg, HasALineForEachLaneABoxForEachStepAndAnArrowForEachMessage) {
  const std::string svg = svg_of(small_diagram());
  EXPECT_EQ(count(svg, "class=\"life\""), 2u);
  EXPECT_EQ(count(svg, "class=\"step\""), 3u);
  EXPECT_EQ(count(svg, "class=\"message\""), 2u);
}

TEST(SequenceSvg, AnEmptyDiagramIsStillAPicture) {
  EXPECT_EQ(xml_problem(svg_of(SequenceDiagram{})), "");
}

}  // namespace
}  // namespace isoscope
