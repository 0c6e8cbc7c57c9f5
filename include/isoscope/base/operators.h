#pragma once

// The operators of the project's two languages, level texts and protocols. Parsers and printers
// take from this table how tight each one binds, so that what is printed reads back as what it was.
// A language has those operators whose signs its lexer knows.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/tokens.h"

namespace isoscope {

/// Expressions that are nested deeper are refused: what walks them is recursive.
inline constexpr unsigned max_nesting = 200;

/// How tight something holds together, looser things first.
enum class Binding : std::uint8_t {
  equivalence,
  implication,
  disjunction,
  conjunction,
  negation,
  comparison,
  unite,
  intersect,
  compose,
  restrict,
  product,
  postfix,
  primary,
};
inline constexpr Binding loosest_binding = Binding::equivalence;

constexpr Binding tighter_than(Binding binding) {
  return static_cast<Binding>(static_cast<std::uint8_t>(binding) + 1);
}

/// What several of the same operator in a row mean.
enum class Chain : std::uint8_t {
  left,   ///< a | b | c is (a | b) | c
  right,  ///< a => b => c is a => (b => c)
  many,   ///< a and b and c is one conjunction of three
  never,  ///< a = b = c is an error
};

struct Operator {
  enum class Kind : std::uint8_t {
    equivalence,
    implication,
    disjunction,
    conjunction,
    in,
    equal,
    differ,
    unite,
    intersect,
    subtract,
    compose,
    restrict_domain,
    restrict_range,
    product,
  };

  Kind kind;
  std::string_view sign;
  Binding binding;
  Chain chain = Chain::left;
};

/// One row per kind, in the order of the kinds.
inline constexpr std::array operators = {
    Operator{Operator::Kind::equivalence, "<=>", Binding::equivalence},
    Operator{Operator::Kind::implication, "=>", Binding::implication, Chain::right},
    Operator{Operator::Kind::disjunction, "or", Binding::disjunction, Chain::many},
    Operator{Operator::Kind::conjunction, "and", Binding::conjunction, Chain::many},
    Operator{Operator::Kind::in, "in", Binding::comparison, Chain::never},
    Operator{Operator::Kind::equal, "=", Binding::comparison, Chain::never},
    Operator{Operator::Kind::differ, "!=", Binding::comparison, Chain::never},
    Operator{Operator::Kind::unite, "|", Binding::unite},
    Operator{Operator::Kind::intersect, "&", Binding::intersect},
    Operator{Operator::Kind::subtract, "\\", Binding::intersect},
    Operator{Operator::Kind::compose, ";", Binding::compose},
    Operator{Operator::Kind::restrict_domain, "<:", Binding::restrict},
    Operator{Operator::Kind::restrict_range, ":>", Binding::restrict},
    Operator{Operator::Kind::product, "*", Binding::product},
};

constexpr const Operator& operator_of(Operator::Kind kind) {
  return operators[static_cast<std::size_t>(kind)];
}

/// Null: the token is none.
const Operator* find_operator(const Token& token);

/// A printed expression, and how tight it holds together.
struct BoundText {
  std::string text;
  Binding binding = Binding::primary;

  /// In brackets if it binds looser than that.
  std::string at_least(Binding needed) const;
};

/// "a and b and c": the parts of a chain of any length, `true` or `false` if there are none.
BoundText chain_text(Operator::Kind kind, const std::vector<BoundText>& parts);
/// "a => b". A quantifier that reaches to the end needs no brackets on the right side.
BoundText implication_text(const BoundText& left, const BoundText& right, bool is_quantifier);
/// "a <=> b", with more brackets than are needed.
BoundText equivalence_text(const BoundText& left, const BoundText& right);

}  // namespace isoscope
