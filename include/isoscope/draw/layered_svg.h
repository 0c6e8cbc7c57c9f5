#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isoscope/draw/layered_layout.h"

namespace isoscope {

/// A kind of node: its colours (any SVG colour) and what the legend says about it.
struct DrawnStyle {
  std::string legend;
  std::string fill;
  std::string stroke;
};

struct DrawnNode {
  std::string label;    ///< one line
  std::string tooltip;  ///< shown when the pointer rests on the node; may be empty
  std::size_t style = 0;
};

/// A graph to draw, and what to write around it. All texts are UTF-8 without control characters.
struct LayeredDrawing {
  std::string title;
  std::vector<std::string> notes;  ///< lines under the title
  std::vector<DrawnStyle> styles;
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
};

/// Where everything is drawn: for tests, and for callers that want to draw more on top.
struct PlacedDrawing {
  int width = 0;
  int height = 0;
  LayeredLayout graph;  ///< in coordinates of the whole picture
  DrawnBox title;
  std::vector<DrawnBox> notes;
  std::vector<DrawnBox> legend;  ///< one per style
};

PlacedDrawing place(const LayeredDrawing& drawing);

/// The picture as an SVG document, the same bytes on every machine. It needs no fonts or files
/// besides.
std::string svg_of(const LayeredDrawing& drawing);

}  // namespace isoscope
