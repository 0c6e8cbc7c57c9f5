#pragma once

#include <optional>

#include "check/reads/accesses.h"

// What a value means to the key that holds it, and to predicates.
//
//   initial 5 | T1 a(l,1) | T2 w(x,1)       l holds lists: its 5 is the empty list, so no row;
//                                           x is a register: its 5 is a row that @value = 5 selects

namespace isoscope {

/// The value of a key that holds lists, as a list: nil is the empty one, and so is the key's
/// initial value if it is none. Nothing for what is no version of a list.
inline std::optional<ValueId> list_value(const History& history, KeyId key, ValueId value) {
  if (history.values().kind(value) == ValueKind::list) return value;
  if (value == ValuePool::nil || value == history.initial_value(key)) return ValuePool::empty_list;
  return std::nullopt;
}

/// What predicates see of every list but the empty one: they do not look inside.
inline constexpr ValueId some_list = ValuePool::empty_list;

/// What a predicate sees of the key's value; nil if that is no row. What is no version of the key
/// is seen as it is.
inline ValueId seen_row(const History& history, KeyUse use, KeyId key, ValueId value) {
  if (use != KeyUse::list) return register_value(value);
  const std::optional<ValueId> list = list_value(history, key, value);
  if (!list) return value;
  return *list == ValuePool::empty_list ? ValuePool::nil : some_list;
}

/// The same before any transaction.
inline ValueId initial_row(const History& history, KeyUse use, KeyId key) {
  const std::optional<ValueId> initial = history.initial_value(key);
  return initial ? seen_row(history, use, key, *initial) : ValuePool::nil;
}

}  // namespace isoscope
