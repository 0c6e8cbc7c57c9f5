#include "isoscope/history/predicate.h"

#include <algorithm>
#include <compare>
#include <optional>

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

using Kind = Predicate::Kind;

Truth truth(bool value) { return value ? Truth::yes : Truth::no; }

Truth negate(Truth value) {
  if (value == Truth::unknown) return value;
  return truth(value == Truth::no);
}

/// Nothing when one side is NULL or the types differ.
std::optional<std::strong_ordering> compare(const ValuePool& values, ValueId left,
                                            const Constant& right) {
  if (values.kind(left) == ValueKind::integer) {
    if (const auto* integer = std::get_if<std::int64_t>(&right))
      return values.integer_of(left) <=> *integer;
  } else if (values.kind(left) == ValueKind::string) {
    if (const auto* text = std::get_if<std::string>(&right)) {
      return values.string_of(left).compare(*text) <=> 0;
    }
  }
  return std::nullopt;
}

template <class Test>
Truth test_order(const ValuePool& values, ValueId left, const Constant& right, const Test& test) {
  const auto order = compare(values, left, right);
  return order ? truth(test(*order)) : Truth::unknown;
}

Truth is_one_of(const ValuePool& values, ValueId left, const std::vector<Constant>& constants) {
  // x IN (a, b) is x = a OR x = b, so one unknown comparison makes a "no" unknown.
  Truth result = Truth::no;
  for (const Constant& constant : constants) {
    result = std::max(result, test_order(values, left, constant, [](auto o) { return o == 0; }));
  }
  return result;
}

std::int64_t floored_modulo(std::int64_t value, std::int64_t modulus) {
  const std::int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

Truth evaluate_on_row(const Predicate& predicate, const ValuePool& values, ValueId key,
                      ValueId value) {
  const auto operand = [&] { return operand_value(predicate.operand, values, key, value); };
  const auto against = [&](std::size_t constant, auto test) {
    return test_order(values, operand(), predicate.constants[constant], test);
  };
  switch (predicate.kind) {
    case Kind::always:
      return Truth::yes;
    case Kind::equal:
      return against(0, [](auto o) { return o == 0; });
    case Kind::not_equal:
      return against(0, [](auto o) { return o != 0; });
    case Kind::less:
      return against(0, [](auto o) { return o < 0; });
    case Kind::less_equal:
      return against(0, [](auto o) { return o <= 0; });
    case Kind::greater:
      return against(0, [](auto o) { return o > 0; });
    case Kind::greater_equal:
      return against(0, [](auto o) { return o >= 0; });
    case Kind::between:
      return std::min(against(0, [](auto o) { return o >= 0; }),
                      against(1, [](auto o) { return o <= 0; }));
    case Kind::in:
      return is_one_of(values, operand(), predicate.constants);
    case Kind::is_null:
      return truth(operand() == ValuePool::nil);
    case Kind::prefix: {
      const ValueId text = operand();
      if (values.kind(text) != ValueKind::string) return Truth::unknown;
      return truth(
          values.string_of(text).starts_with(std::get<std::string>(predicate.constants[0])));
    }
    case Kind::modulo: {
      const ValueId number = operand();
      if (values.kind(number) != ValueKind::integer) return Truth::unknown;
      const auto modulus = std::get<std::int64_t>(predicate.constants[0]);
      return truth(floored_modulo(values.integer_of(number), modulus) ==
                   std::get<std::int64_t>(predicate.constants[1]));
    }
    case Kind::conjunction: {
      Truth result = Truth::yes;
      for (const Predicate& child : predicate.children) {
        result = std::min(result, evaluate_on_row(child, values, key, value));
      }
      return result;
    }
    case Kind::disjunction: {
      Truth result = Truth::no;
      for (const Predicate& child : predicate.children) {
        result = std::max(result, evaluate_on_row(child, values, key, value));
      }
      return result;
    }
    case Kind::negation:
      return negate(evaluate_on_row(predicate.children[0], values, key, value));
  }
  ISOSCOPE_ENSURE(false);
  return Truth::unknown;
}

}  // namespace

ValueId operand_value(std::string_view operand, const ValuePool& values, ValueId key,
                      ValueId value) {
  if (operand == Predicate::key_operand) return key;
  if (operand == Predicate::value_operand) return values.is_scalar(value) ? value : ValuePool::nil;
  if (values.kind(value) != ValueKind::row) return ValuePool::nil;
  for (const Column& column : values.row_of(value)) {
    if (values.string_of(column.name) == operand) return column.value;
  }
  return ValuePool::nil;
}

Truth evaluate(const Predicate& predicate, const ValuePool& values, ValueId key, ValueId value) {
  if (value == ValuePool::nil) return Truth::no;
  return evaluate_on_row(predicate, values, key, value);
}

}  // namespace isoscope
