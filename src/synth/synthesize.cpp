#include "isoscope/synth/synthesize.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "isoscope/base/contract.h"
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
  Answer answer;
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
        outcome == Search::Outcome::found ? Answer::Kind::found : Answer::Kind::stopped;
    if (outcome == Search::Outcome::found) at.answer.found = at.search->found();
    break;
  }
  return at;
}

// Fewer keys, then fewer operations, until there is nothing smaller.
Position smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                  const Limits& limits, Progress& progress) {
  Position at = search_sizes(question, scope, strategy, limits, progress);
  if (at.answer.kind != Answer::Kind::found) return at;
  const std::size_t n = at.answer.found->history.transactions - 1;
  const auto stop = [&]() {
    at.answer.kind = Answer::Kind::stopped;
    return std::move(at);
  };
  for (std::size_t keys = 1; keys < scope.keys; ++keys) {
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

/// New names: transaction t is called transactions[t], key x keys[x].
struct Names {
  std::vector<std::size_t> transactions, keys;
};

spec::Matrix renamed(const spec::Matrix& matrix, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& columns) {
  spec::Matrix result{std::vector<std::uint64_t>(rows.size())};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (matrix.has(i, j)) result.add(rows[i], columns[j]);
  return result;
}

spec::Structure renamed(const spec::Structure& history, const Names& names) {
  const auto& [transactions, keys] = names;
  spec::Structure result = spec::empty_structure(history.transactions - 1, history.keys);
  result.so = renamed(history.so, transactions, transactions);
  result.rt = renamed(history.rt, transactions, transactions);
  result.writes = renamed(history.writes, transactions, keys);
  for (std::size_t x = 0; x < history.keys; ++x) {
    result.wr[keys[x]] = renamed(history.wr[x], transactions, transactions);
    result.seen_before[keys[x]] = renamed(history.seen_before[x], transactions, transactions);
  }
  return result;
}

spec::Execution renamed(const spec::Execution& execution, const spec::Definition& level,
                        const Names& names) {
  spec::Execution result = execution;
  for (std::size_t i = 0; i < execution.size(); ++i) {
    switch (level.witnesses[i].kind) {
      case spec::Witness::Kind::total_order:
      case spec::Witness::Kind::relation:
        result[i].matrix = renamed(execution[i].matrix, names.transactions, names.transactions);
        break;
      case spec::Witness::Kind::version_order:
        for (std::size_t x = 0; x < names.keys.size(); ++x)
          result[i].by_key[names.keys[x]] =
              renamed(execution[i].by_key[x], names.transactions, names.transactions);
        break;
      case spec::Witness::Kind::transaction_set:
        result[i].matrix = renamed(execution[i].matrix, {0}, names.transactions);
        break;
      case spec::Witness::Kind::key_set:
        result[i].matrix = renamed(execution[i].matrix, {0}, names.keys);
        break;
    }
  }
  return result;
}

// An allowing level's order may go against session order, and it numbers the transactions. For
// people, those of a session are numbered as they ran.
Found with_ascending_sessions(Found found, const Question& question) {
  const spec::Structure& history = found.history;
  Names names{std::vector<std::size_t>(history.transactions),
              std::vector<std::size_t>(history.keys)};
  std::iota(names.keys.begin(), names.keys.end(), 0);
  std::vector<bool> is_named(history.transactions);
  for (std::size_t name = 0; name < history.transactions; ++name) {
    std::size_t next = 0;
    const auto waits = [&](std::size_t t) {
      for (std::size_t s = 0; s < history.transactions; ++s)
        if (!is_named[s] && history.so.has(s, t)) return true;
      return false;
    };
    while (is_named[next] || waits(next)) ++next;
    names.transactions[next] = name;
    is_named[next] = true;
  }
  if (std::ranges::is_sorted(names.transactions)) return found;
  Found result{renamed(history, names), {}};
  for (std::size_t i = 0; i < found.executions.size(); ++i)
    result.executions.push_back(renamed(found.executions[i], *question.allow[i], names));
  return result;
}

// More transactions than this have too many names.
constexpr std::size_t most_renamed = 7;

void exclude_all_renamings(Search& search, const spec::Structure& history) {
  Names names{std::vector<std::size_t>(history.transactions),
              std::vector<std::size_t>(history.keys)};
  std::iota(names.transactions.begin(), names.transactions.end(), 0);
  do {
    std::iota(names.keys.begin(), names.keys.end(), 0);
    do {
      search.exclude(renamed(history, names));
    } while (std::ranges::next_permutation(names.keys).found);
  } while (std::next_permutation(names.transactions.begin() + 1, names.transactions.end()));
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

Answer find_history(const Question& question, const Scope& scope, const Strategy& strategy,
                    const Limits& limits, Progress& progress) {
  Answer answer = search_sizes(question, scope, strategy, limits, progress).answer;
  if (answer.found) answer.found = with_ascending_sessions(*std::move(answer.found), question);
  progress.finish();
  return answer;
}

Answer find_smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                     const Limits& limits, Progress& progress) {
  Answer answer = smallest(question, scope, strategy, limits, progress).answer;
  if (answer.found) answer.found = with_ascending_sessions(*std::move(answer.found), question);
  progress.finish();
  return answer;
}

AllFound find_all_smallest(const Question& question, const Scope& scope, const Strategy& strategy,
                           std::size_t at_most, const Limits& limits, Progress& progress) {
  Position at = smallest(question, scope, strategy, limits, progress);
  AllFound all{.found = {}, .is_complete = false, .effort = at.answer.effort};
  if (at.answer.kind == Answer::Kind::none) all.is_complete = true;
  if (at.answer.found) all.found.push_back(*at.answer.found);
  const bool can_go_on = at.answer.kind == Answer::Kind::found &&
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
  for (Found& found : all.found) found = with_ascending_sessions(std::move(found), question);
  progress.finish();
  return all;
}

}  // namespace isoscope::synth
