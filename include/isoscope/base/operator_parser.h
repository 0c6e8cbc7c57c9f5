#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isoscope/base/operators.h"
#include "isoscope/base/token_reader.h"

namespace isoscope {

/// An expression of either language that begins with this token and has nothing else yet.
template <class Expr>
Expr node_at(typename Expr::Kind kind, const Token& token) {
  Expr result;
  result.kind = kind;
  result.where = token.where;
  result.sign = token.where;
  return result;
}

/// A parser by recursive descent whose operators come from the table (operators.h), by precedence
/// climbing. `Language` is the parser that is derived from this; it has
///   Result<Tree> operand();      what stands between operators
///   Result<Tree> right_operand(const Operator& sign);
///                                what stands behind this one: usually binary(right_of(sign))
///   Result<Tree> join(const Operator& sign, Position where, std::vector<Tree> operands);
template <class Language, class Tree>
class OperatorParser : protected TokenReader {
 protected:
  using TokenReader::TokenReader;

  /// Operands and operators, none of which binds looser than that.
  Result<Tree> binary(Binding loosest) {
    if (nesting_ >= max_nesting) return too_deep(peek().where);
    ++nesting_;
    ISOSCOPE_TRY(left, language().operand());
    bool compared = false;
    while (const Operator* next = find_operator(peek())) {
      if (next->binding < loosest) break;
      const Token sign = take();
      if (next->chain == Chain::never && std::exchange(compared, true)) {
        return error_at(sign.where, "comparisons cannot be chained: `a " + std::string(sign.text) +
                                        " b and b " + std::string(sign.text) + " c`");
      }
      std::vector<Tree> operands;
      operands.push_back(std::move(left));
      do {
        ISOSCOPE_TRY(right, language().right_operand(*next));
        operands.push_back(std::move(right));
      } while (next->chain == Chain::many && take_if(next->sign));
      ISOSCOPE_TRY(joined, language().join(*next, sign.where, std::move(operands)));
      left = std::move(joined);
    }
    --nesting_;
    return left;
  }

  /// How loose the right operand may be.
  static Binding right_of(const Operator& sign) {
    return sign.chain == Chain::right ? sign.binding : tighter_than(sign.binding);
  }

  Error too_deep(Position where) const {
    return error_at(where, "this is nested more than " + std::to_string(max_nesting) +
                               " deep; a def with a name can shorten it");
  }

  unsigned nesting_ = 0;

 private:
  Language& language() { return static_cast<Language&>(*this); }
};

}  // namespace isoscope
