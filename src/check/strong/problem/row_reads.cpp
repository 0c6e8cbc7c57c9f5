#include "check/strong/problem/row_reads.h"

#include <algorithm>

#include "check/reads/key_values.h"
#include "check/reads/predicate_operations.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

RowReads::RowReads(const History& history, const KeyAccesses& accesses, OrderProblem& problem)
    : history_(history), p_(problem) {
  if (accesses.predicate_users().empty()) return;
  starts_.assign(p_.size() + 1, 0);
  for (Txn t = 0; t < p_.size(); ++t) {
    starts_[t] = static_cast<std::uint32_t>(operations_.size());
    if (t != 0) collect(t);
  }
  starts_[p_.size()] = static_cast<std::uint32_t>(operations_.size());
  add_versions(accesses);
}

/// The transaction's predicate operations, and which rows they need no excuse for.
void RowReads::collect(Txn t) {
  for (const PredicateOperation& its : predicate_operations(history_, p_.ids[t])) {
    operations_.push_back({t,
                           its.operation,
                           its.table,
                           its.predicate,
                           static_cast<std::uint32_t>(excused_.size()),
                           static_cast<std::uint32_t>(changed_.size()),
                           {}});
    excused_.insert(excused_.end(), its.excused.begin(), its.excused.end());
    changed_.insert(changed_.end(), its.changed.begin(), its.changed.end());
  }
}

void RowReads::add_versions(const KeyAccesses& accesses) {
  ISOSCOPE_REQUIRE(versions_.empty() && present_.empty());  // to be called once
  versions_.reserve(history_.table_count());
  for (std::size_t i = 0; i < history_.table_count(); ++i) versions_.emplace_back(history_);
  version_of_row_.resize(history_.table_count());
  row_of_version_.assign(p_.versions.size(), none);
  for (const VersionId v : p_.versions.ids()) {
    const KeyId key = p_.versions[v].key;
    const auto value = row_of(v, accesses.use(key));
    if (!value) continue;
    const std::size_t table = history_.key_table(key).index();
    row_of_version_[v] = static_cast<std::uint32_t>(versions_[table].size());
    versions_[table].add({key, *value});
    version_of_row_[table].push_back(v);
  }
  for (RowIndex& index : versions_) present_.emplace_back(index);
  for (Predicated& operation : operations_) {
    const RowSubset& rows = present_[operation.table.index()];
    operation.place = rows.place_of(history_.predicate(operation.predicate));
  }
}

/// What a predicate sees of the version; nothing if that is no row.
std::optional<ValueId> RowReads::row_of(VersionId version, KeyUse use) const {
  const Version& its = p_.versions[version];
  const ValueId row = its.writer == 0       ? initial_row(history_, use, its.key)
                      : use == KeyUse::list ? some_list
                                            : its.value;
  if (row == ValuePool::nil || row == ValuePool::unreported) return std::nullopt;
  return row;
}

std::span<const KeyId> RowReads::excused(std::uint32_t o) const {
  ISOSCOPE_REQUIRE(o < operations_.size());
  const std::size_t last =
      o + 1 < operations_.size() ? operations_[o + 1].first_excused : excused_.size();
  return std::span(excused_).subspan(operations_[o].first_excused,
                                     last - operations_[o].first_excused);
}

std::span<const KeyId> RowReads::changed(std::uint32_t o) const {
  ISOSCOPE_REQUIRE(o < operations_.size());
  const std::size_t last =
      o + 1 < operations_.size() ? operations_[o + 1].first_changed : changed_.size();
  return std::span(changed_).subspan(operations_[o].first_changed,
                                     last - operations_[o].first_changed);
}

bool RowReads::selects(const Predicated& operation, VersionId version) const {
  const std::uint32_t row = row_of_version_[version];
  if (row == none) return false;
  const RowIndex& index = versions_[operation.table.index()];
  return index.selects(history_.predicate(operation.predicate), index.row(row));
}

