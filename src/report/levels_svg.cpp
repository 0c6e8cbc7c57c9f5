#include "isoscope/draw/layered_svg.h"
#include "isoscope/report/levels_report.h"

namespace isoscope::report {

std::string levels_svg() {
  LayeredDrawing drawing;
  drawing.title = "Isolation levels";
  drawing.notes = {
      "An arrow means: every history at the upper level is at the lower one too. Session order "
      "counts.",
      "The definition of a level shows when the pointer rests on it; docs/levels.md explains the "
      "words."};
  // In the order of LevelKind.
  drawing.styles = {{"between transactions", "#dcebfa", "#5b8dbf"},
                    {"session guarantees", "#e3f3df", "#6aa25c"},
                    {"real time", "#fbe6cf", "#cf8f45"}};
  // Strongest first, so that the walk from the top meets them in a natural order.
  const auto rows = levels();
  const auto place_of = [&](LevelId id) { return rows.size() - 1 - static_cast<std::size_t>(id); };
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    drawing.nodes.push_back({std::string(row->name), std::string(row->definition),
                             static_cast<std::size_t>(row->kind)});
    for (const LevelId weaker : row->implies) {
      drawing.edges.push_back({place_of(row->id), place_of(weaker)});
    }
  }
  return svg_of(drawing);
}

}  // namespace isoscope::report
