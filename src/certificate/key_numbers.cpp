#include <algorithm>

#include "certificate/key_order.h"
#include "isoscope/base/contract.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope {

bool key_before(const History& history, KeyId a, KeyId b) {
  const std::string_view table_a = history.table_name(history.key_table(a));
  const std::string_view table_b = history.table_name(history.key_table(b));
  if (table_a != table_b) return table_a < table_b;
  const ValuePool& values = history.values();
  const ValueId name_a = history.key_name(a);
  const ValueId name_b = history.key_name(b);
  if (values.kind(name_a) != values.kind(name_b)) return values.kind(name_a) < values.kind(name_b);
  if (values.kind(name_a) == ValueKind::integer) {
    return values.integer_of(name_a) < values.integer_of(name_b);
  }
  return values.string_of(name_a) < values.string_of(name_b);
}

void KeyNumbers::count() const {
  if (!numbers_.empty()) return;
  numbers_.assign(history_.key_count(), 0);
  const auto add = [&](KeyId key) {
    if (numbers_[key.index()] != 0) return;
    keys_.push_back(key);
    numbers_[key.index()] = static_cast<std::uint32_t>(keys_.size());
  };
  for (const TransactionId t : history_.transactions()) {
    for (const Operation& operation : history_.operations(t)) {
      if (!operation.is_predicate()) {
        add(operation.key());
        continue;
      }
      for (const RowVersion& row : history_.predicate_access(operation).rows) add(row.key);
    }
  }
  std::vector<KeyId> others;
  for (const KeyId key : history_.keys()) {
    if (numbers_[key.index()] == 0) others.push_back(key);
  }
  std::ranges::sort(others, [&](KeyId a, KeyId b) { return key_before(history_, a, b); });
  ISOSCOPE_ENSURE(keys_.size() + others.size() == history_.key_count());
  for (const KeyId key : others) add(key);
  ISOSCOPE_ENSURE(keys_.size() == numbers_.size());
}

}  // namespace isoscope
