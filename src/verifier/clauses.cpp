#include "verifier/clauses.h"

#include <algorithm>
#include <string>

#include "isoscope/base/contract.h"

namespace isoscope::verifier {

std::size_t Clauses::Hash::operator()(const ProofLiteral& literal) const {
  const auto event = [](Event e) { return std::uint64_t{e.transaction} << 1 | e.is_commit; };
  std::uint64_t hash = static_cast<std::uint64_t>(literal.kind);
  for (const std::uint64_t part :
       {event(literal.before), event(literal.after), std::uint64_t{literal.read.transaction},
        std::uint64_t{literal.read.operation}, std::uint64_t{literal.read.key},
        std::uint64_t{literal.read.elements}, std::uint64_t{literal.writer}}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return hash;
}

Clauses::Literal Clauses::number_of(ProofLiteral literal) {
  const bool negated =
      literal.kind == ProofLiteral::Kind::order ? literal.after < literal.before : literal.negated;
  if (negated) literal = !literal;
  const auto number = static_cast<std::uint32_t>(statements_.size());
  const auto [at, added] = statements_.emplace(literal, number);
  if (added) true_.resize(true_.size() + 2, false);
  ISOSCOPE_ENSURE(true_.size() == 2 * statements_.size());  // a literal and its negation
  return at->second << 1 | (negated ? 1 : 0);
}

/// The numbers are sorted, and none is there twice.
std::vector<Clauses::Literal> Clauses::numbers_of(std::span<const ProofLiteral> clause) {
  std::vector<Literal> numbers;
  for (const ProofLiteral& literal : clause) numbers.push_back(number_of(literal));
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Status Clauses::add(std::span<const ProofLiteral> clause) {
  ISOSCOPE_REQUIRE(!contradictory_);
  std::vector<Literal> left = numbers_of(clause);
  literals_.insert(literals_.end(), left.begin(), left.end());
  starts_.push_back(literals_.size());
  std::erase_if(left, [&](Literal one) { return is_false(one); });
  if (left.empty()) contradictory_ = true;
  if (left.size() == 1) true_[left.front()] = true;
  return Done{};
}

Status Clauses::add_lemma(std::span<const ProofLiteral> clause,
                          std::span<const std::uint32_t> hints) {
  ISOSCOPE_REQUIRE(!contradictory_);  // or everything would follow
  std::vector<Literal> assumed;
  bool holds_anyway = false;  // a literal is known, or there with its negation
  for (const Literal one : numbers_of(clause)) {
    if (is_true(one)) holds_anyway = true;
    if (is_true(one) || is_false(one)) continue;
    true_[negation(one)] = true;
    assumed.push_back(negation(one));
  }
  const Status status = holds_anyway ? Status(Done{}) : propagate(hints, assumed);
  for (const Literal one : assumed) true_[one] = false;
  return status ? add(clause) : status;
}

Status Clauses::propagate(std::span<const std::uint32_t> hints, std::vector<Literal>& assumed) {
  for (const std::uint32_t hint : hints) {
    const auto complain = [&](const char* what) {
      return Error{"the hint " + std::to_string(hint) + what};
    };
    if (hint == 0 || hint >= starts_.size()) return complain(" is no earlier step");
    const auto clause =
        std::span(literals_).subspan(starts_[hint - 1], starts_[hint] - starts_[hint - 1]);
    if (std::ranges::any_of(clause, [&](Literal one) { return is_true(one); })) continue;
    Literal left = 0;
    bool has_left = false;
    for (const Literal one : clause) {
      if (is_false(one)) continue;
      if (has_left) return complain(" leaves more than one literal open");
      left = one;
      has_left = true;
    }
    if (!has_left) return Done{};
    true_[left] = true;
    assumed.push_back(left);
  }
  return Error{"the hints lead to no contradiction"};
}

}  // namespace isoscope::verifier
