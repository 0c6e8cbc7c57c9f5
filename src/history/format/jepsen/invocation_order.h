#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope::format {

/// Where a transaction's :invoke line goes: directly before the completion of the transaction at
/// `before` (its own at the latest), after those of earlier invocations.
struct Invocation {
  std::size_t before;
  std::int64_t begin;
  TransactionId transaction;
};

/// The order of :invoke lines in a log whose completions have the order of the history's
/// transactions.
///
/// Jepsen and Elle take the order of lines for real time: a transaction completed before another's
/// :invoke precedes it. So an :invoke comes after the completion of its session's transaction
/// before, and otherwise as early as its begin time allows: before the first completion that did
/// not end before it. Without times that is directly after the session's last completion, and as
/// little order is invented as a log can do with. Where completions are not sorted by their end, an
/// :invoke may come earlier than necessary, never later. Costs n log n.
std::vector<Invocation> order_invocations(const History& history);

}  // namespace isoscope::format
