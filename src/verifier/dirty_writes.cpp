#include "verifier/dirty_writes.h"

#include <algorithm>
#include <map>

#include "isoscope/base/contract.h"
#include "verifier/rows.h"

namespace isoscope::verifier {

DirtyWrites::DirtyWrites(const History& history) : history_(history), uses_(key_uses(history)) {
  std::map<KeyId, std::uint32_t> places;
  for (const TransactionId t : history.transactions()) {
    places.clear();
    const auto add = [&](KeyId key, ValueId value) {
      const bool list = uses_[key.index()] == KeyUse::list;
      writes_.push_back({key, list ? value : register_value(value), t, places[key]++});
    };
    for (const Operation& operation : history.operations(t)) {
      if (operation.is_item_write()) add(operation.key(), operation.value());
      if (operation.kind() != OperationKind::predicate_write) continue;
      for (const RowVersion& row : history.predicate_access(operation).rows) {
        add(row.key, row.value);
      }
    }
  }
  std::ranges::sort(writes_);
}

Result<DirtyRead> DirtyWrites::says(const Read& read) const {
  ISOSCOPE_REQUIRE(read.key.index() < uses_.size());
  if (read.silent != nullptr) return Error{read.silent};
  const auto writes = std::ranges::equal_range(writes_, read.key, {}, &Write::key);
  if (read.list) return says_of_list(read, {writes.begin(), writes.end()});
  const KeyUse use = uses_[read.key.index()];
  const auto initial = history_.initial_value(read.key);
  const auto fits = [&](ValueId row) {
    if (read.predicate == nullptr) return row == read.value;
    return selects(history_, *read.predicate, read.key, row) == read.selected;
  };
  bool certain =
      (read.predicate != nullptr || initial) && fits(row_of(history_, read.key, use, initial));
  bool possible = certain;
  for (const Write& write : writes) {
    if (write.writer == read.reader) continue;
    const ValueId row = use == KeyUse::list ? ValuePool::empty_list : write.value;
    if (row == ValuePool::unreported) possible = true;
    if (row != ValuePool::unreported && fits(row)) certain = true;
  }
  return DirtyRead{.is_impossible = !possible && !certain, .is_certain = certain};
}

Result<DirtyRead> DirtyWrites::says_of_list(const Read& read, std::span<const Write> writes) const {
  ISOSCOPE_REQUIRE(read.list);
  const ValuePool& values = history_.values();
  if (values.kind(*read.list) != ValueKind::list) return DirtyRead{.is_impossible = true};
  std::map<ValueId, std::pair<std::uint32_t, std::uint32_t>> owners;
  bool repeats = false;
  std::vector<ValueId> initial;
  if (const auto value = history_.initial_value(read.key);
      value && values.kind(*value) == ValueKind::list) {
    initial = values.list_elements(*value);
  }
  for (std::uint32_t i = 0; i < initial.size(); ++i) {
    repeats |= !owners.emplace(initial[i], std::pair(0u, i)).second;
  }
  DirtyRead result;
  std::map<std::uint32_t, std::uint32_t> appends;
  for (const Write& write : writes) {
    const std::pair owner(number_of(write.writer), write.place);
    repeats |= !owners.emplace(write.value, owner).second || write.value == ValuePool::unreported;
    ++appends[owner.first];
  }
  // There is no empty list of a key without an initial version, but for own appends to it.
  if (*read.list == ValuePool::empty_list && !history_.initial_value(read.key) &&
      read.candidates.empty()) {
    return DirtyRead{.is_impossible = true};
  }
  if (repeats) return Error{"an element may have been appended twice: not supported"};
  result.appends.assign(appends.begin(), appends.end());
  for (const ValueId element : values.list_elements(*read.list)) {
    const auto owner = owners.find(element);
    if (owner == owners.end()) return DirtyRead{.is_impossible = true};
    result.elements.push_back(owner->second);
  }
  result.is_impossible = is_impossible(result, read.number.transaction, initial.size());
  return result;
}

bool DirtyWrites::is_impossible(const DirtyRead& list, std::uint32_t reader,
                                std::size_t initial) const {
  std::map<std::uint32_t, std::uint32_t> next;  // by transaction: how many of its elements so far
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted = list.elements;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return true;
  for (const auto& [writer, place] : list.elements) {
    ISOSCOPE_ENSURE(writer <= history_.transaction_count());
    if (writer == reader) return true;
    // What did not commit may be anywhere.
    if (writer != 0 && history_.outcome(TransactionId(writer - 1)) != Outcome::committed) continue;
    if (writer != 0 && next[0] < initial) return true;
    if (next[writer]++ != place) return true;
  }
  return next[0] < initial;
}

bool DirtyRead::shows_before(std::uint32_t a, std::uint32_t b) const {
  ISOSCOPE_REQUIRE(a != b && a != 0 && b != 0);
  const auto writer = [](const auto& element) { return element.first; };
  const auto first = std::ranges::find(elements, a, writer);
  if (first == elements.end()) return false;
  if (std::ranges::find(elements.begin(), first, b, writer) == first &&
      std::ranges::count(elements, b, writer) > 0) {
    return true;
  }
  const auto all = std::ranges::find(appends, b, writer);
  return all != appends.end() && std::ranges::count(elements, b, writer) < all->second;
}

}  // namespace isoscope::verifier
