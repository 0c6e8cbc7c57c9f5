#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "history/history_text.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/format.h"

namespace isoscope::test {

inline History litmus(std::string text) {
  ReadOptions options;
  options.format = Format::litmus;
  Result<History> history = read_history(Source::from_memory("litmus", std::move(text)), options);
  if (!history) throw std::runtime_error(history.error().text());
  return *std::move(history);
}

inline std::string operation_ref_text(const History& history, OperationRef at) {
  return history.label(at.transaction) + "." + std::to_string(at.operation + 1);
}

/// "T2.1 aborted read x=1 <- T1.1": the first operation of T2, and what is involved. For a list the
/// element is told, too.
inline std::string finding_text(const History& history, const BadRead& finding) {
  std::string text =
      operation_ref_text(history, finding.read) + " " + std::string(name_of(finding.kind)) + " ";
  text += history.values().string_of(history.key_name(finding.key));
  text += "=" + value_text(history, finding.value);
  if (finding.element != finding.value) text += " (" + value_text(history, finding.element) + ")";
  if (!finding.involved().empty()) text += " <-";
  for (const OperationRef at : finding.involved()) text += " " + operation_ref_text(history, at);
  if (finding.involved_left_out() != 0) text += " +" + std::to_string(finding.involved_left_out());
  return text;
}

inline std::vector<std::string> finding_texts(const History& history,
                                              const std::vector<BadRead>& findings) {
  std::vector<std::string> texts;
  for (const BadRead& finding : findings) texts.push_back(finding_text(history, finding));
  return texts;
}

/// The findings of a history in litmus notation.
inline std::vector<std::string> findings_of(const std::string& text) {
  const History history = litmus(text);
  return finding_texts(history, first_pass(history).findings);
}

}  // namespace isoscope::test
