#include "isoscope/report/verdict_report.h"

#include <algorithm>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/words.h"
#include "isoscope/history/litmus_text.h"
#include "isoscope/report/explanation.h"
#include "report/explain/bad_read_text.h"
#include "report/explain/counts_text.h"
#include "report/explain/explanation_text.h"
#include "report/verdict_parts.h"

namespace isoscope::report {

namespace {

/// People read the first few of those that cannot have committed; the rest is in the JSON.
constexpr std::size_t shown_findings = 5;
/// The maximum number of lines for each story after the first, if not all of it is told.
constexpr std::size_t lines_of_others = 5;

/// Indeterminate transactions that were decided on the way: part of why the answer is what it is.
void append_indeterminate(std::string& text, const History& history, const Verdict& verdict) {
  for (std::size_t i = 0; i < verdict.ruled_out.size() && i < shown_findings; ++i) {
    text += "  " + history.label(verdict.ruled_out[i].read.transaction) +
            ", whose outcome is unknown, cannot have committed: " +
            bad_read_sentence(history, verdict.ruled_out[i]) + "\n";
  }
}

/// What an order of the transactions rests on where outcomes are unknown.
void append_counted(std::string& text, const History& history, const Verdict& verdict) {
  const std::size_t count = verdict.counted_committed.size();
  if (count == 0 && verdict.counted_aborted.empty()) return;
  text +=
      "  Of the transactions of unknown outcome " +
      (count == 0 ? "none counts" : std::to_string(count) + (count == 1 ? " counts" : " count")) +
      " as committed";
  for (std::size_t i = 0; i < count && i < shown_findings; ++i) {
    text += (i == 0 ? ": " : ", ") + history.label(verdict.counted_committed[i]);
  }
  text += count > shown_findings ? ", ...\n" : ".\n";
}

/// How much was checked, at the end of the answer: " (2 committed transactions, 6 operations)". A
/// cycle is found among them.
std::string extent(const Verdict& verdict) {
  if (!verdict.coverage) return "";
  return (verdict.answer == Answer::violated ? " (among " : " (") +
         coverage_words(*verdict.coverage, verdict.level, verdict.clock_skew) + ")";
}

Explanation explanation_of(const History& history, const Verdict& verdict,
                           const DirectAnomaly& anomaly, const Limits& limits) {
  Certificate certificate = *verdict.certificate;
  certificate.steps = anomaly.refutation;
  return explain(history, certificate, limits);
}

/// The first anomaly has been told already.
void append_others(std::string& text, const History& history, const Verdict& verdict,
                   const Telling& telling) {
  for (std::size_t i = 1; i < verdict.direct.size(); ++i) {
    const Explanation other = explanation_of(history, verdict, verdict.direct[i], telling.limits);
    text += "  " + std::to_string(i + 1) + ". " + explanation_headline(history, other) + "\n";
    text += story(history, other, telling, lines_of_others);
  }
}

void transactions_json(JsonWriter& json, const History& history,
                       std::span<const TransactionId> transactions) {
  json.begin_array();
  for (const TransactionId t : transactions) json.string(history.label(t));
  json.end_array();
}

}  // namespace

std::string verdict_text(std::string_view file, const History& history, const Verdict& verdict,
                         const Telling& telling) {
  std::string text = std::string(file) + ": " + text_of(verdict.level) + ": ";
  switch (verdict.answer) {
    case Answer::holds:
      text += "holds" + extent(verdict) + "\n";
      append_counted(text, history, verdict);
      break;
    case Answer::violated:
      text += "VIOLATED";
      if (const auto explanation = explanation_of(history, verdict, telling.limits)) {
        const std::string headline = explanation_headline(history, *explanation);
        text += (headline.empty() ? "" : ": " + headline) + extent(verdict) + "\n";
        std::string below;
        append_indeterminate(below, history, verdict);
        append_ruled_out(below, explanation->levels_ruled_out);
        if (count_of(verdict.anomalies) > 1) {
          below += counts_text(verdict.anomalies, verdict.direct.size());
        }
        text += story(history, *explanation, telling,
                      telling.most_lines - std::min(telling.most_lines, 1 + lines_in(below)));
        text += below;
        append_others(text, history, verdict, telling);
        break;
      }
      text += extent(verdict) + (verdict.reason.empty() ? "" : ": " + verdict.reason) + "\n";
      append_findings(text, history, verdict.evidence, telling.most_bad_reads);
      append_indeterminate(text, history, verdict);
      append_ruled_out(text, levels_ruled_out(history, verdict.evidence, verdict.ruled_out));
      break;
    case Answer::unknown:
      text += "unknown" + extent(verdict) + ": " + verdict.reason + "\n";
      break;
  }
  text += remark_lines(verdict.remarks);
  return text;
}

std::string verdict_json(std::string_view file, const History& history, const Verdict& verdict,
                         const Limits& limits) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-verdict").integer(1).member("file").string(file);
  json.member("level").string(name_of(verdict.level.id));
  json.member("session-order").boolean(verdict.level.session_order);
  json.member("indeterminate-cuts").boolean(verdict.indeterminate_cuts);
  json.member("answer").string(name_of(verdict.answer));
  if (verdict.answer == Answer::violated && !verdict.reason.empty()) {
    json.member("reason").string(verdict.reason);
  }
  if (verdict.answer == Answer::unknown) {
    json.member("reason").string(verdict.reason);
    json.member("stopped");
    verdict.stopped ? json.string(name_of(*verdict.stopped)) : json.null();
  }
  if (verdict.settled_by) {
    json.member("settled-by").string(name_of(verdict.settled_by->id));
    json.member("settled-by-session-order").boolean(verdict.settled_by->session_order);
  }
  write_coverage(json, verdict.coverage, verdict.remarks);
  if (entry_of(verdict.level.id).kind == LevelKind::real_time) {
    json.member("clock-skew-ns").integer(verdict.clock_skew);
  }
  json.member("evidence");
  findings_json(json, history, verdict.evidence);
  if (const auto explanation = explanation_of(history, verdict, limits)) {
    explanation_json(json, history, *explanation);
    json.member("other-stories").begin_array();
    for (std::size_t i = 1; i < verdict.direct.size(); ++i) {
      json.begin_object();
      explanation_json(json, history, explanation_of(history, verdict, verdict.direct[i], limits));
      json.end_object();
    }
    json.end_array();
    json.member("weakest-levels-ruled-out");
    level_names_json(json, weakest_of(explanation->levels_ruled_out));
    json.member("levels-ruled-out");
    level_names_json(json, explanation->levels_ruled_out);
    counts_json(json, verdict.anomalies);
  } else if (!verdict.evidence.empty()) {
    const std::vector<LevelId> out = levels_ruled_out(history, verdict.evidence, verdict.ruled_out);
    json.member("weakest-levels-ruled-out");
    level_names_json(json, weakest_of(out));
    json.member("levels-ruled-out");
    level_names_json(json, out);
    counts_json(json, counts_of(verdict.evidence));
  }
  json.member("indeterminate-counted-committed");
  transactions_json(json, history, verdict.counted_committed);
  json.member("indeterminate-counted-aborted");
  transactions_json(json, history, verdict.counted_aborted);
  json.member("cannot-have-committed");
  findings_json(json, history, verdict.ruled_out);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::report
