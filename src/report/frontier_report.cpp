#include "isoscope/report/frontier_report.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/text_lines.h"
#include "isoscope/base/words.h"
#include "report/explain/counts_text.h"
#include "report/explain/explanation_text.h"
#include "report/told_violations.h"
#include "report/verdict_parts.h"

namespace isoscope::report {

namespace {

constexpr std::size_t columns = 100;
/// More names than this are only counted in the first line.
constexpr std::size_t most_named = 4;
/// The maximum number of lines for each story after the first, if not all of it is told.
constexpr std::size_t lines_of_others = 5;

std::string name(LevelId id) { return std::string(name_of(id)); }

/// The levels that are unknown, by the reason.
std::vector<std::pair<std::string, std::vector<LevelId>>> by_reason(const Frontier& frontier) {
  std::vector<std::pair<std::string, std::vector<LevelId>>> groups;
  for (const LevelAnswer& one : frontier.levels) {
    if (one.answer != Answer::unknown) continue;
    auto group = std::ranges::find_if(groups, [&](const auto& g) { return g.first == one.reason; });
    if (group == groups.end()) group = groups.insert(groups.end(), {one.reason, {}});
    group->second.push_back(one.level.id);
  }
  return groups;
}

/// Rows of two columns: what is said, and of which levels.
class Table {
 public:
  void add(std::string_view label, const std::string& text) {
    std::string margin = "  " + std::string(label);
    margin.resize(label_width, ' ');
    for (const std::string& line : wrapped(text, columns - label_width)) {
      text_ += margin + line + "\n";
      margin.assign(label_width, ' ');
    }
  }
  std::string take() { return std::move(text_); }

