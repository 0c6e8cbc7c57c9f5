#include "verifier/writes.h"

#include <algorithm>
#include <utility>

namespace isoscope::verifier {

std::vector<KeyUse> key_uses(const History& history) {
  enum Flag : std::uint8_t { appended = 1, written = 2, listed = 4 };
  std::vector<std::uint8_t> flags(history.key_count(), 0);
  const auto add = [&](KeyId key, Flag flag) { flags[key.index()] |= flag; };
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      if (operation.kind() == OperationKind::predicate_write) {
        for (const RowVersion& row : history.predicate_access(operation).rows) {
          add(row.key, written);
        }
      } else if (operation.kind() == OperationKind::list_read) {
        add(operation.key(), listed);
      } else if (operation.is_item_write()) {
        add(operation.key(), operation.kind() == OperationKind::append ? appended : written);
      }
    }
  }
  std::vector<KeyUse> uses;
  for (const std::uint8_t its : flags) {
    const bool is_list = (its & appended) != 0 || its == listed;
    uses.push_back(!is_list ? KeyUse::reg : (its & written) != 0 ? KeyUse::both : KeyUse::list);
  }
  return uses;
}

ValueId list_value(const History& history, KeyId key, ValueId value) {
  if (history.values().kind(value) == ValueKind::list) return value;
  const bool empty = value == ValuePool::nil || value == history.initial_value(key);
  return empty ? ValuePool::empty_list : value;
}

bool take_end(const ValuePool& values, ValueId& list, std::span<const ValueId> end) {
  for (; !end.empty(); end = end.first(end.size() - 1)) {
    if (values.kind(list) != ValueKind::list || list == ValuePool::empty_list) return false;
    if (values.list_last(list) != end.back()) return false;
    list = values.list_prefix(list);
  }
  return true;
}

Writes::Writes(const History& history)
    : uses_(key_uses(history)), starts_{0}, repeats_(history.key_count(), false) {
  for (const TransactionId t : history.transactions()) {
    const std::size_t first = writes_.size();
    if (history.outcome(t) != Outcome::aborted) {
      for (const Operation& operation : history.operations(t)) {
        if (operation.is_item_write()) {
          writes_.push_back({operation.key(), register_value(operation.value()), 1});
        }
        if (operation.kind() != OperationKind::predicate_write) continue;
        for (const RowVersion& row : history.predicate_access(operation).rows) {
          writes_.push_back({row.key, register_value(row.value), 1});
        }
      }
    }
    // Only the last of each key's writes, in their order, stays.
    std::stable_sort(writes_.begin() + static_cast<std::ptrdiff_t>(first), writes_.end(),
                     [](const Write& a, const Write& b) { return a.key < b.key; });
    std::size_t kept = first;
    for (std::size_t i = first; i < writes_.size(); ++i) {
      const Write& write = writes_[i];
      const bool same_key = kept > first && writes_[kept - 1].key == write.key;
      const std::uint32_t before = same_key ? writes_[kept - 1].appends : 0;
      if (use(write.key) == KeyUse::list) origins_.push_back({write.key, write.value, t, before});
      const Write whole = {write.key, write.value, before + 1};
      if (!same_key) ++kept;
      writes_[kept - 1] = whole;
    }
    writes_.resize(kept);
    for (std::size_t i = first; i < kept; ++i) {
      if (use(writes_[i].key) != KeyUse::list) {
        origins_.push_back({writes_[i].key, writes_[i].value, t, 0});
      }
    }
    starts_.push_back(writes_.size());
  }
  ISOSCOPE_ENSURE(starts_.size() == history.transaction_count() + 1);
  std::ranges::sort(origins_);
  for (std::size_t i = 0; i < origins_.size(); ++i) {
    const Origin& origin = origins_[i];
    const bool again =
        i > 0 && origins_[i - 1].key == origin.key && origins_[i - 1].value == origin.value;
    // An element that was not reported may be equal to one that is there.
    if (again || origin.value == ValuePool::unreported) repeats_[origin.key.index()] = true;
  }
}

const Writes::Write* Writes::find(TransactionId t, KeyId key) const {
  const std::span<const Write> writes = of(t);
  const auto at = std::ranges::lower_bound(writes, key, {}, &Write::key);
  return at != writes.end() && at->key == key ? &*at : nullptr;
}

bool Writes::share_key(TransactionId t, TransactionId u) const {
  if (of(t).size() > of(u).size()) std::swap(t, u);
  return std::ranges::any_of(of(t), [&](const Write& write) {
    return use(write.key) != KeyUse::both && find(u, write.key) != nullptr;
  });
}

bool Writes::share_key_before(TransactionId t, const History& history,
                              std::span<const Operation> operations) const {
  const auto is_written = [&](KeyId key) {
    return use(key) != KeyUse::both && find(t, key) != nullptr;
  };
  return std::ranges::any_of(operations, [&](const Operation& operation) {
    if (operation.is_item_write()) return is_written(operation.key());
    if (operation.kind() != OperationKind::predicate_write) return false;
    return std::ranges::any_of(history.predicate_access(operation).rows, is_written,
                               &RowVersion::key);
  });
}

std::span<const Writes::Origin> Writes::origins(KeyId key, ValueId value) const {
  const auto of = [](const Origin& origin) { return std::pair(origin.key, origin.value); };
  const auto range = std::ranges::equal_range(origins_, std::pair(key, value), {}, of);
  return {range.begin(), range.end()};
}

std::span<const Writes::Origin> Writes::origins(KeyId key) const {
  const auto range = std::ranges::equal_range(origins_, key, {}, &Origin::key);
  return {range.begin(), range.end()};
}

}  // namespace isoscope::verifier
