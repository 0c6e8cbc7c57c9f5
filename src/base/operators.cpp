#include "isoscope/base/operators.h"

#include <algorithm>

#include "isoscope/base/words.h"

namespace isoscope {

static_assert(std::ranges::all_of(operators, [](const Operator& one) {
  return &one == &operator_of(one.kind);
}));

const Operator* find_operator(const Token& token) {
  const auto found =
      std::ranges::find_if(operators, [&](const Operator& one) { return token.is(one.sign); });
  return found == operators.end() ? nullptr : &*found;
}

std::string BoundText::at_least(Binding needed) const {
  return binding < needed ? "(" + text + ")" : text;
}

BoundText chain_text(Operator::Kind kind, const std::vector<BoundText>& parts) {
  if (parts.empty()) return {kind == Operator::Kind::conjunction ? "true" : "false"};
  if (parts.size() == 1) return parts[0];
  const Operator& sign = operator_of(kind);
  const auto part = [&](const BoundText& one) { return one.at_least(tighter_than(sign.binding)); };
  return {joined(parts, part, " " + std::string(sign.sign) + " "), sign.binding};
}

BoundText implication_text(const BoundText& left, const BoundText& right, bool is_quantifier) {
  return {left.at_least(tighter_than(Binding::implication)) + " => " +
              right.at_least(is_quantifier ? loosest_binding : Binding::implication),
          Binding::implication};
}

BoundText equivalence_text(const BoundText& left, const BoundText& right) {
  const Binding needed = tighter_than(Binding::implication);
  return {left.at_least(needed) + " <=> " + right.at_least(needed), Binding::equivalence};
}

}  // namespace isoscope
