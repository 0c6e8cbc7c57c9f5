#include "history/format/dbcop/dbcop_versions.h"

#include <vector>

namespace isoscope::format {

History DbcopVersions::finish() && {
  const ValueId zero = values().integer(0);
  std::vector<bool> writes_zero;  // by key
  for (const Operation& operation : buffer_.operations()) {
    if (operation.kind() != OperationKind::write || operation.value() != zero) continue;
    const std::size_t key = operation.key().index();
    if (key >= writes_zero.size()) writes_zero.resize(key + 1);
    writes_zero[key] = true;
  }
  for (Operation& operation : buffer_.operations()) {
    if (operation.kind() != OperationKind::read || operation.value() != zero) continue;
    const std::size_t key = operation.key().index();
    const bool written = key < writes_zero.size() && writes_zero[key];
    if (written) continue;
    operation = Operation::item(OperationKind::read, operation.key(), ValuePool::nil);
  }
  buffer_.move_to_builder();
  return std::move(builder_).finish();
}

}  // namespace isoscope::format
