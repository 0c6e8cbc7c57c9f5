#include "check/visible/row_reads.h"

#include <algorithm>

#include "check/reads/key_values.h"

namespace isoscope::visible {

RowReads::RowReads(const KeyAccesses& accesses, Problem& problem)
    : history_(problem.history()), p_(problem) {
  if (accesses.predicate_users().empty()) return;
  starts_.assign(2, 0);
  for (Txn t = 1; t < p_.size(); ++t) {
    for (PredicateOperation& its : predicate_operations(history_, p_.sources().id(t))) {
      operations_.push_back(std::move(its));
    }
    starts_.push_back(static_cast<std::uint32_t>(operations_.size()));
  }
  has_made_.assign(operations_.size(), 0);
  if (!empty()) add_versions(accesses);
}

void RowReads::add_versions(const KeyAccesses& accesses) {
  for (std::size_t i = 0; i < history_.table_count(); ++i) versions_.emplace_back(history_);
  const auto add = [&](KeyId key, Txn writer, ValueId row) {
    if (row == ValuePool::nil || row == ValuePool::unreported) return;
    versions_[history_.key_table(key).index()].add({key, row, TransactionId(writer)});
  };
  for (const KeyId key : history_.keys()) {
    add(key, 0, initial_row(history_, accesses.use(key), key));
  }
  std::unordered_map<KeyId, ValueId> left;
  for (Txn t = 1; t < p_.size(); ++t) {
    left.clear();
    for_each_access(history_, p_.sources().id(t), [&](KeyId key, const Access& access) {
      if (!access.is_read()) left[key] = access.value;
    });
    for (const KeyId key : p_.sources().written_by(t)) {
      writers_[key].push_back(t);
      add(key, t, accesses.use(key) == KeyUse::list ? some_list : left.at(key));
    }
  }
}

RowReads::Selected& RowReads::selected(PredicateId predicate, TableId table) {
  const auto [known, is_new] =
      selected_.try_emplace(std::uint64_t{predicate.value} << 32 | table.value);
  if (!is_new) return known->second;
  std::uint64_t work = 0;
  versions_[table.index()].for_each_selected(predicate, work, [&](const RowIndex::Row& row) {
    auto& writers = selected_writers_[name(predicate.value, row.key)];
    if (writers.empty()) known->second.keys.push_back(row.key);
    writers.push_back(row.writer.value);
    return true;
  });
  std::ranges::sort(known->second.keys);
  known->second.unselected.assign(known->second.keys.size(), none);
  return known->second;
}

std::uint32_t RowReads::set_of(PredicateId predicate, KeyId key, bool is_selected) {
  const std::uint64_t its_name = name(predicate.value, key);
  const auto [known, is_new] =
      (is_selected ? selected_sets_ : unselected_sets_).try_emplace(its_name);
  if (!is_new) return known->second;
  std::vector<Txn> yes;
  if (const auto some = selected_writers_.find(its_name); some != selected_writers_.end()) {
    yes = some->second;
  }
  std::ranges::sort(yes);
  if (is_selected) return known->second = p_.add_set(yes);
  std::vector<Txn> no;
  const auto consider = [&](Txn t) {
    if (!std::ranges::binary_search(yes, t)) no.push_back(t);
  };
  consider(0);
  if (const auto all = writers_.find(key); all != writers_.end()) {
    std::ranges::for_each(all->second, consider);
  }
  return known->second = p_.add_set(no);
}

bool RowReads::make(Txn reader, const PredicateOperation& operation, KeyId key, std::uint32_t set) {
  if (!made_.insert(name(number(operation), key)).second) return false;
  has_made_[number(operation)] = 1;
  // It is a choice even if there is one candidate only, because the known order is fixed by then.
  p_.add_read(
      {.reader = reader, .key = key, .operation = operation.operation, .item = false, .set = set});
  return true;
}

bool RowReads::make_all(std::size_t most, const Limits& limits) {
  std::size_t made = 0;
  for (Txn t = 1; t < p_.size(); ++t) {
    for (const PredicateOperation& operation : operations(t)) {
      selected(operation.predicate, operation.table);
      for (const KeyId key : operation.changed) {
        make(t, operation, key, set_of(operation.predicate, key, true));
      }
      for (const KeyId key : history_.keys()) {
        if (history_.key_table(key) != operation.table) continue;
        if (std::ranges::binary_search(operation.excused, key)) continue;
        if (++made > most || limits.reached()) return false;
        make(t, operation, key, set_of(operation.predicate, key, false));
      }
    }
  }
  return true;
}

}  // namespace isoscope::visible
