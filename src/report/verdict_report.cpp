#include "isoscope/report/verdict_report.h"

#include <algorithm>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/base/words.h"
#include "isoscope/history/litmus_text.h"
#include "isoscope/report/explanation.h"
#include "report/explain/bad_read_text.h"
#include "report/explain/brief_text.h"
#include "report/explain/counts_text.h"
#include "report/explain/explanation_text.h"

namespace isoscope::report {

namespace {

/// People read the first few of those that cannot have committed; the rest is in the JSON.
constexpr std::size_t shown_findings = 5;
/// The maximum number of lines for each story after the first, if not all of it is told.
constexpr std::size_t lines_of_others = 5;

std::string capitalised(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
    result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

/// "Aborted read (G1a)"
std::string heading(const History& history, const BadRead& bad) {
  const std::string_view anomaly = name_of(anomaly_of(bad.kind));
  std::string text = capitalised(bad_read_name(history, bad));
  if (anomaly.starts_with('G')) text += " (" + std::string(anomaly) + ")";
  return text;
}

void append_findings(std::string& text, const History& history, std::span<const BadRead> findings,
                     std::size_t most) {
  for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
    text += "  " + heading(history, findings[i]) + ": " + bad_read_sentence(history, findings[i]) +
            "\n";
    text += bad_read_operations(history, findings[i], 6);
  }
  if (findings.size() > 1) {
    text += counts_text(counts_of(findings), std::min(most, findings.size()));
  }
}

std::vector<LevelId> levels_ruled_out(std::span<const BadRead> findings) {
  std::vector<LevelId> out;
  for (const LevelEntry& entry : levels()) {
    const ReadFindings forbidden = ReadFindings::forbidden_by(Level{entry.id, true});
    for (const BadRead& bad : findings) {
      if (!bad.refutes(forbidden)) continue;
      out.push_back(entry.id);
      break;
    }
  }
  return out;
}

std::string names(std::span<const LevelId> ids) {
  return joined(ids, [](LevelId id) { return name_of(id); });
}

void append_ruled_out(std::string& text, std::span<const LevelId> out) {
  if (out.empty()) return;
  const std::vector<LevelId> weakest = weakest_of(out);
  text += "  Rules out " + names(weakest);
  if (out.size() > weakest.size()) {
    text += " and every level that implies " +
            std::string(weakest.size() == 1 ? "it" : "one of them") + ": " +
            std::to_string(out.size()) + " of the " + std::to_string(level_count) +
            " levels of the catalogue";
  }
  text += ".\n";
}

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

/// Evidence of single reads explains itself, whereas a refutation is told as a story.
std::optional<Explanation> explanation_of(const History& history, const Verdict& verdict,
                                          const Limits& limits) {
  if (verdict.answer != Answer::violated || !verdict.evidence.empty()) return std::nullopt;
  if (!verdict.certificate || verdict.certificate->steps.empty()) return std::nullopt;
  if (!has_stories(verdict.certificate->level.id)) return std::nullopt;
  return explain(history, *verdict.certificate, limits);
}

Explanation explanation_of(const History& history, const Verdict& verdict,
                           const DirectAnomaly& anomaly, const Limits& limits) {
  Certificate certificate = *verdict.certificate;
  certificate.steps = anomaly.refutation;
  return explain(history, certificate, limits);
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// The whole story is told if it is wanted or short.
std::string story(const History& history, const Explanation& explanation, const Telling& telling,
                  std::size_t most_lines) {
  const std::string all = explanation_text(history, explanation);
  if (telling.full || lines_in(all) <= most_lines) return all;
  return brief_explanation(history, explanation, most_lines);
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

void operation_json(JsonWriter& json, const History& history, const OperationRef& at) {
  json.begin_object().member("transaction").string(history.label(at.transaction));
  json.member("operation").integer(at.operation);
  json.member("text")
      .string(operation_text(history, history.operations(at.transaction)[at.operation]))
      .end_object();
}

void findings_json(JsonWriter& json, const History& history, std::span<const BadRead> findings) {
  json.begin_array();
  for (const BadRead& bad : findings) {
    json.begin_object().member("finding").string(name_of(bad.kind));
    json.member("name").string(bad_read_name(history, bad));
    json.member("anomaly").string(name_of(anomaly_of(bad.kind)));
    json.member("text").string(bad_read_sentence(history, bad));
    json.member("key")
        .string(key_text(history, bad.key))
        .member("value")
        .string(value_text(history, bad.value));
    json.member("read");
    operation_json(json, history, bad.read);
    json.member("involved").begin_array();
    for (const OperationRef& at : bad.involved()) operation_json(json, history, at);
    json.end_array().member("involved-left-out").integer(bad.involved_left_out()).end_object();
  }
  json.end_array();
}

void transactions_json(JsonWriter& json, const History& history,
                       std::span<const TransactionId> transactions) {
  json.begin_array();
  for (const TransactionId t : transactions) json.string(history.label(t));
  json.end_array();
}

void level_names_json(JsonWriter& json, std::span<const LevelId> ids) {
  json.begin_array();
  for (const LevelId id : ids) json.string(name_of(id));
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
      append_ruled_out(text, levels_ruled_out(verdict.evidence));
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
    const std::vector<LevelId> out = levels_ruled_out(verdict.evidence);
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

std::string findings_text(std::string_view file, const History& history,
                          std::span<const BadRead> findings, std::span<const Remark> remarks,
                          const Telling& telling) {
  std::string text = std::string(file) + ": ";
  text += findings.empty() ? "no bad read" : counted(findings.size(), "bad read");
  text += " among " + counted(history.transaction_count(), "transaction") + "\n";
  append_findings(text, history, findings, telling.most_bad_reads);
  append_ruled_out(text, levels_ruled_out(findings));
  text += remark_lines(remarks);
  return text;
}

std::string findings_json(std::string_view file, const History& history,
                          std::span<const BadRead> findings, std::span<const Remark> remarks) {
  const std::vector<LevelId> out = levels_ruled_out(findings);
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-findings").integer(1).member("file").string(file);
  write_coverage(json, coverage_of(history), remarks);
  json.member("findings");
  findings_json(json, history, findings);
  json.member("weakest-levels-ruled-out");
  level_names_json(json, weakest_of(out));
  json.member("levels-ruled-out");
  level_names_json(json, out);
  counts_json(json, counts_of(findings));
  json.end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::report