 private:
  static constexpr std::size_t label_width = 12;
  std::string text_;
};

std::string and_others(std::size_t count, std::string_view which) {
  return "and " + counted(count, "level") + " that " + std::string(which);
}

void add_holding(const Frontier& frontier, Table& table) {
  const std::vector<LevelId> strongest = frontier.strongest_that_hold();
  if (strongest.empty()) return;
  const std::size_t others = frontier.with(Answer::holds).size() - strongest.size();
  std::string text = joined(strongest, name);
  if (others > 0) {
    text += (strongest.size() == 1 ? ", " : "; ") +
            and_others(others, strongest.size() == 1 ? "it implies" : "these imply");
  }
  table.add("holds", text);
}

void add_violated(const Frontier& frontier, const std::vector<ToldViolation>& told, Table& table) {
  std::size_t named = 0;
  std::string_view label = "violated";
  for (const ToldViolation& one : told) {
    named += one.levels.size();
    table.add(label, joined(one.levels, [](Level level) { return name_of(level.id); }) +
                         (one.headline.empty() ? "" : ": " + one.headline));
    label = "";
  }
  const std::size_t others = frontier.with(Answer::violated).size() - named;
  if (others > 0) {
    const bool one = others == 1;
    table.add("", and_others(others, std::string(one ? "implies " : "imply ") +
                                         (named == 1 ? "it" : "one of these")));
  }
}

std::string answer_words(const LevelAnswer& answer) {
  return text_of(answer.level) + ": " +
         (answer.answer == Answer::violated ? "VIOLATED" : std::string(name_of(answer.answer))) +
         (answer.reason.empty() ? "" : ": " + answer.reason);
}

/// Whether each transaction got what its own level promises.
std::string recorded_words(const Frontier& frontier) {
  const LevelAnswer& answer = *frontier.recorded;
  switch (answer.answer) {
    case Answer::holds:
      return "holds: every transaction got what its level promises";
    case Answer::unknown:
      return "unknown: " + answer.reason;
    case Answer::violated:
      break;
  }
  const std::string& reason =
      answer.why.empty() ? frontier.verdicts[*answer.verdict].reason : answer.why;
  return "VIOLATED" + (reason.empty() ? ": there are bad reads" : ": " + reason);
}

std::string table_of(const History& history, const Frontier& frontier,
                     const std::vector<ToldViolation>& told) {
  Table table;
  if (frontier.recorded) table.add("recorded", recorded_words(frontier));
  add_holding(frontier, table);
  add_violated(frontier, told, table);
  std::string_view label = "unknown";
  for (const auto& [reason, ids] : by_reason(frontier)) {
    table.add(label, joined(ids, name) + ": " + reason);
    label = "";
  }
  if (!frontier.left_out.empty()) {
    table.add("left out", counted(frontier.left_out.size(), "level") + " about real time" +
                              (history.has_times() ? "" : ": no times were recorded"));
  }
  if (frontier.expected) table.add("expected", answer_words(*frontier.expected));
  return table.take();
}

void answer_json(JsonWriter& json, const Frontier& frontier, const LevelAnswer& answer) {
  json.begin_object().member("level").string(name_of(answer.level.id));
  json.member("session-order").boolean(answer.level.session_order);
  json.member("answer").string(name_of(answer.answer));
  if (answer.answer == Answer::unknown) json.member("reason").string(answer.reason);
  if (!answer.why.empty()) {
    const Level by = frontier.verdicts[*answer.verdict].level;
    json.member("settled-by").string(name_of(by.id));
    json.member("settled-by-session-order").boolean(by.session_order);
    json.member("why").string(answer.why);
  }
  json.end_object();
}

void violation_json(JsonWriter& json, const History& history, const Frontier& frontier,
                    const ToldViolation& told) {
  const Verdict& verdict = frontier.verdicts[told.verdict];
  json.begin_object().member("levels").begin_array();
  for (const Level level : told.levels) json.string(name_of(level.id));
  json.end_array().member("headline").string(told.headline);
  json.member("evidence");
  findings_json(json, history, verdict.evidence);
  if (told.explanation) explanation_json(json, history, *told.explanation);
  json.end_object();
}

std::vector<AnomalyCount> all_counts(const Frontier& frontier) {
  std::vector<AnomalyCount> counts = counts_of(frontier.findings);
  counts.insert(counts.end(), frontier.anomalies.begin(), frontier.anomalies.end());
  return counts;
}

}  // namespace

std::string frontier_words(const Frontier& frontier) {
  const std::vector<LevelId> unknown = frontier.with(Answer::unknown);
  const std::vector<LevelId> violated = frontier.weakest_violated();
  std::string words = joined(frontier.strongest_that_hold(), name);
  if (violated.empty() && unknown.empty()) {
    return words + (frontier.left_out.empty() ? ", and so every level"
                                              : ", and so every level without real time");
  }
  if (words.empty()) words = violated.empty() ? "undecided" : "no level";
  for (const LevelId id : violated) words += ", not " + name(id);
  if (unknown.empty()) return words;
  return words + "; unknown: " +
         (unknown.size() > most_named ? counted(unknown.size(), "level") : joined(unknown, name));
}

std::string frontier_line(std::string_view file, const Frontier& frontier) {
  std::string line = std::string(file) + ": " + frontier_words(frontier);
  if (!frontier.findings.empty()) line += "; " + counted(frontier.findings.size(), "bad read");
  if (frontier.recorded) {
    line += "; the recorded levels: " + std::string(name_of(frontier.recorded->answer));
  }
  const bool with_time = frontier.left_out.empty();
  const Level extent{with_time ? LevelId::strict_serializable : LevelId::serializable};
  if (!frontier.coverage) return line + "\n";
  return line + " (" + coverage_words(*frontier.coverage, extent, frontier.clock_skew) + ")\n";
}

std::string frontier_text(std::string_view file, const History& history, const Frontier& frontier,
                          const Telling& telling) {
  const std::vector<ToldViolation> told = told_violations(history, frontier, telling.limits);
  std::string text = frontier_line(file, frontier) + table_of(history, frontier, told);
  append_findings(text, history, frontier.findings, telling.most_bad_reads);
  std::size_t most_lines = telling.most_lines;
  for (const ToldViolation& one : told) {
    if (!one.explanation || one.explanation->failed) continue;
    text += "  " + one.headline + "\n";
    text += story(history, *one.explanation, telling, most_lines);
    most_lines = lines_of_others;
  }
  if (!frontier.anomalies.empty()) {
    text += counts_text(frontier.anomalies, count_of(frontier.anomalies));
  }
  return text + remark_lines(frontier.remarks);
}

std::string frontier_json(std::string_view file, const History& history, const Frontier& frontier,
                          const Limits& limits) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-frontier").integer(1).member("file").string(file);
  json.member("indeterminate-cuts").boolean(frontier.indeterminate_cuts);
  json.member("decided").boolean(frontier.is_decided());
  json.member("words").string(frontier_words(frontier));
  write_coverage(json, frontier.coverage, frontier.remarks);
  if (frontier.left_out.empty()) json.member("clock-skew-ns").integer(frontier.clock_skew);
  json.member("strongest-that-hold");
  level_names_json(json, frontier.strongest_that_hold());
  json.member("weakest-violated");
  level_names_json(json, frontier.weakest_violated());
  json.member("unknown");
  level_names_json(json, frontier.with(Answer::unknown));
  json.member("left-out");
  level_names_json(json, frontier.left_out);
  json.member("levels").begin_array();
  for (const LevelAnswer& answer : frontier.levels) answer_json(json, frontier, answer);
  json.end_array().member("expected");
  frontier.expected ? answer_json(json, frontier, *frontier.expected) : void(json.null());
  if (frontier.recorded) {
    json.member("recorded");
    answer_json(json, frontier, *frontier.recorded);
  }
  json.member("violations").begin_array();
  for (const ToldViolation& told : told_violations(history, frontier, limits)) {
    violation_json(json, history, frontier, told);
  }
  json.end_array().member("findings");
  findings_json(json, history, frontier.findings);
  // No reasons for outcomes are needed: the findings are those of valid-reads, and every level that
  // forbids aborted reads forbids what that level does.
  const std::vector<LevelId> out = levels_ruled_out(history, frontier.findings, {});
  json.member("weakest-levels-ruled-out");
  level_names_json(json, weakest_of(out));
  json.member("levels-ruled-out");
  level_names_json(json, out);
  counts_json(json, all_counts(frontier));
  json.end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::report
