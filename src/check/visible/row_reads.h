#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/reads/accesses.h"
#include "check/reads/predicate_operations.h"
#include "check/rows/row_index.h"
#include "check/visible/problem.h"

namespace isoscope::visible {

/// What predicates say about rows that they did not return (PredicateOperation).
///
/// For every predicate operation and every key of its table there is a read with candidates. Nearly
/// all of them fit if they are from the last writer that is visible to them anyway, and then they
/// make nothing else visible. So a read is made only when that writer is no candidate.
class RowReads {
 public:
  /// Both must outlive the object; reads are added to the problem.
  RowReads(const KeyAccesses& accesses, Problem& problem);

  /// No predicate says anything.
  bool empty() const { return operations_.empty(); }
  /// The transaction's predicate operations.
  std::span<const PredicateOperation> operations(Txn t) const {
    if (empty()) return {};
    return std::span(operations_).subspan(starts_[t], starts_[t + 1] - starts_[t]);
  }

  /// Calls visit(key, candidates) for each row of which no read was made yet, and that may be
  /// wrong: some version of the key is no candidate.
  template <class Visit>
  void for_each_unmade(const PredicateOperation& operation, const Visit& visit);
  /// The same for all keys of the table, whether or not all of their versions are candidates.
  template <class Visit>
  void for_each_unmade_row(const PredicateOperation& operation, const Visit& visit);
  /// Makes the read. False if it was made before.
  bool make(Txn reader, const PredicateOperation& operation, KeyId key, std::uint32_t set);
  /// Makes the reads of all keys of the tables, for levels at which it matters which version a read
  /// is from even if all are candidates. False if there are more than `most`, or if a limit was
  /// reached.
  bool make_all(std::size_t most, const Limits& limits);

  bool is_candidate(std::uint32_t set, Txn t) const {
    return std::ranges::binary_search(p_.candidates(set), t);
  }

 private:
  struct Selected {
    std::vector<KeyId> keys = {};  // of which the predicate selects some version
    /// By key: the set of those that it does not select; none: it was not asked for yet.
    std::vector<std::uint32_t> unselected = {};
  };
  void add_versions(const KeyAccesses& accesses);
  Selected& selected(PredicateId predicate, TableId table);
  std::uint32_t set_of(PredicateId predicate, KeyId key, bool is_selected);
  static std::uint64_t name(std::uint32_t a, KeyId key) {
    return std::uint64_t{a} << 32 | key.value;
  }
  /// All predicate operations are numbered.
  std::uint32_t number(const PredicateOperation& operation) const {
    return static_cast<std::uint32_t>(&operation - operations_.data());
  }

  const History& history_;
  Problem& p_;
  std::vector<PredicateOperation> operations_;
  std::vector<std::uint32_t> starts_;  // by transaction
  std::vector<RowIndex> versions_;     // by table: all versions that are rows
  std::unordered_map<KeyId, std::vector<Txn>> writers_;
  std::unordered_map<std::uint64_t, Selected> selected_;                  // by predicate and table
  std::unordered_map<std::uint64_t, std::vector<Txn>> selected_writers_;  // by predicate and key
  std::unordered_map<std::uint64_t, std::uint32_t> selected_sets_;
  std::unordered_map<std::uint64_t, std::uint32_t> unselected_sets_;
  std::unordered_set<std::uint64_t> made_;  // by operation and key
  std::vector<std::uint8_t> has_made_;      // by operation
};

template <class Visit>
void RowReads::for_each_unmade(const PredicateOperation& operation, const Visit& visit) {
  const std::uint32_t o = number(operation);
  Selected& its = selected(operation.predicate, operation.table);
  for (std::size_t i = 0; i < its.keys.size(); ++i) {
    const KeyId key = its.keys[i];
    if (std::ranges::binary_search(operation.excused, key)) continue;
    if (has_made_[o] != 0 && made_.contains(name(o, key))) continue;
    std::uint32_t& set = its.unselected[i];
    if (set == none) set = set_of(operation.predicate, key, false);
    visit(key, set);
  }
  for (const KeyId key : operation.changed) {
    if (!made_.contains(name(o, key))) visit(key, set_of(operation.predicate, key, true));
  }
}

template <class Visit>
void RowReads::for_each_unmade_row(const PredicateOperation& operation, const Visit& visit) {
  const std::uint32_t o = number(operation);
  selected(operation.predicate, operation.table);
  for (const KeyId key : history_.keys()) {
    const bool is_other = history_.key_table(key) == operation.table &&
                          !std::ranges::binary_search(operation.excused, key);
    if (is_other && !made_.contains(name(o, key))) {
      visit(key, set_of(operation.predicate, key, false));
    }
  }
  for (const KeyId key : operation.changed) {
    if (!made_.contains(name(o, key))) visit(key, set_of(operation.predicate, key, true));
  }
}

}  // namespace isoscope::visible
