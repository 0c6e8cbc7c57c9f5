#include "report/verdict_parts.h"

#include <algorithm>

#include "isoscope/base/words.h"
#include "isoscope/history/litmus_text.h"
#include "report/explain/bad_read_text.h"
#include "report/explain/brief_text.h"
#include "report/explain/counts_text.h"
#include "report/explain/explanation_text.h"

namespace isoscope::report {

namespace {

std::string capitalised(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
    result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

void operation_json(JsonWriter& json, const History& history, const OperationRef& at) {
  json.begin_object().member("transaction").string(history.label(at.transaction));
  json.member("operation").integer(at.operation);
  json.member("text")
      .string(operation_text(history, history.operations(at.transaction)[at.operation]))
      .end_object();
}

std::string names(std::span<const LevelId> ids) {
  return joined(ids, [](LevelId id) { return name_of(id); });
}

}  // namespace

std::string bad_read_words(const History& history, const BadRead& bad) {
  const std::string_view anomaly = name_of(anomaly_of(bad.kind));
  std::string text(bad_read_name(history, bad));
  if (anomaly.starts_with('G')) text += " (" + std::string(anomaly) + ")";
  return text;
}

void append_findings(std::string& text, const History& history, std::span<const BadRead> findings,
                     std::size_t most) {
  for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
    text += "  " + capitalised(bad_read_words(history, findings[i])) + ": " +
            bad_read_sentence(history, findings[i]) + "\n";
    text += bad_read_operations(history, findings[i], 6);
  }
  if (findings.size() > 1) {
    text += counts_text(counts_of(findings), std::min(most, findings.size()));
  }
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

bool speaks_against(const History& history, const BadRead& bad, std::span<const BadRead> ruled_out,
                    ReadFindings forbidden) {
  if (!bad.refutes(forbidden)) return false;
  // The other kinds take writes as they are, whatever became of their transactions.
  const bool rests_on_outcomes =
      bad.kind == ReadFinding::aborted_read || bad.kind == ReadFinding::intermediate_read;
  if (!rests_on_outcomes || std::ranges::all_of(ruled_out, [&](const BadRead& reason) {
        return reason.refutes(forbidden);
      })) {
    return true;
  }
  return bad.problem != ReadProblem::unexplained_list && bad.involved_left_out() == 0 &&
         std::ranges::none_of(bad.involved(), [&](const OperationRef& at) {
           return history.outcome(at.transaction) == Outcome::indeterminate;
         });
}

std::vector<LevelId> levels_ruled_out(const History& history, std::span<const BadRead> findings,
                                      std::span<const BadRead> ruled_out) {
  std::vector<LevelId> out;
  for (const LevelEntry& entry : levels()) {
    const ReadFindings forbidden = ReadFindings::forbidden_by(Level{entry.id, true});
    for (const BadRead& bad : findings) {
      if (!speaks_against(history, bad, ruled_out, forbidden)) continue;
      out.push_back(entry.id);
      break;
    }
  }
  return out;
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

void level_names_json(JsonWriter& json, std::span<const LevelId> ids) {
  json.begin_array();
  for (const LevelId id : ids) json.string(name_of(id));
  json.end_array();
}

std::optional<Explanation> explanation_of(const History& history, const Verdict& verdict,
                                          const Limits& limits) {
  if (verdict.answer != Answer::violated || !verdict.evidence.empty()) return std::nullopt;
  if (!verdict.certificate || verdict.certificate->steps.empty()) return std::nullopt;
  if (!has_stories(*verdict.certificate)) return std::nullopt;
  return explain(history, *verdict.certificate, limits);
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string story(const History& history, const Explanation& explanation, const Telling& telling,
                  std::size_t most_lines) {
  const std::string all = explanation_text(history, explanation);
  if (telling.full || lines_in(all) <= most_lines) return all;
  return brief_explanation(history, explanation, most_lines);
}

}  // namespace isoscope::report
