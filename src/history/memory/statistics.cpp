#include "isoscope/history/statistics.h"

#include <algorithm>
#include <vector>

namespace isoscope {

namespace {

using KeyAndValue = std::uint64_t;

KeyAndValue pair_of(KeyId key, ValueId value) {
  return std::uint64_t{key.value} << 32 | value.value;
}

void count_operation(const History& history, const Operation& operation,
                     HistoryStatistics& statistics, std::vector<KeyAndValue>& written) {
  ++statistics.by_kind[static_cast<std::size_t>(operation.kind())];
  if (operation.is_predicate()) {
    const PredicateAccess access = history.predicate_access(operation);
    if (!access.reported) ++statistics.unreported_reads;
    if (operation.kind() == OperationKind::predicate_write) {
      for (const RowVersion& row : access.rows) {
        if (row.value != ValuePool::nil) written.push_back(pair_of(row.key, row.value));
      }
    }
  } else if (operation.is_item_read()) {
    if (operation.value() == ValuePool::unreported) ++statistics.unreported_reads;
  } else if (operation.kind() != OperationKind::remove &&
             operation.value() != ValuePool::unreported) {
    written.push_back(pair_of(operation.key(), operation.value()));
  }
}

void count_time(HistoryStatistics& statistics, std::optional<std::int64_t> time) {
  if (!time) return;
  statistics.first_time = std::min(statistics.first_time.value_or(*time), *time);
  statistics.last_time = std::max(statistics.last_time.value_or(*time), *time);
}

/// How many of the writes share key and value with another write or with the initial state.
std::size_t count_duplicates(const History& history, std::vector<KeyAndValue>& written) {
  std::ranges::sort(written);
  std::size_t duplicates = 0;
  for (auto run = written.begin(); run != written.end();) {
    const auto end =
        std::find_if(run, written.end(), [&](KeyAndValue other) { return other != *run; });
    const KeyId key(*run >> 32);
    const ValueId value(*run & 0xFFFFFFFF);
    if (end - run > 1 || history.initial_value(key) == value)
      duplicates += static_cast<std::size_t>(end - run);
    run = end;
  }
  return duplicates;
}

}  // namespace

HistoryStatistics statistics_of(const History& history) {
  HistoryStatistics statistics;
  statistics.sessions = history.session_count();
  statistics.transactions = history.transaction_count();
  statistics.operations = history.operation_count();
  statistics.keys = history.key_count();
  std::vector<bool> table_used(history.table_count(), false);
  for (const KeyId key : history.keys()) table_used[history.key_table(key).index()] = true;
  statistics.tables = static_cast<std::size_t>(std::ranges::count(table_used, true));
  for (const SessionId session : history.sessions()) {
    statistics.longest_session =
        std::max(statistics.longest_session, history.session(session).size());
  }
  for (const Update& update : history.updates()) {
    ++statistics.updates[static_cast<std::size_t>(update.function)];
  }
  std::vector<KeyAndValue> written;
  for (const TransactionId t : history.transactions()) {
    const auto operations = history.operations(t);
    const bool committed = history.outcome(t) == Outcome::committed;
    ++statistics.by_outcome[static_cast<std::size_t>(history.outcome(t))];
    statistics.longest_transaction = std::max(statistics.longest_transaction, operations.size());
    if (operations.empty()) ++statistics.empty_transactions;
    if (committed) statistics.committed_operations += operations.size();
    for (const Operation& operation : operations)
      count_operation(history, operation, statistics, written);
    const auto begin = history.begin_time(t);
    const auto end = history.end_time(t);
    count_time(statistics, begin);
    count_time(statistics, end);
    if (begin || end) ++statistics.timed_transactions;
    if (committed && (!begin || !end)) ++statistics.committed_without_times;
  }
  statistics.writes = written.size();
  statistics.duplicate_writes = count_duplicates(history, written);
  return statistics;
}

std::size_t cut_neighbours(const History& history) {
  std::size_t count = 0;
  for (const SessionId session : history.sessions()) {
    bool any_committed = false;
    bool cut = false;  // since the last committed one
    for (const TransactionId t : history.session(session)) {
      const Outcome outcome = history.outcome(t);
      if (outcome == Outcome::aborted) continue;
      if (any_committed && cut) ++count;
      any_committed = any_committed || outcome == Outcome::committed;
      cut = outcome == Outcome::indeterminate;
    }
  }
  return count;
}

}  // namespace isoscope