bool RowReads::add_wrong_reads(std::span<const std::uint32_t> order,
                               const std::vector<std::uint8_t>& takes_part, const Limits& limits,
                               std::vector<ReadId>& wrong) {
  ISOSCOPE_REQUIRE(takes_part.size() == p_.size());
  ISOSCOPE_REQUIRE(row_of_version_.size() == p_.versions.size());
  IdVector<KeyId, VersionId> current(p_.key_count());
  const auto table_of = [&](VersionId version) {
    return history_.key_table(p_.versions[version].key).index();
  };
  const auto put = [&](VersionId version) {
    VersionId& latest = current[p_.versions[version].key];
    RowSubset& rows = present_[table_of(version)];
    if (row_of_version_[latest] != none) rows.erase(row_of_version_[latest]);
    if (row_of_version_[version] != none) rows.insert(row_of_version_[version]);
    latest = version;
  };
  // Where rows need not be current: by transaction, whether it has committed.
  std::vector<std::uint8_t> committed(p_.rules.rows_are_current ? 0 : p_.size(), 0);
  const auto could_be_read = [&](std::uint32_t o, KeyId key, bool selected) {
    if (committed.empty()) return false;
    const Candidates some = candidates(operations_[o], key, selected);
    return std::ranges::any_of(std::span(p_.candidates).subspan(some.first, some.count),
                               [&](VersionId version) {
                                 const Txn writer = p_.versions[version].writer;
                                 return writer == 0 || committed[writer] != 0;
                               });
  };
  const auto look_at = [&](std::uint32_t o, KeyId key, bool selected) {
    if (!could_be_read(o, key, selected)) wrong.push_back(read_of(o, key, selected));
  };
  for (RowSubset& rows : present_) rows.clear();
  for (const KeyId key : p_.keys()) {
    current[key] = p_.initial_version(key);
    put(current[key]);
  }
  for (const std::uint32_t event : order) {
    if (p_.is_time(event)) continue;
    const Txn t = p_.transaction_of(event);
    if (t == 0 || takes_part[t] == 0) continue;
    if (limits.reached()) return false;
    if (event == p_.begin(t)) {
      for (std::uint32_t o = starts_[t]; o < starts_[t + 1]; ++o) {
        const Predicated& operation = operations_[o];
        const std::size_t table = operation.table.index();
        present_[table].for_each_selected(
            history_.predicate(operation.predicate), operation.place, [&](std::uint32_t row) {
              const KeyId key = p_.versions[version_of_row_[table][row]].key;
              if (std::ranges::binary_search(excused(o), key)) return;
              look_at(o, key, false);
            });
        for (const KeyId key : changed(o)) {
          if (!selects(operation, current[key])) look_at(o, key, true);
        }
      }
    }
    if (event != p_.commit(t)) continue;
    for (const VersionId version : p_.writes_of(t)) put(version);
    if (!committed.empty()) committed[t] = 1;
  }
  return true;
}

ReadId RowReads::read_of(std::uint32_t o, KeyId key, bool selected) {
  ISOSCOPE_REQUIRE(o < operations_.size());
  ISOSCOPE_REQUIRE(history_.key_table(key) == operations_[o].table);
  const auto [known, is_new] = reads_.try_emplace(RowRead{o, key});
  if (!is_new) return known->second;
  const Predicated& operation = operations_[o];
  const Candidates some = candidates(operation, key, selected);
  Read read;
  read.reader = operation.reader;
  read.key = key;
  read.operation = operation.operation & Read::most_operations;
  read.has_candidate_set = 1;
  read.candidate = VersionId(p_.candidate_sets.size());
  p_.candidate_sets.push_back({some.first, some.count, some.count, none, true, true});
  p_.reads.push_back(read);
  ISOSCOPE_ENSURE(p_.readers.size() + 1 == p_.reads.size());
  p_.readers.push_back({});
  return known->second = ReadId(p_.reads.size() - 1);
}

/// All predicate operations with the same condition share them.
RowReads::Candidates RowReads::candidates(const Predicated& operation, KeyId key, bool selected) {
  const std::uint64_t name = std::uint64_t{operation.predicate.value} << 32 | key.value;
  const auto [known, is_new] = (selected ? selected_ : unselected_).try_emplace(name);
  if (!is_new) return known->second;
  std::vector<VersionId> some;
  const auto consider = [&](VersionId version) {
    if (selects(operation, version) == selected) some.push_back(version);
  };
  consider(p_.initial_version(key));
  for (const VersionId version : p_.versions_of(key)) consider(version);
  std::ranges::sort(some);
  known->second = {static_cast<std::uint32_t>(p_.candidates.size()),
                   static_cast<std::uint32_t>(some.size())};
  p_.candidates.insert(p_.candidates.end(), some.begin(), some.end());
  return known->second;
}

std::uint64_t RowReads::row_count() const {
  std::vector<std::uint64_t> keys(history_.table_count(), 0);
  for (const KeyId key : history_.keys()) ++keys[history_.key_table(key).index()];
  std::uint64_t all = 0;
  for (std::uint32_t o = 0; o < operations_.size(); ++o) {
    all += keys[operations_[o].table.index()] - excused(o).size() + changed(o).size();
  }
  return all;
}

}  // namespace isoscope::strong
