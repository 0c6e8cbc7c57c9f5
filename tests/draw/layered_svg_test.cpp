#include "isoscope/draw/layered_svg.h"

#include <gtest/gtest.h>

#include "draw/well_formed.h"
#include "isoscope/draw/text_width.h"

namespace isoscope {
namespace {

LayeredDrawing small_drawing() {
  LayeredDrawing drawing;
  drawing.title = "A <small> \"graph\" & more";
  drawing.notes = {"first note", "second"};
  drawing.styles = {{"plain", "#ffffff", "#000000"}, {"other", "#eeeeff", "#0000aa"}};
  drawing.nodes = {{"top", "tip", 0}, {"left & low", "", 1}, {"right", "<>", 0}};
  drawing.edges = {{0, 1}, {0, 2}};
  return drawing;
}

TEST(LayeredSvg, IsWellFormedAndEscapesTexts) {
  const std::string svg = svg_of(small_drawing());
  EXPECT_EQ(xml_problem(svg), "");
  EXPECT_NE(svg.find("A &lt;small&gt; &quot;graph&quot; &amp; more"), std::string::npos);
  EXPECT_NE(svg.find("left &amp; low"), std::string::npos);
  EXPECT_EQ(svg.find("<small>"), std::string::npos);
  EXPECT_EQ(svg, svg_of(small_drawing()));
}

TEST(LayeredSvg, AnEmptyDrawingIsStillAPicture) {
  EXPECT_EQ(xml_problem(svg_of(LayeredDrawing{})), "");
}

TEST(LayeredSvg, EverythingIsWithinThePicture) {
  const PlacedDrawing placed = place(small_drawing());
  const auto inside = [&](const DrawnBox& box) {
    return box.x >= 0 && box.y >= 0 && box.x + box.width <= placed.width &&
           box.y + box.height <= placed.height;
  };
  EXPECT_TRUE(inside(placed.title));
  for (const auto* boxes : {&placed.notes, &placed.legend, &placed.graph.boxes}) {
    for (const DrawnBox& box : *boxes) EXPECT_TRUE(inside(box));
  }
}

TEST(LayeredSvg, BoxesAreWideEnoughForTheirLabels) {
  const LayeredDrawing drawing = small_drawing();
  const PlacedDrawing placed = place(drawing);
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    EXPECT_GT(placed.graph.boxes[i].width, text_width(drawing.nodes[i].label, 13));
  }
}

TEST(TextWidth, AddsUpLettersAndCountsOthersOnce) {
  EXPECT_EQ(text_width("", 10), 0);
  EXPECT_EQ(text_width("i", 1000), 278);
  EXPECT_EQ(text_width("mi", 1000), 974 + 278);
  EXPECT_EQ(text_width("\xC3\xA4", 1000), 1000);  // one letter of two bytes
  EXPECT_EQ(text_width("i", 10), 3);              // rounded up
}

TEST(WellFormed, ProblemsAreFound) {
  EXPECT_EQ(xml_problem("<a b=\"1>2\"><c/></a>\n"), "");
  EXPECT_NE(xml_problem("<a>"), "");
  EXPECT_NE(xml_problem("<a></b>"), "");
  EXPECT_NE(xml_problem("<a>x & y</a>"), "");
  EXPECT_NE(xml_problem("<a/><b/>"), "");
}

}  // namespace
}  // namespace isoscope
