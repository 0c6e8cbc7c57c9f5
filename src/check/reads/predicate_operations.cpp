#include "check/reads/predicate_operations.h"

#include <algorithm>
#include <iterator>

namespace isoscope {

std::vector<PredicateOperation> predicate_operations(const History& history, TransactionId t) {
  std::vector<PredicateOperation> result;
  std::vector<KeyId> own;
  const std::span<const Operation> operations = history.operations(t);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (!operation.is_predicate()) {
      if (operation.is_item_write()) own.push_back(operation.key());
      continue;
    }
    const PredicateAccess access = history.predicate_access(operation);
    if (!access.reported) continue;
    const bool writes = operation.kind() == OperationKind::predicate_write;
    PredicateOperation its{i, access.table, access.predicate};
    std::ranges::sort(own);
    std::ranges::copy_if(own, std::back_inserter(its.excused),
                         [&](KeyId key) { return history.key_table(key) == access.table; });
    for (const RowVersion& row : access.rows) {
      its.excused.push_back(row.key);
      if (writes && !std::ranges::binary_search(own, row.key)) its.changed.push_back(row.key);
    }
    std::ranges::sort(its.excused);
    const auto again = std::ranges::unique(its.excused);
    its.excused.erase(again.begin(), again.end());
    result.push_back(std::move(its));
    if (!writes) continue;
    for (const RowVersion& row : access.rows) own.push_back(row.key);
  }
  return result;
}

}  // namespace isoscope
