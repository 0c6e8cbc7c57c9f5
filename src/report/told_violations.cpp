#include "report/told_violations.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

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

/// Explains each verdict once, though it may show several violations.
class Stories {
 public:
  Stories(const History& history, const Frontier& frontier, const Limits& limits)
      : history_(history), frontier_(frontier), limits_(limits) {}

  /// How much there is to read; smaller is better.
  std::pair<int, std::size_t> length(std::size_t i) {
    const Verdict& verdict = frontier_.verdicts[i];
    if (!verdict.evidence.empty()) return {0, 0};
    const auto& told = of(i);
    if (!told || told->failed) return {3, 0};
    if (!told->whole.cases.empty()) return {2, told->case_count};
    return {1, facts_in(told->whole.cycle)};
  }

  const std::optional<Explanation>& of(std::size_t i) {
    const auto [place, is_new] = stories_.try_emplace(i);
    if (is_new) place->second = explanation_of(history_, frontier_.verdicts[i], limits_);
    return place->second;
  }

  std::string headline(std::size_t i) {
    const Verdict& verdict = frontier_.verdicts[i];
    if (!verdict.evidence.empty()) return bad_read_words(history_, verdict.evidence.front());
    const auto& told = of(i);
    const std::string words = told ? explanation_headline(history_, *told) : "";
    return words.empty() ? verdict.reason : words;
  }

 private:
  const History& history_;
  const Frontier& frontier_;
  const Limits& limits_;
  std::map<std::size_t, std::optional<Explanation>> stories_;
};

}  // namespace

std::vector<ToldViolation> told_violations(const History& history, const Frontier& frontier,
                                           const Limits& limits) {
  std::vector<const LevelAnswer*> answers;
  const std::vector<LevelId> weakest = frontier.weakest_violated();
  for (const LevelAnswer& answer : frontier.levels) {
    if (std::ranges::count(weakest, answer.level.id) != 0) answers.push_back(&answer);
  }
  Stories stories(history, frontier, limits);
  std::vector<ToldViolation> told;
  for (const LevelAnswer* const answer : answers) {
    std::size_t best = *answer->verdict;
    for (const std::size_t i : answer->shown_by) {
      if (stories.length(i) < stories.length(best)) best = i;
    }
    const auto same = std::ranges::find(told, best, &ToldViolation::verdict);
    if (same != told.end()) {
      same->levels.push_back(answer->level);
    } else {
      told.push_back({{answer->level}, best, stories.of(best), stories.headline(best)});
    }
  }
  return told;
}

}  // namespace isoscope::report
