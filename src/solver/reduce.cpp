#include <algorithm>
#include <tuple>

#include "solver/core.h"

namespace isoscope {

namespace {

constexpr std::uint64_t conflicts_between = 2000;
constexpr std::uint64_t more_each_time = 300;
constexpr std::uint32_t kept_for_good = 2;  // glue

}  // namespace

/// Forgets half of the learned clauses that did not take part in a conflict lately and join many
/// levels: first those of most levels, then the longest, then the oldest.
void AcyclicSolver::Core::reduce() {
  next_reduce_ = statistics_.conflicts + conflicts_between + more_each_time * ++reductions_;
  std::vector<ClauseRef> unused;
  for (const ClauseRef clause : learned_) {
    const SatLiteral first = SatLiteral::from_code(clauses_.codes(clause)[0]);
    const bool is_reason = variables_[first.variable()].reason == clause;
    if (!is_reason && !clauses_.used(clause) && clauses_.glue(clause) > kept_for_good) {
      unused.push_back(clause);
    }
    clauses_.clear_used(clause);
  }
  std::sort(unused.begin(), unused.end(), [&](ClauseRef a, ClauseRef b) {
    return std::tuple(clauses_.glue(b), clauses_.size(b), a) <
           std::tuple(clauses_.glue(a), clauses_.size(a), b);
  });
  unused.resize(unused.size() / 2);
  for (const ClauseRef clause : unused) {
    clauses_.remove(clause);
  }
  statistics_.deleted += unused.size();

  clauses_.compact();
  for (std::vector<Watch>& watches : watches_) {
    std::erase_if(watches, [&](Watch& watch) {
      watch.clause = clauses_.moved(watch.clause);
      return watch.clause == no_clause;
    });
  }
  std::erase_if(learned_, [&](ClauseRef& clause) {
    clause = clauses_.moved(clause);
    return clause == no_clause;
  });
  for (GivenClause& given : given_) {
    given.clause = clauses_.moved(given.clause);
  }
  for (const SatLiteral literal : trail_) {
    ClauseRef& reason = variables_[literal.variable()].reason;
    reason = reason == no_clause ? no_clause : clauses_.moved(reason);
  }
  clauses_.forget_moves();
}

}  // namespace isoscope
