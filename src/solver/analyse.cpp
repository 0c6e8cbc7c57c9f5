#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "solver/core.h"

namespace isoscope {

namespace {

/// How long a chain of implications minimisation follows; each step is a level of recursion.
constexpr unsigned deepest_implication = 1000;

}  // namespace

/// Learns a clause from conflict_, goes back to where the clause has exactly one open literal, and
/// makes that literal true.
bool AcyclicSolver::Core::learn_from_conflict() {
  const std::uint32_t highest = conflict_level();
  if (highest == 0) {
    return false;
  }
  backtrack(highest);  // what was decided since has nothing to do with it
  if (conflict_.clause != no_clause) {
    const std::span<const std::uint32_t> codes = watch_highest_levels(conflict_.clause);
    if (const std::uint32_t second = level_of(SatLiteral::from_code(codes[1])); second < highest) {
      // Seen too late: it has been a reason since the second level.
      backtrack(level_to_go_back_to(second));
      assign(SatLiteral::from_code(codes[0]), conflict_.clause);
      return true;
    }
  }
  derive_learned();
  minimise();
  const std::uint32_t glue = stamp_levels();
  forget_marks();
  const std::uint32_t id = announce_learned();
  if (new_clause_.size() == 1) {
    backtrack(level_to_go_back_to(0));
    assign_unit(new_clause_.front(), id);
  } else {
    const auto second =
        std::max_element(new_clause_.begin() + 1, new_clause_.end(),
                         [&](SatLiteral a, SatLiteral b) { return level_of(a) < level_of(b); });
    std::swap(new_clause_[1], *second);
    backtrack(level_to_go_back_to(level_of(new_clause_[1])));
    const ClauseRef clause = clauses_.add(id, new_clause_, true, glue);
    learned_.push_back(clause);
    ++statistics_.learned;
    watch(clause);
    assign(new_clause_.front(), clause);
  }
  heap_.decay();
  return true;
}

std::uint32_t AcyclicSolver::Core::conflict_level() const {
  std::uint32_t highest = 0;
  for (const SatLiteral literal : conflict_.literals) {
    highest = std::max(highest, level_of(literal));
  }
  return highest;
}

/// A jump over many levels would take back many decisions only to take them again: where thousands
/// of choices have little to do with each other, that is where the time goes. So a long jump goes
/// back by one level only, and the literal that follows gets the level it would have had (Nadel and
/// Ryvchin, Chronological backtracking, SAT 2018; Möhle and Biere, Backing backtracking, SAT 2019).
std::uint32_t AcyclicSolver::Core::level_to_go_back_to(std::uint32_t jump) const {
  return level() - jump > options_.longest_jump ? level() - 1 : jump;
}

/// In a clause whose literals are all false, lets the two of the highest levels be watched: they
/// are the first to be open again.
std::span<const std::uint32_t> AcyclicSolver::Core::watch_highest_levels(ClauseRef clause) {
  const std::span<std::uint32_t> codes = clauses_.codes(clause);
  for (const std::size_t place : {0, 1}) {
    const auto highest = std::max_element(codes.begin() + static_cast<std::ptrdiff_t>(place),
                                          codes.end(), [&](std::uint32_t a, std::uint32_t b) {
                                            return level_of(SatLiteral::from_code(a)) <
                                                   level_of(SatLiteral::from_code(b));
                                          });
    const auto found = static_cast<std::size_t>(highest - codes.begin());
    if (found > 1) {
      std::erase_if(watches_[codes[place]],
                    [&](const Watch& watch) { return watch.clause == clause; });
      watches_[codes[found]].push_back({clause, SatLiteral::from_code(codes[1 - place])});
    }
    std::swap(codes[place], codes[found]);
  }
  return codes;
}

/// Resolves the conflict with the reasons of its literals, newest first, until only one literal of
/// the present level is left (the first unique implication point). It comes first in new_clause_.
void AcyclicSolver::Core::derive_learned() {
  new_clause_.assign(1, SatLiteral());
  open_paths_ = 0;
  if (conflict_.clause != no_clause) {
    clauses_.set_used(conflict_.clause);
  }
  for (const SatLiteral literal : conflict_.literals) {
    visit_for_analysis(literal);
  }
  ISOSCOPE_ENSURE(open_paths_ > 0);
  for (std::size_t place = trail_.size();;) {
    do {
      --place;
    } while (marks_[trail_[place].variable()] == Mark::none || level_of(trail_[place]) < level());
    const SatLiteral literal = trail_[place];
    if (--open_paths_ == 0) {
      new_clause_.front() = !literal;
      return;
    }
    marks_[literal.variable()] = Mark::none;
    const ClauseRef reason = variables_[literal.variable()].reason;
    clauses_.set_used(reason);
    for (const std::uint32_t code : clauses_.codes(reason)) {
      if (code != literal.code()) {
        visit_for_analysis(SatLiteral::from_code(code));
      }
    }
  }
}

void AcyclicSolver::Core::visit_for_analysis(SatLiteral literal) {
  const std::uint32_t variable = literal.variable();
  if (marks_[variable] != Mark::none || level_of(literal) == 0) {
    return;
  }
  set_mark(variable, Mark::in_clause);
  heap_.bump(variable);
  if (level_of(literal) == level()) {
    ++open_paths_;
  } else {
    new_clause_.push_back(literal);
  }
}

/// Drops literals whose falsity follows from that of the others (Sörensson and Biere, Minimizing
/// learned clauses, SAT 2009).
void AcyclicSolver::Core::minimise() {
  stamp_levels();
  const auto follows = [&](SatLiteral literal) {
    const ClauseRef reason = variables_[literal.variable()].reason;
    if (reason == no_clause) {
      return false;
    }
    for (const std::uint32_t code : clauses_.codes(reason)) {
      if (code != (!literal).code() && !is_implied(SatLiteral::from_code(code), 1)) {
        return false;
      }
    }
    return true;
  };
  new_clause_.erase(std::remove_if(new_clause_.begin() + 1, new_clause_.end(), follows),
                    new_clause_.end());
}

/// Whether a false literal is false because literals of the clause are. A literal of a level that
/// the clause does not have cannot be.
bool AcyclicSolver::Core::is_implied(SatLiteral literal, unsigned depth) {
  const std::uint32_t variable = literal.variable();
  const Mark mark = marks_[variable];
  if (level_of(literal) == 0 || mark == Mark::in_clause || mark == Mark::implied) {
    return true;
  }
  const ClauseRef reason = variables_[variable].reason;
  if (mark == Mark::not_implied || reason == no_clause || depth > deepest_implication ||
      level_stamps_[level_of(literal)] != stamp_) {
    return false;
  }
  for (const std::uint32_t code : clauses_.codes(reason)) {
    if (code != (!literal).code() && !is_implied(SatLiteral::from_code(code), depth + 1)) {
      set_mark(variable, Mark::not_implied);
      return false;
    }
  }
  set_mark(variable, Mark::implied);
  return true;
}

void AcyclicSolver::Core::set_mark(std::uint32_t variable, Mark mark) {
  marks_[variable] = mark;
  marked_.push_back(variable);
}

void AcyclicSolver::Core::forget_marks() {
  for (const std::uint32_t variable : marked_) {
    marks_[variable] = Mark::none;
  }
  marked_.clear();
}

/// Stamps the levels that occur in new_clause_, and counts them.
std::uint32_t AcyclicSolver::Core::stamp_levels() {
  ++stamp_;
  std::uint32_t count = 0;
  for (const SatLiteral literal : new_clause_) {
    if (std::exchange(level_stamps_[level_of(literal)], stamp_) != stamp_) {
      ++count;
    }
  }
  return count;
}

}  // namespace isoscope
