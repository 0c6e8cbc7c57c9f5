#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "check/visible/execution.h"
#include "check/visible/past.h"
#include "check/visible/row_reads.h"
#include "isoscope/base/limits.h"

namespace isoscope::visible {

/// What each reader's level demands.
using RowOf = std::function<const Row&(Txn)>;

/// Lets the transactions of an execution happen in their order, and finds the reads that are wrong:
/// a newer version than the one that was read is visible to them.
///
/// Only reads are looked at of which a newer version is there before the reader. For these the ways
/// to the reader are followed backwards, as far as the oldest of these versions: mostly that is
/// what happened while the reader was under way. Of all ways to a read that is wrong, one with few
/// choices is taken.
class Replay {
 public:
  /// All must outlive the object.
  Replay(const Problem& problem, RowReads& rows, RowOf row_of, const KnownOrders& known,
         const Limits& limits);

  /// Fills in the sources of the execution that nobody chose. Adds what is wrong to `misfits`, and
  /// makes the reads of rows that are wrong; if there were some, it is to be called again. Returns
  /// the limit that was reached, if so.
  struct Result {
    bool made_reads = false;
    std::optional<StopReason> stopped = {};
  };
  Result run(Execution& execution, std::vector<Misfit>& misfits);

  /// What a read of a row is from that was not made.
  using TellRow = std::function<void(Txn reader, std::uint32_t operation, KeyId key, Txn source)>;
  /// For an execution in which nothing is wrong: tells the sources of the reads of rows that were
  /// not made, but for those that are from the latest candidate before the reader. False if there
  /// are more than `most` such reads, or if a limit was reached.
  bool tell_rows(Execution& execution, const TellRow& tell, std::size_t most);

 private:
  class Sweep;

  const Problem& p_;
  RowReads& rows_;
  RowOf row_of_;
  const KnownOrders& known_;
  const Limits& limits_;
};

}  // namespace isoscope::visible
