#include "shrink/part.h"

#include <algorithm>
#include <iterator>

namespace isoscope::shrinking {

namespace {

/// Up to this product of predicate operations and keys of their tables, predicate operations are
/// taken to speak of every key.
constexpr std::size_t most_looks = 4'000'000;

std::vector<std::vector<KeyId>> keys_by_table(const History& history) {
  std::vector<std::vector<KeyId>> keys(history.table_count());
  for (const KeyId key : history.keys()) keys[history.key_table(key).index()].push_back(key);
  return keys;
}

std::vector<KeyId> keys_of(std::span<const RowVersion> rows) {
  std::vector<KeyId> keys;
  for (const RowVersion& row : rows) keys.push_back(row.key);
  std::ranges::sort(keys);
  const auto again = std::ranges::unique(keys);
  keys.erase(again.begin(), again.end());
  return keys;
}

bool has(const std::vector<KeyId>& sorted, KeyId key) {
  return std::ranges::binary_search(sorted, key);
}

}  // namespace

Part whole_part(const History& history) {
  const std::vector<std::vector<KeyId>> keys = keys_by_table(history);
  std::size_t looks = 0;
  for (const TransactionId t : history.transactions()) {
    for (const Operation& operation : history.operations(t)) {
      if (!operation.is_predicate()) continue;
      looks += keys[history.predicate_access(operation).table.index()].size();
    }
  }
  Part part;
  for (const TransactionId t : history.transactions()) {
    const bool reads_count = history.outcome(t) != Outcome::aborted;
    KeptTransaction kept{t, {}};
    const auto operations = history.operations(t);
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      KeptOperation one{.place = i};
      if (operations[i].is_predicate()) {
        const PredicateAccess access = history.predicate_access(operations[i]);
        const bool writes = operations[i].kind() == OperationKind::predicate_write;
        if (writes) one.written = keys_of(access.rows);
        if (reads_count && access.reported) {
          one.looked = looks <= most_looks ? keys[access.table.index()] : keys_of(access.rows);
        }
        if (one.looked.empty() && one.written.empty() && (access.reported || !writes)) continue;
      } else if (operations[i].is_item_read() && !reads_count) {
        continue;
      }
      kept.operations.push_back(std::move(one));
    }
    part.push_back(std::move(kept));
  }
  return part;
}

Part without(const Part& part, std::span<const Unit> units) {
  std::vector<Unit> sorted(units.begin(), units.end());
  std::ranges::stable_sort(sorted, {}, &Unit::transaction);
  Part result;
  auto next = sorted.begin();
  for (const KeptTransaction& kept : part) {
    while (next != sorted.end() && next->transaction < kept.id) ++next;
    KeptTransaction rest = kept;
    bool gone = false;
    for (; next != sorted.end() && next->transaction == kept.id; ++next) {
      if (!next->place) {
        gone = true;
        continue;
      }
      const auto at = std::ranges::find(rest.operations, *next->place, &KeptOperation::place);
      if (at == rest.operations.end()) continue;
      if (next->key) {
        std::erase(at->looked, *next->key);
        if (!next->only_look) std::erase(at->written, *next->key);
        if (!at->looked.empty() || !at->written.empty()) continue;
      }
      rest.operations.erase(at);
    }
    if (!gone) result.push_back(std::move(rest));
  }
  return result;
}

Part common(const Part& a, const Part& b) {
  Part result;
  for (const KeptTransaction& one : a) {
    const auto other = std::ranges::lower_bound(b, one.id, {}, &KeptTransaction::id);
    if (other == b.end() || other->id != one.id) continue;
    KeptTransaction kept{one.id, {}};
    for (const KeptOperation& mine : one.operations) {
      const auto theirs = std::ranges::find(other->operations, mine.place, &KeptOperation::place);
      if (theirs == other->operations.end()) continue;
      KeptOperation both{.place = mine.place};
      std::ranges::set_intersection(mine.looked, theirs->looked, std::back_inserter(both.looked));
      std::ranges::set_intersection(mine.written, theirs->written,
                                    std::back_inserter(both.written));
      kept.operations.push_back(std::move(both));
    }
    result.push_back(std::move(kept));
  }
  return result;
}

bool keeps(const History& history, const Part& part, WriteAt write) {
  const auto kept = std::ranges::lower_bound(part, write.transaction, {}, &KeptTransaction::id);
  if (kept == part.end() || kept->id != write.transaction) return false;
  const auto at =
      std::ranges::lower_bound(kept->operations, write.place, {}, &KeptOperation::place);
  if (at == kept->operations.end() || at->place != write.place) return false;
  const Operation& operation = history.operations(write.transaction)[write.place];
  if (!operation.is_predicate()) return true;
  return !history.predicate_access(operation).reported || has(at->written, write.key);
}

std::size_t operation_count(const Part& part) {
  std::size_t count = 0;
  for (const KeptTransaction& kept : part) count += kept.operations.size();
  return count;
}

}  // namespace isoscope::shrinking
