#include <algorithm>
#include <array>
#include <vector>

#include "isoscope/base/text_lines.h"
#include "isoscope/report/levels_report.h"

namespace isoscope::report {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t page_width = 100;
constexpr std::size_t gap = 2;
constexpr std::array<std::size_t, 3> column_width = {28, 34, page_width - 28 - 34 - 2 * gap};

template <class Range>
std::vector<std::string> names(const Range& range) {
  std::vector<std::string> result;
  for (const auto id : range) result.emplace_back(name_of(id));
  return result;
}

// Other names in our dialect; those with a star mean the level without session order.
std::vector<std::string> other_names(const LevelEntry& row) {
  std::vector<std::string> all;
  for (const std::string_view name : names_of(Level{row.id, true})) {
    if (name != row.name) all.emplace_back(name);
  }
  if (depends_on_session_order(row.id)) {
    for (const std::string_view name : names_of(Level{row.id, false})) {
      all.push_back(std::string(name) + "*");
    }
  }
  return all;
}

void add_row(std::string& text, const std::array<Lines, 3>& cells) {
  std::size_t height = 0;
  for (const Lines& cell : cells) height = std::max(height, cell.size());
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    std::size_t column = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (i < cells[c].size()) {
        line.append(column - line.size(), ' ');
        line += cells[c][i];
      }
      column += column_width[c] + gap;
    }
    text += line + "\n";
  }
}

void add_levels_of_kind(std::string& text, LevelKind kind, std::string_view heading) {
  text += "\n" + std::string(heading) + "\n";
  const auto rows = levels();
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (row->kind != kind) continue;
    add_row(text,
            {Lines{std::string(row->name)}, wrapped_list(names(row->implies), column_width[1]),
             wrapped_list(names(row->forbids), column_width[2])});
  }
}

// Lines with a label before the first.
void add_item(std::string& text, std::string_view label, const Lines& lines, std::size_t indent) {
  std::string start(label);
  for (const std::string& line : lines) {
    start.append(indent - std::min(indent, start.size()), ' ');
    text += start + line + "\n";
    start.clear();
  }
}

void add_paragraph(std::string& text, std::string_view content) {
  if (content.empty()) return;
  for (const std::string& line : wrapped(content, page_width)) text += line + "\n";
  text += "\n";
}

std::string_view role_of_session_order(Level level) {
  if (!depends_on_session_order(level.id)) return "makes no difference";
  if (level.session_order) return "counts";
  return "does not count: what the definition says about sessions falls away";
}

}  // namespace

std::string levels_text() {
  std::string text =
      "Every history at a level is also at the levels it implies. 'isoscope levels show NAME' "
      "explains "
      "one.\n\n";
  add_row(text, {Lines{"LEVEL"}, Lines{"IMPLIES DIRECTLY"}, Lines{"FORBIDS BESIDES"}});
  add_levels_of_kind(text, LevelKind::real_time, "With real time");
  add_levels_of_kind(text, LevelKind::transactional, "Between transactions");
  add_levels_of_kind(text, LevelKind::session_guarantee, "Session guarantees");
  text +=
      "\nOther names (* without session order; strong-session-X is X with it; more with --names "
      "elle)\n";
  const auto rows = levels();
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const std::size_t indent = column_width[0] + gap;
    add_item(text, row->name, wrapped_list(other_names(*row), page_width - indent), indent);
  }
  return text;
}

std::string level_text(Level level) {
  const LevelEntry& row = entry_of(level.id);
  std::vector<std::string> weaker;
  std::vector<std::string> stronger;
  for (const LevelEntry& other : levels()) {
    const Level same_order{other.id, level.session_order};
    if (other.id == level.id || is_vacuous(same_order)) continue;
    if (implies(level, same_order)) weaker.emplace_back(other.name);
    if (implies(same_order, level)) stronger.emplace_back(other.name);
  }

  std::string text = text_of(level) + " (" + std::string(row.title) + ")\n\n";
  add_paragraph(text, row.definition);
  add_paragraph(text, row.remark);
  constexpr std::size_t indent = 16;
  constexpr std::size_t width = page_width - indent;
  add_item(text, "source", wrapped(row.citation, width), indent);
  add_item(text, "other names", wrapped_list(other_names(row), width), indent);
  if (depends_on_session_order(row.id) && !names_of(Level{row.id, false}).empty()) {
    add_item(text, "", {"(* without session order)"}, indent);
  }
  add_item(text, "session order", {std::string(role_of_session_order(level))}, indent);
  add_item(text, "real time", {row.kind == LevelKind::real_time ? "counts" : "does not count"},
           indent);
  add_item(text, "implies", wrapped_list(weaker, width), indent);
  add_item(text, "implied by", wrapped_list(stronger, width), indent);
  add_item(text, "forbids reads", wrapped_list(names(forbidden_findings(level)), width), indent);
  add_item(text, "forbids", wrapped_list(names(forbidden_anomalies(level)), width), indent);
  return text;
}

std::string anomaly_text(Anomaly anomaly) {
  const AnomalyEntry& row = entry_of(anomaly);
  std::vector<std::string> implied;
  std::vector<std::string> implying;
  for (const AnomalyEntry& other : anomalies()) {
    if (other.id == anomaly) continue;
    if (implies(anomaly, other.id)) implied.emplace_back(other.name);
    if (implies(other.id, anomaly)) implying.emplace_back(other.name);
  }
  const std::vector<LevelId> forbidding = levels_violated_by(anomaly);
  std::string text = std::string(row.name) + "\n\n";
  add_paragraph(text, row.description);
  const std::string_view example = example_of(anomaly);
  text += example.empty() ? "No history shows it: no client can see when a transaction started.\n"
                          : "A smallest history that has it:\n\n";
  for (std::size_t at = 0; at < example.size();) {
    const std::size_t end = std::min(example.find('\n', at), example.size());
    text += "  " + std::string(example.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  text += "\n";
  constexpr std::size_t indent = 16;
  constexpr std::size_t width = page_width - indent;
  add_item(text, "source", wrapped(row.citation, width), indent);
  add_item(text, "implies", wrapped_list(implied, width), indent);
  add_item(text, "implied by", wrapped_list(implying, width), indent);
  add_item(text, "forbidden from", wrapped_list(names(weakest_of(forbidding)), width), indent);
  add_item(text, "forbidden by", wrapped_list(names(forbidding), width), indent);
  return text;
}

}  // namespace isoscope::report
