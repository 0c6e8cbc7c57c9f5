#include "report/stories.h"

#include <span>

#include "report/explain/explanation_text.h"
#include "report/verdict_parts.h"

namespace isoscope::report {

namespace {

/// The number of facts to read, with those that others rest on.
std::size_t facts_in(std::span<const ExplainedFact> facts) {
  std::size_t count = facts.size();
  for (const ExplainedFact& fact : facts) count += facts_in(fact.because);
  return count;
}

}  // namespace

std::pair<int, std::size_t> Stories::length(std::size_t i) {
  if (!frontier_.verdicts[i].evidence.empty()) return {0, 0};
  const auto& told = of(i);
  if (!told || told->failed) return {3, 0};
  if (!told->whole.cases.empty()) return {2, told->case_count};
  return {1, facts_in(told->whole.cycle)};
}

const std::optional<Explanation>& Stories::of(std::size_t i) {
  const auto [place, is_new] = stories_.try_emplace(i);
  if (is_new) place->second = explanation_of(history_, frontier_.verdicts[i], limits_);
  return place->second;
}

std::string Stories::headline(std::size_t i) {
  const Verdict& verdict = frontier_.verdicts[i];
  if (!verdict.evidence.empty()) return bad_read_words(history_, verdict.evidence.front());
  const auto& told = of(i);
  const std::string words = told ? explanation_headline(history_, *told) : "";
  return words.empty() ? verdict.reason : words;
}

}  // namespace isoscope::report
