#include "shrink/write_index.h"

#include <algorithm>
#include <tuple>

namespace isoscope::shrinking {

WriteIndex::WriteIndex(const History& history)
    : flags_(history.key_count(), 0), unreported_(history.table_count()) {
  std::vector<std::size_t> last(history.key_count(), SIZE_MAX);
  const auto add = [&](KeyId key, ValueId value, TransactionId t, std::size_t place, bool append) {
    std::size_t& latest = last[key.index()];
    if (latest != SIZE_MAX && writes_[latest].transaction == t) writes_[latest].is_final = false;
    latest = writes_.size();
    flags_[key.index()] |= append ? appended : written;
    writes_.push_back({.key = key,
                       .value = append ? value : without_empty_list(value),
                       .transaction = t,
                       .place = static_cast<std::uint32_t>(place),
                       .is_append = append,
                       .is_final = true,
                       .may_count = history.outcome(t) != Outcome::aborted});
  };
  for (const TransactionId t : history.transactions()) {
    const auto operations = history.operations(t);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const Operation& operation = operations[i];
      if (operation.is_item_write()) {
        add(operation.key(), operation.value(), t, i, operation.kind() == OperationKind::append);
      } else if (operation.kind() == OperationKind::list_read) {
        flags_[operation.key().index()] |= list_read;
      } else if (operation.kind() == OperationKind::predicate_write) {
        const PredicateAccess access = history.predicate_access(operation);
        for (const RowVersion& row : access.rows) add(row.key, row.value, t, i, false);
        if (!access.reported) {
          unreported_[access.table.index()].push_back({t, static_cast<std::uint32_t>(i), {}});
        }
      }
    }
  }
  std::ranges::sort(writes_, {}, [](const Write& write) {
    return std::tuple(write.key, write.value, write.transaction, write.place);
  });
  starts_.assign(history.key_count() + 1, 0);
  for (const Write& write : writes_) ++starts_[write.key.index() + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

std::span<const WriteIndex::Write> WriteIndex::of(KeyId key, ValueId value) const {
  const auto found = std::ranges::equal_range(of(key), value, {}, &Write::value);
  return {found.begin(), found.end()};
}

KeyUse WriteIndex::use(KeyId key) const {
  const std::uint8_t flags = flags_[key.index()];
  const bool is_written = (flags & written) != 0;
  if ((flags & (appended | list_read)) == 0) return KeyUse::reg;
  return is_written ? KeyUse::both : KeyUse::list;
}

}  // namespace isoscope::shrinking
