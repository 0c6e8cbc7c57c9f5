#include "report/explain/brief_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include "isoscope/base/words.h"
#include "report/explain/explanation_text.h"

namespace isoscope::report {

namespace {

/// Where the "(3)" that starts at `at` ends; `at` if none starts there.
std::size_t after_number(const std::string& text, std::size_t at) {
  if (at >= text.size() || text[at] != '(') return at;
  const std::size_t end = text.find_first_not_of("0123456789", at + 1);
  return end != text.npos && end > at + 1 && text[end] == ')' ? end + 1 : at;
}

/// Where "(3), (4) and (5)" ends.
std::size_t after_numbers(const std::string& text, std::size_t at) {
  std::size_t end = after_number(text, at);
  for (bool more = end != at; more;) {
    more = false;
    for (const std::string_view link : {", ", " and "}) {
      if (text.compare(end, link.size(), link) != 0) continue;
      const std::size_t next = after_number(text, end + link.size());
      if (next == end + link.size()) continue;
      end = next;
      more = true;
      break;
    }
  }
  return end;
}

std::size_t fact_count(const ExplainedFact& fact) {
  std::size_t count = 1;
  for (const ExplainedFact& reason : fact.because) count += fact_count(reason);
  return count;
}

std::size_t fact_count(const ExplainedCase& one) {
  std::size_t count = 0;
  for (const ExplainedFact& fact : one.cycle) count += fact_count(fact);
  for (const ExplainedCase& child : one.cases) count += fact_count(child);
  return count;
}

/// The whole without reasons, and only the operations of the cycle's transactions.
Explanation without_reasons(const Explanation& explanation) {
  Explanation brief = explanation;
  brief.operations.clear();
  std::set<TransactionId> members;
  std::set<OperationRef> operations;
  for (ExplainedFact& fact : brief.whole.cycle) {
    fact.because.clear();
    fact.text = without_references(std::move(fact.text));
    for (const auto& t : {fact.from, fact.to}) {
      if (t) members.insert(*t);
    }
    operations.insert(fact.operations.begin(), fact.operations.end());
  }
  for (const OperationRef& at : operations) {
    if (members.contains(at.transaction)) brief.operations.push_back(at);
  }
  for (ExplainedCase& one : brief.whole.cases) {
    one.cycle.clear();
    one.cases.clear();
  }
  return brief;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end == text.npos ? text.size() : end + 1;
  }
  return lines;
}

}  // namespace

std::string without_references(std::string text) {
  for (const std::string_view start : {", by (", " (by ("}) {
    for (std::size_t at = text.find(start); at != text.npos; at = text.find(start, at + 1)) {
      const std::size_t first = at + start.size() - 1;
      std::size_t end = after_numbers(text, first);
      if (end == first) continue;
      if (start[1] == '(' && end < text.size() && text[end] == ')') ++end;
      text.erase(at, end - at);
    }
  }
  return text;
}

std::string brief_explanation(const History& history, const Explanation& explanation,
                              std::size_t most_lines) {
  const Explanation brief = without_reasons(explanation);
  std::vector<std::string> lines = lines_of(explanation_text(history, brief));
  const std::size_t left_out = fact_count(explanation.whole) - fact_count(brief.whole);
  const bool all_fit = left_out == 0 && lines.size() <= most_lines;
  const std::size_t room = all_fit ? most_lines : most_lines - std::min<std::size_t>(1, most_lines);
  const bool cut = lines.size() > room;
  if (cut) lines.resize(room);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  if (all_fit) return text;
  return text + "  " +
         (left_out == 0 ? "..." : "... and " + counted(left_out, "fact") + " behind this") +
         " (--explain full)\n";
}

}  // namespace isoscope::report
