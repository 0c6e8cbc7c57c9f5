#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "isoscope/history/history.h"

namespace isoscope {

/// What a history consists of. Computing it costs a sort of the writes.
struct HistoryStatistics {
  std::size_t sessions = 0;
  std::size_t transactions = 0;
  std::array<std::size_t, 3> by_outcome{};  ///< indexed by Outcome
  std::size_t empty_transactions = 0;
  std::size_t longest_transaction = 0;  ///< in operations
  std::size_t longest_session = 0;      ///< in transactions
  std::size_t operations = 0;
  std::size_t committed_operations = 0;  ///< of committed transactions
  std::array<std::size_t, 8> by_kind{};  ///< indexed by OperationKind
  std::array<std::size_t, 3> updates{};  ///< indexed by Update::Function
  std::size_t keys = 0;
  std::size_t tables = 0;            ///< that have a key
  std::size_t unreported_reads = 0;  ///< whose result no client learned
  std::size_t writes =
      0;  ///< of a value to a key: writes, inserts, rows of predicate writes, appends
  std::size_t duplicate_writes =
      0;  ///< those whose key and value another write, or the initial state, has too
  std::size_t timed_transactions = 0;       ///< with a begin or an end
  std::size_t committed_without_times = 0;  ///< committed, and begin or end unknown
  std::optional<std::int64_t> first_time;
  std::optional<std::int64_t> last_time;

  std::size_t count(Update::Function function) const {
    return updates[static_cast<std::size_t>(function)];
  }
  std::size_t count(Outcome outcome) const { return by_outcome[static_cast<std::size_t>(outcome)]; }
  std::size_t count(OperationKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

HistoryStatistics statistics_of(const History& history);

/// The transactions that an indeterminate one cuts off, if such ones cut sessions: with one or more
/// of them between it and the last committed transaction before it in its session. Aborted ones do
/// not count. In `T1 ; T2? ; T3 ; T4` it is T3.
std::size_t cut_neighbours(const History& history);

}  // namespace isoscope
