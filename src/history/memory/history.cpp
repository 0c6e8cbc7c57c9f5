#include "isoscope/history/history.h"

#include <algorithm>

namespace isoscope {

std::string History::label(TransactionId t) const {
  const ValueId id = name(t);
  if (values_.kind(id) == ValueKind::integer) return "T" + std::to_string(values_.integer_of(id));
  return std::string(values_.string_of(id));
}

std::span<const Update> History::updates(TransactionId t) const {
  if (updates_.empty()) return {};
  const std::uint32_t first = transactions_[t.index()].first_operation;
  const auto end = first + static_cast<std::uint32_t>(operations(t).size());
  const auto from = std::ranges::lower_bound(updates_, first, {}, &Update::first_operation);
  const auto to = std::ranges::lower_bound(updates_, end, {}, &Update::first_operation);
  return {from, to};
}

const Update* History::find_update(TransactionId t, std::size_t place) const {
  const std::size_t at = transactions_[t.index()].first_operation + place;
  const auto found = std::ranges::lower_bound(updates_, at, {}, &Update::first_operation);
  return found != updates_.end() && found->first_operation == at ? &*found : nullptr;
}

PredicateAccess History::predicate_access(const Operation& operation) const {
  const Access& access = accesses_[operation.access()];
  return {access.table, access.predicate, access.reported,
          std::span(rows_).subspan(access.first_row, access.row_count)};
}

std::optional<ValueId> History::initial_value(KeyId key) const {
  if (initial_by_key_.empty()) return initial_default_;
  const ValueId value = initial_by_key_[key.index()];
  return value == ValuePool::unreported ? std::nullopt : std::optional(value);
}

std::size_t History::memory() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  return bytes(transactions_) + bytes(operations_) + bytes(begin_times_) + bytes(end_times_) +
         bytes(stamps_) + bytes(levels_) + bytes(updates_) + bytes(session_names_) +
         bytes(session_starts_) + bytes(by_session_) + bytes(keys_) + bytes(tables_) +
         bytes(predicates_) + bytes(accesses_) + bytes(rows_) + bytes(initial_rows_) +
         bytes(initial_by_key_) + values_.memory();
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::committed:
      return "committed";
    case Outcome::aborted:
      return "aborted";
    case Outcome::indeterminate:
      return "indeterminate";
  }
  return "";
}

std::string_view name_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
      return "read";
    case OperationKind::write:
      return "write";
    case OperationKind::insert:
      return "insert";
    case OperationKind::remove:
      return "delete";
    case OperationKind::append:
      return "append";
    case OperationKind::list_read:
      return "list read";
    case OperationKind::predicate_read:
      return "predicate read";
    case OperationKind::predicate_write:
      return "predicate write";
  }
  return "";
}

}  // namespace isoscope
