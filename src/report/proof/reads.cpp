#include "report/proof/reads.h"

#include <algorithm>

namespace isoscope::report {

KeyId Reads::key(ReadNumber read) const {
  if (read.key == 0) return operation(read).key();
  const std::optional<KeyId> key = keys_.key(read.key);
  ISOSCOPE_REQUIRE(key.has_value());
  return *key;
}

std::optional<ValueId> Reads::value(ReadNumber read) const {
  const Operation& its = operation(read);
  if (!its.is_predicate()) return its.value();
  return its.kind() == OperationKind::predicate_read ? row(read) : std::nullopt;
}

ValueId Reads::list(ReadNumber read) const {
  const ValuePool& values = history_.values();
  ValueId list = value(read).value_or(ValuePool::nil);
  if (values.kind(list) != ValueKind::list) return ValuePool::empty_list;
  std::size_t left = values.list_size(list);
  const KeyId its_key = key(read);
  const auto operations = history_.operations(TransactionId(read.transaction - 1));
  for (const Operation& one : operations.first(read.operation - 1)) {
    const bool own = one.kind() == OperationKind::append && one.key() == its_key;
    if (own && left > 0) --left;
  }
  if (read.elements != ReadNumber::whole) left = std::min<std::size_t>(left, read.elements);
  while (values.list_size(list) > left) list = values.list_prefix(list);
  return list;
}

const Predicate& Reads::predicate(ReadNumber read) const {
  return history_.predicate(history_.predicate_access(operation(read)).predicate);
}

std::optional<ValueId> Reads::row(ReadNumber read) const {
  std::optional<ValueId> found;
  const KeyId wanted = key(read);
  for (const RowVersion& row : history_.predicate_access(operation(read)).rows) {
    if (row.key == wanted) found = row.value;
  }
  return found;
}

bool Reads::may_have_seen(ReadNumber read, ValueId version) const {
  if (version == ValuePool::unreported) return true;
  const ValueId name = history_.key_name(key(read));
  const bool selected = evaluate(predicate(read), history_.values(), name, version) == Truth::yes;
  return selected == row(read).has_value();
}

}  // namespace isoscope::report
