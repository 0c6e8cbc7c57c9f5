#include "isoscope/draw/layered_svg.h"

#include <algorithm>

#include "draw/svg_text.h"
#include "isoscope/base/contract.h"
#include "isoscope/draw/text_width.h"

namespace isoscope {
namespace {

constexpr int margin = 24;
constexpr int title_size = 20;
constexpr int note_size = 12;
constexpr int label_size = 13;
constexpr int line_height = 18;
constexpr int node_height = 30;
constexpr int node_padding = 12;
constexpr int swatch_width = 26;
constexpr int swatch_height = 14;
constexpr int legend_gap = 26;

std::string rectangle(const DrawnBox& box, int radius, const DrawnStyle& style) {
  return svg_rectangle(box, radius, style.fill, style.stroke);
}

// Straight along a pair of points, and from pair to pair a curve that leaves and arrives
// vertically.
std::string path_data(const std::vector<DrawnPoint>& route) {
  const auto point = [](int x, int y) { return svg_number(x) + "," + svg_number(y); };
  std::string data = "M" + point(route[0].x, route[0].y);
  for (std::size_t i = 1; i < route.size(); ++i) {
    const DrawnPoint from = route[i - 1];
    const DrawnPoint to = route[i];
    if (i % 2 == 1) {
      if (!(from == to)) data += " L" + point(to.x, to.y);
      continue;
    }
    const int middle = (from.y + to.y) / 2;
    data += " C" + point(from.x, middle) + " " + point(to.x, middle) + " " + point(to.x, to.y);
  }
  return data;
}

void move_by(LayeredLayout& layout, int dx, int dy) {
  for (DrawnBox& box : layout.boxes) {
    box.x += dx;
    box.y += dy;
  }
  for (auto& route : layout.routes) {
    for (DrawnPoint& point : route) {
      point.x += dx;
      point.y += dy;
    }
  }
}

}  // namespace

PlacedDrawing place(const LayeredDrawing& drawing) {
  std::vector<DrawnSize> sizes;
  for (const DrawnNode& node : drawing.nodes) {
    sizes.push_back({text_width(node.label, label_size) + 2 * node_padding, node_height});
  }
  PlacedDrawing placed;
  placed.graph = layered_layout(sizes, drawing.edges);

  int y = margin;
  placed.title = {margin, y, text_width(drawing.title, title_size), title_size + 6};
  y += placed.title.height;
  int widest = placed.title.width;
  for (const std::string& note : drawing.notes) {
    placed.notes.push_back({margin, y, text_width(note, note_size), line_height});
    widest = std::max(widest, placed.notes.back().width);
    y += line_height;
  }
  y += 6;
  int x = margin;
  for (const DrawnStyle& style : drawing.styles) {
    const int width = swatch_width + 8 + text_width(style.legend, note_size);
    placed.legend.push_back({x, y, width, line_height});
    x += width + legend_gap;
  }
  if (!drawing.styles.empty()) {
    widest = std::max(widest, x - legend_gap - margin);
    y += line_height;
  }
  y += margin;

  placed.width = std::max(widest, placed.graph.width) + 2 * margin;
  placed.height = y + placed.graph.height + margin;
  move_by(placed.graph, (placed.width - placed.graph.width) / 2, y);
  return placed;
}

std::string svg_of(const LayeredDrawing& drawing) {
  const PlacedDrawing placed = place(drawing);
  const std::string size =
      "width=\"" + svg_number(placed.width) + "\" height=\"" + svg_number(placed.height) + "\"";
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " +
                    svg_number(placed.width) + " " + svg_number(placed.height) +
                    "\" role=\"img\">\n";
  svg += "<title>" + svg_escaped(drawing.title) + "</title>\n";
  svg += "<style>\n" + std::string(svg_text_style) +
         ".title { font-size: " + svg_number(title_size) +
         "px; }\n"
         ".note { font-size: " +
         svg_number(note_size) +
         "px; fill: #4a5663; }\n"
         ".label { font-size: " +
         svg_number(label_size) +
         "px; text-anchor: middle; }\n"
         ".edge { fill: none; stroke: #8794a1; stroke-width: 1.4; }\n"
         "</style>\n"
         "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" "
         "markerHeight=\"6\" orient=\"auto\"><path d=\"M0,0.5 L7.5,4 L0,7.5 z\" fill=\"#8794a1\"/>"
         "</marker></defs>\n";
  svg += "<rect " + size + " fill=\"#ffffff\"/>\n";
  svg += svg_text("title", placed.title.x, placed.title.y + title_size - 2, drawing.title);
  for (std::size_t i = 0; i < drawing.notes.size(); ++i) {
    svg += svg_text("note", placed.notes[i].x, placed.notes[i].y + 13, drawing.notes[i]);
  }
  for (std::size_t i = 0; i < drawing.styles.size(); ++i) {
    const DrawnBox& box = placed.legend[i];
    svg += rectangle({box.x, box.y + 2, swatch_width, swatch_height}, 4, drawing.styles[i]);
    svg += svg_text("note", box.x + swatch_width + 8, box.y + 13, drawing.styles[i].legend);
  }
  for (const auto& route : placed.graph.routes) {
    if (route.empty()) continue;
    svg += "<path class=\"edge\" marker-end=\"url(#arrow)\" d=\"" + path_data(route) + "\"/>\n";
  }
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    const DrawnNode& node = drawing.nodes[i];
    const DrawnBox& box = placed.graph.boxes[i];
    ISOSCOPE_REQUIRE(node.style < drawing.styles.size());
    svg += "<g>\n";
    if (!node.tooltip.empty()) svg += "<title>" + svg_escaped(node.tooltip) + "</title>\n";
    svg += rectangle(box, 7, drawing.styles[node.style]);
    svg += svg_text("label", box.x + box.width / 2, box.y + box.height / 2 + 5, node.label);
    svg += "</g>\n";
  }
  svg += "</svg>\n";
  return svg;
}

}  // namespace isoscope
