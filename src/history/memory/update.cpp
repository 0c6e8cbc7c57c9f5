#include "isoscope/history/update.h"

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

/// The integer before; nothing if it has more than 64 bits.
std::optional<std::int64_t> before_addition(const Update& update, const ValuePool& values) {
  std::int64_t before = 0;
  const bool overflows = __builtin_sub_overflow(values.integer_of(update.seen),
                                                values.integer_of(update.argument), &before);
  return overflows ? std::nullopt : std::optional(before);
}

/// By content: parts of a history that is being read have equal values with different ids.
bool are_equal(const ValuePool& values, ValueId a, ValueId b) {
  if (a == b) return true;
  if (values.kind(a) != values.kind(b)) return false;
  switch (values.kind(a)) {
    case ValueKind::integer:
      return values.integer_of(a) == values.integer_of(b);
    case ValueKind::string:
      return values.string_of(a) == values.string_of(b);
    case ValueKind::row: {
      const RowColumns first = values.row_of(a);
      const RowColumns second = values.row_of(b);
      bool same = first.size() == second.size();
      for (std::size_t i = 0; same && i < first.size(); ++i) {
        same = are_equal(values, first[i].name, second[i].name) &&
               are_equal(values, first[i].value, second[i].value);
      }
      return same;
    }
    default:
      return false;
  }
}

}  // namespace

std::string_view word_of(Update::Function function) {
  switch (function) {
    case Update::Function::add:
      return "add";
    case Update::Function::compare_and_set:
      return "cas";
    case Update::Function::swap:
      return "swap";
  }
  return "";
}

std::optional<Update::Function> find_update_function(std::string_view word) {
  for (const auto function :
       {Update::Function::add, Update::Function::compare_and_set, Update::Function::swap}) {
    if (word == word_of(function)) return function;
  }
  return std::nullopt;
}

std::string contradiction_in(const Update& update, const ValuePool& values) {
  const bool has_value = update.learned == Update::Learned::value;
  if (update.function == Update::Function::add) {
    const auto is_integer = [&](ValueId id) { return values.kind(id) == ValueKind::integer; };
    if (!is_integer(update.argument) || (has_value && !is_integer(update.seen))) {
      return "expected integers in an addition, found something else";
    }
    if (has_value && !before_addition(update, values)) {
      return "expected a sum that differs from the amount by 64 bits at most, found one that does "
             "not";
    }
  }
  if (update.is_refused() && has_value && are_equal(values, update.seen, update.argument)) {
    return "expected a refused compare-and-set to have seen something else than it asked for, "
           "found the same";
  }
  return {};
}

ValueId base_of(const Update& update, ValuePool& values) {
  ISOSCOPE_REQUIRE(update.has_read() && contradiction_in(update, values).empty());
  switch (update.learned) {
    case Update::Learned::done:
      return update.argument;
    case Update::Learned::refused:
      return ValuePool::unreported;
    case Update::Learned::value:
      break;
    case Update::Learned::nothing:
      return ValuePool::unreported;
  }
  if (update.function != Update::Function::add) return update.seen;
  return values.integer(*before_addition(update, values));
}

}  // namespace isoscope
