#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "solver/core.h"

namespace isoscope {

void AcyclicSolver::Core::assign(SatLiteral literal, ClauseRef reason) {
  const std::uint32_t implied_at = highest_level_behind(reason);
  if (implied_at == 0) {
    copy_literals(reason, scratch_literals_);
    announce_unit(literal, clauses_.id(reason), scratch_literals_);
    return;
  }
  set_true(literal, reason, implied_at);
}

/// The highest level among all literals of a reason but its first, which it makes true. It can be
/// below the present level, see backtrack().
std::uint32_t AcyclicSolver::Core::highest_level_behind(ClauseRef reason) const {
  std::uint32_t highest = 0;
  for (const std::uint32_t code : clauses_.codes(reason).subspan(1)) {
    highest = std::max(highest, level_of(SatLiteral::from_code(code)));
    if (highest == level()) {
      break;
    }
  }
  return highest;
}

void AcyclicSolver::Core::assign_unit(SatLiteral literal, std::uint32_t id) {
  variables_[literal.variable()].unit_id = id;
  set_true(literal, no_clause, 0);
}

void AcyclicSolver::Core::set_true(SatLiteral literal, ClauseRef reason, std::uint32_t at_level) {
  ISOSCOPE_ENSURE(is_open(literal));
  values_[literal.code()] = 1;
  values_[(!literal).code()] = -1;
  Variable& variable = variables_[literal.variable()];
  variable.level = at_level;
  variable.reason = reason;
  variable.trail_place = static_cast<std::uint32_t>(trail_.size());
  trail_.push_back(literal);
  ++statistics_.propagations;
}

void AcyclicSolver::Core::copy_literals(ClauseRef clause, std::vector<SatLiteral>& to) const {
  to.clear();
  for (const std::uint32_t code : clauses_.codes(clause)) {
    to.push_back(SatLiteral::from_code(code));
  }
}

void AcyclicSolver::Core::watch(ClauseRef clause) {
  const std::span<const std::uint32_t> codes = clauses_.codes(clause);
  watches_[codes[0]].push_back({clause, SatLiteral::from_code(codes[1])});
  watches_[codes[1]].push_back({clause, SatLiteral::from_code(codes[0])});
}

/// Clauses come first, for they are cheap. An edge is inserted only when they have no more to say.
bool AcyclicSolver::Core::propagate() {
  while (true) {
    if (!propagate_clauses()) {
      return false;
    }
    if (theory_head_ == trail_.size()) {
      return true;
    }
    if (!insert_edges_of(trail_[theory_head_++])) {
      return false;
    }
  }
}

bool AcyclicSolver::Core::propagate_clauses() {
  while (clause_head_ < trail_.size()) {
    if (!visit_watches(!trail_[clause_head_++])) {
      return false;
    }
  }
  return true;
}

/// Each clause that watches a literal which has become false looks for another literal to watch. If
/// there is none, the other watched literal must be true.
bool AcyclicSolver::Core::visit_watches(SatLiteral falsified) {
  std::vector<Watch>& watches = watches_[falsified.code()];
  std::size_t kept = 0;
  std::size_t next = 0;
  bool conflict = false;
  while (next < watches.size() && !conflict) {
    const Watch watch = watches[next++];
    if (is_true(watch.blocker)) {
      watches[kept++] = watch;
      continue;
    }
    const std::span<std::uint32_t> codes = clauses_.codes(watch.clause);
    if (codes[0] == falsified.code()) {
      std::swap(codes[0], codes[1]);
    }
    const SatLiteral other = SatLiteral::from_code(codes[0]);
    if (is_true(other)) {
      watches[kept++] = {watch.clause, other};
      continue;
    }
    std::size_t i = 2;
    while (i < codes.size() && values_[codes[i]] < 0) {
      ++i;
    }
    if (i < codes.size()) {
      std::swap(codes[1], codes[i]);
      watches_[codes[1]].push_back({watch.clause, other});
      continue;
    }
    if (is_open(other)) {
      assign(other, watch.clause);
      if (level_of(other) <= level_of(falsified)) {
        watches[kept++] = {watch.clause, other};
      } else {
        // When `other` is open again, so must the second watched literal be.
        i = 2;
        while (level_of(SatLiteral::from_code(codes[i])) != level_of(other)) {
          ++i;
        }
        std::swap(codes[1], codes[i]);
        watches_[codes[1]].push_back({watch.clause, other});
      }
    } else {
      watches[kept++] = {watch.clause, other};
      conflict = true;
      conflict_.id = clauses_.id(watch.clause);
      conflict_.clause = watch.clause;
      copy_literals(watch.clause, conflict_.literals);
    }
  }
  while (next < watches.size()) {
    watches[kept++] = watches[next++];
  }
  watches.resize(kept);
  return !conflict;
}

/// Literals need not stand on the trail in the order of their levels: after a jump that was not
/// taken in full (see level_to_go_back_to()), and at what follows from it, lower levels come after
/// higher ones. They stay, and are propagated anew, for what they imply may have been hidden by
/// what goes.
void AcyclicSolver::Core::backtrack(std::uint32_t to_level) {
  if (level() <= to_level) {
    return;
  }
  const Level first_undone = levels_[to_level];
  std::size_t kept = first_undone.trail_size;
  for (std::size_t place = kept; place < trail_.size(); ++place) {
    const SatLiteral literal = trail_[place];
    Variable& variable = variables_[literal.variable()];
    if (variable.level <= to_level) {
      variable.trail_place = static_cast<std::uint32_t>(kept);
      trail_[kept++] = literal;
      continue;
    }
    values_[literal.code()] = 0;
    values_[(!literal).code()] = 0;
    variable.reason = no_clause;
    variable.last_value = !literal.is_negative();
    if (variable.must_decide) {
      heap_.insert(literal.variable());
    }
  }
  trail_.resize(kept);
  // Every decision waits until all before it is propagated and in the order.
  clause_head_ = first_undone.trail_size;
  theory_head_ = first_undone.trail_size;
  order_.undo_to(first_undone.order_mark);
  levels_.resize(to_level);
  given_unchecked_ = given_.size();
}

}  // namespace isoscope
