#include "isoscope/synth/synthesize.h"

#include <algorithm>
#include <memory>

#include "isoscope/base/contract.h"
#include "synth/renaming.h"
#include "synth/search.h"

namespace isoscope::synth {
namespace {

void add(Effort& total, const Effort& part) {
  total.candidates += part.candidates;
  total.first_clauses += part.first_clauses;
  total.clauses += part.clauses;
  total.variables = std::max(total.variables, part.variables);
}

// The search that found something, to go on with.
struct Position {
  Synthesis answer;
  std::unique_ptr<Search> search;
};

Position search_sizes(const Question& question, const Scope& scope, const Strategy& strategy,
                      const Limits& limits, Progress& progress) {
  Position at;
  for (std::size_t n = scope.exactly ? scope.transactions : 1; n <= scope.transactions; ++n) {
    progress.phase("histories of " + std::to_string(n) + " transactions", 0);
    at.search = std::make_unique<Search>(question, scope, strategy, n, scope.keys);
    const Search::Outcome outcome = at.search->find({}, limits, progress);
    add(at.answer.effort, at.search->effort());
    if (outcome == Search::Outcome::none) continue;
    at.answer.kind =
        outcome == Search::Outcome::found ? Synthesis::Kind::found : Synthesis::Kind::stopped;
    if (outcome == Search::Outcome::found) at.answer.found = at.search->found();
    break;
  }
  return at;
}

// Fewer keys, then fewer operations, until there is nothing smaller.
Position smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                  const Limits& limits, Progress& progress) {
  Position at = search_sizes(question, scope, strategy, limits, progress);
  if (at.answer.kind != Synthesis::Kind::found) return at;
  const std::size_t n = at.answer.found->history.transactions - 1;
  const auto stop = [&]() {
    at.answer.kind = Synthesis::Kind::stopped;
    return std::move(at);
  };
  const auto is_worth_it = [&](std::size_t keys) {
    return keys < scope.keys && keys <= at.answer.found->history.keys;
  };
  for (std::size_t keys = 1; is_worth_it(keys); ++keys) {
    progress.phase("fewer keys: " + std::to_string(keys), 0);
    auto search = std::make_unique<Search>(question, scope, strategy, n, keys);
    const Search::Outcome outcome = search->find({}, limits, progress);
    add(at.answer.effort, search->effort());
    if (outcome == Search::Outcome::stopped) return stop();
    if (outcome == Search::Outcome::none) continue;
    at.answer.found = search->found();
    at.search = std::move(search);
    break;
  }
  const Effort before = at.search->effort();
  while (true) {
    const std::size_t operations = size_of(at.answer.found->history).operations;
    progress.phase("fewer operations than " + std::to_string(operations), 0);
    const Search::Outcome outcome = at.search->find(operations - 1, limits, progress);
    if (outcome == Search::Outcome::stopped) return stop();
    if (outcome == Search::Outcome::none) break;
    at.answer.found = at.search->found();
  }
  at.answer.effort.candidates += at.search->effort().candidates - before.candidates;
  at.answer.effort.clauses += at.search->effort().clauses - before.clauses;
  return at;
}

// With more transactions than this there are too many ways to name them.
constexpr std::size_t most_renamed = 7;

void exclude_all_renamings(Search& search, const spec::Structure& history) {
  Names names = same_names(history);
  do {
    std::ranges::sort(names.keys);
    do {
      search.exclude(renamed(history, names));
    } while (std::ranges::next_permutation(names.keys).found);
  } while (std::next_permutation(names.transactions.begin() + 1, names.transactions.end()));
}

// The answer as it is shown: the search is over, and its numbering is of no more use.
Synthesis finished(Synthesis answer, const Question& question, Progress& progress) {
  if (answer.found)
    answer.found = renamed(*answer.found, question, session_by_session(answer.found->history));
  progress.finish();
  return answer;
}

}  // namespace

Size size_of(const spec::Structure& history) {
  Size size{history.transactions - 1, history.keys, 0};
  for (std::size_t t = 1; t < history.transactions; ++t) {
    for (std::size_t x = 0; x < history.keys; ++x) {
      size.operations += (history.writes.has(t, x) ? 1u : 0u) + (history.reads(t, x) ? 1u : 0u);
    }
  }
  return size;
}

bool mentions(const Question& question, spec::Base base) {
  const auto does = [base](const spec::Definition* level) { return mentions(*level, base); };
  return std::ranges::any_of(question.allow, does) || std::ranges::any_of(question.forbid, does);
}

Synthesis find_history(const Question& question, const Scope& scope, const Strategy& strategy,
                       const Limits& limits, Progress& progress) {
  return finished(search_sizes(question, scope, strategy, limits, progress).answer, question,
                  progress);
}

Synthesis find_smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                        const Limits& limits, Progress& progress) {
  return finished(smallest(question, scope, strategy, limits, progress).answer, question, progress);
}

AllFound find_all_smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                           std::size_t at_most, const Limits& limits, Progress& progress) {
  Position at = smallest(question, scope, strategy, limits, progress);
  AllFound all{.found = {}, .is_complete = false, .effort = at.answer.effort};
  if (at.answer.kind == Synthesis::Kind::none) all.is_complete = true;
  if (at.answer.found) all.found.push_back(*at.answer.found);
  const bool can_go_on = at.answer.kind == Synthesis::Kind::found &&
                         at.answer.found->history.transactions - 1 <= most_renamed;
  progress.phase("more of the same size", 0);
  while (can_go_on && all.found.size() < at_most) {
    exclude_all_renamings(*at.search, all.found.back().history);
    const Search::Outcome outcome =
        at.search->find(size_of(all.found.front().history).operations, limits, progress);
    all.is_complete = outcome == Search::Outcome::none;
    if (outcome != Search::Outcome::found) break;
    all.found.push_back(at.search->found());
  }
  for (Found& found : all.found)
    found = renamed(found, question, session_by_session(found.history));
  progress.finish();
  return all;
}

}  // namespace isoscope::synth
