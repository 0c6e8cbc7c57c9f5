#pragma once

#include <cstddef>
#include <cstdint>

#include "isoscope/base/open_table.h"
#include "isoscope/history/value.h"

namespace isoscope {

/// A hash map from values to `T` that is filled and emptied once per key of a history. It must be
/// reset() before it is used.
template <class T>
class ValueTable {
 public:
  /// Empty, with room for `expected` values before it has to grow.
  void reset(std::size_t expected) { table_.reset(expected); }

  T* find(ValueId value) { return table_.find(value.value + 1); }

  /// The value's entry, made from `T{}` on first use; valid until the next call.
  T& operator[](ValueId value) { return table_[value.value + 1]; }

 private:
  OpenTable<std::uint32_t, 0, T> table_;  // by the value's number, plus one
};

}  // namespace isoscope
