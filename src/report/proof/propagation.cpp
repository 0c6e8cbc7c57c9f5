#include "report/proof/propagation.h"

#include <algorithm>

namespace isoscope::report {

Propagation::Propagation(const ProofClauses& proof)
    : proof_(proof),
      steps_with_(proof.statement_count() * 2),
      true_(proof.statement_count() * 2, false),
      reason_(proof.statement_count(), none),
      place_(proof.statement_count(), none) {
  for (std::uint32_t step = 0; step < proof.step_count(); ++step) {
    if (proof.is_lemma(step)) continue;
    for (const Literal literal : proof.clause(step)) steps_with_[literal].push_back(step);
  }
  for (std::uint32_t step = 0; step < proof.step_count() && !conflict_; ++step) {
    if (!proof.is_lemma(step)) look_at(step);
  }
  propagate();
}

void Propagation::set(Literal literal, std::uint32_t reason) {
  true_[literal] = true;
  reason_[literal >> 1] = reason;
  place_[literal >> 1] = static_cast<std::uint32_t>(trail_.size());
  trail_.push_back(literal);
}

void Propagation::look_at(std::uint32_t step) {
  std::optional<Literal> left;
  for (const Literal literal : proof_.clause(step)) {
    if (true_[literal]) return;
    if (true_[ProofClauses::negation(literal)]) continue;
    if (left) return;
    left = literal;
  }
  if (left) {
    set(*left, step);
  } else {
    conflict_ = step;
  }
}

void Propagation::propagate() {
  while (!conflict_ && propagated_ < trail_.size()) {
    const Literal now_false = ProofClauses::negation(trail_[propagated_++]);
    work_ += 1 + steps_with_[now_false].size();
    for (const std::uint32_t step : steps_with_[now_false]) {
      look_at(step);
      if (conflict_) return;
    }
  }
}

std::vector<Propagation::Literal> Propagation::premises(std::uint32_t step, Literal literal) const {
  std::vector<Literal> found;
  for (const Literal other : proof_.clause(step)) {
    if (other != literal) found.push_back(ProofClauses::negation(other));
  }
  return found;
}

std::vector<Propagation::Literal> Propagation::premises(Literal literal) const {
  const std::uint32_t step = reason(literal);
  return step == none ? std::vector<Literal>() : premises(step, literal);
}

std::vector<Propagation::Literal> Propagation::conflict_premises() const {
  return premises(*conflict_, none);
}

bool Propagation::suppose(Literal literal) {
  suppositions_.push_back(trail_.size());
  set(literal, none);
  propagate();
  return !conflict_;
}

void Propagation::take_back() {
  const std::size_t size = suppositions_.back();
  suppositions_.pop_back();
  for (std::size_t i = size; i < trail_.size(); ++i) true_[trail_[i]] = false;
  trail_.resize(size);
  propagated_ = size;
  conflict_.reset();
}

std::vector<Propagation::Literal> Propagation::suppositions_behind(
    const std::vector<Literal>& literals) const {
  std::vector<Literal> found;
  std::vector<bool> needed(trail_.size(), false);
  for (const Literal literal : literals) needed[place(literal)] = true;
  for (std::size_t i = trail_.size(); i-- > 0;) {
    if (!needed[i]) continue;
    if (reason(trail_[i]) == none) found.push_back(trail_[i]);
    for (const Literal premise : premises(trail_[i])) needed[place(premise)] = true;
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace isoscope::report
