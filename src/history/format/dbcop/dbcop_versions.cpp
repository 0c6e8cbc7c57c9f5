#include "history/format/dbcop/dbcop_versions.h"

#include <vector>

namespace isoscope::format {

History DbcopVersions::finish() && {
  const ValueId zero = values().integer(0);
  std::vector<bool> writes_zero;  // by key
  for (const OperationBuffer::Entry& entry : buffer_.entries()) {
    if (entry.kind != OperationKind::write || entry.value != zero) continue;
    if (entry.key.index() >= writes_zero.size()) writes_zero.resize(entry.key.index() + 1);
    writes_zero[entry.key.index()] = true;
  }
  for (OperationBuffer::Entry& entry : buffer_.entries()) {
    if (entry.kind != OperationKind::read || entry.value != zero) continue;
    const bool written = entry.key.index() < writes_zero.size() && writes_zero[entry.key.index()];
    if (!written) entry.value = ValuePool::nil;
  }
  buffer_.move_to_builder();
  return std::move(builder_).finish();
}

}  // namespace isoscope::format
