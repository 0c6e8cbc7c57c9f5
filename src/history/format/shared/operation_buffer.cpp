#include "history/format/shared/operation_buffer.h"

#include <algorithm>

namespace isoscope::format {

void OperationBuffer::group_by_transaction() {
  if (std::ranges::is_sorted(entries_, {}, &Entry::transaction)) return;
  std::vector<std::size_t> next(transactions_.size() + 1, 0);
  for (const Entry& entry : entries_) ++next[entry.transaction + 1];
  for (std::size_t t = 1; t < next.size(); ++t) next[t] += next[t - 1];
  std::vector<Entry> grouped(entries_.size());
  for (const Entry& entry : entries_) grouped[next[entry.transaction]++] = entry;
  entries_ = std::move(grouped);
}

void OperationBuffer::move_to_builder() {
  group_by_transaction();
  auto entry = entries_.begin();
  for (std::size_t t = 0; t < transactions_.size(); ++t) {
    const Transaction& transaction = transactions_[t];
    if (!transaction.left_out) {
      builder_.begin_transaction(transaction.session, transaction.name);
      builder_.set_outcome(transaction.outcome);
    }
    for (; entry != entries_.end() && entry->transaction == t; ++entry) {
      if (!transaction.left_out) builder_.add(entry->kind, entry->key, entry->value);
    }
  }
  entries_.clear();
  transactions_.clear();
}

}  // namespace isoscope::format
