#include "report/reads.h"

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
