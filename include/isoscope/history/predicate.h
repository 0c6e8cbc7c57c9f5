#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isoscope/history/value.h"

namespace isoscope {

struct PredicateTag;
using PredicateId = Id<PredicateTag>;

/// A constant in a predicate: nil (SQL's NULL), an integer or a string.
using Constant = std::variant<std::monostate, std::int64_t, std::string>;

/// SQL's three truth values.
enum class Truth : std::uint8_t { no, unknown, yes };

/// A condition on one row of a table, as in a WHERE clause.
///
/// What it looks at is an operand: a column by name, "@value" for a value that is no row, or "@key"
/// for the row's key. A column the row does not have is NULL. Comparisons follow SQL: with NULL, or
/// between an integer and a string, the answer is unknown; strings compare bytewise; a row is
/// selected only when the whole predicate is yes.
///
///   and(v1 >= 10, not(v2 is null))     {"kind": conjunction, children: [...]}
struct Predicate {
  enum class Kind : std::uint8_t {
    always,         ///< true
    equal,          ///< operand = constants[0]
    not_equal,      ///< operand <> constants[0]
    less,           ///< operand < constants[0]
    less_equal,     ///< operand <= constants[0]
    greater,        ///< operand > constants[0]
    greater_equal,  ///< operand >= constants[0]
    between,        ///< constants[0] <= operand <= constants[1]
    in,             ///< operand is one of the constants; none: no
    is_null,        ///< operand is NULL; never unknown
    prefix,         ///< operand is a string that starts with constants[0]: LIKE 'ab%'
    modulo,         ///< operand mod constants[0] = constants[1], as a floored division leaves it
    conjunction,    ///< all children; none: yes
    disjunction,    ///< some child; none: no
    negation,       ///< not children[0]
  };

  Kind kind = Kind::always;
  std::string operand;
  std::vector<Constant> constants;
  std::vector<Predicate> children;

  static constexpr const char* key_operand = "@key";
  static constexpr const char* value_operand = "@value";

  bool operator==(const Predicate&) const = default;
};

/// What an operand means on the row (key, value): the key, the value if it is no row, or the column
/// of that name. nil if there is none.
ValueId operand_value(std::string_view operand, const ValuePool& values, ValueId key,
                      ValueId value);

/// The predicate's truth on the row (key, value). A value of nil is no row: the answer is then
/// `no`. `key` must be an integer or a string.
Truth evaluate(const Predicate& predicate, const ValuePool& values, ValueId key, ValueId value);

}  // namespace isoscope
