#pragma once

#include <optional>
#include <vector>

#include "check/visible/execution.h"
#include "check/visible/past.h"
#include "check/visible/row_reads.h"
#include "check/visible/rows_of_readers.h"
#include "isoscope/base/limits.h"

namespace isoscope::visible {

/// Lets the transactions of an execution happen in their order, and finds the reads that are wrong:
/// a newer version than the one that was read is visible to them.
///
/// Only reads are looked at of which a newer version is there before the reader. For these the ways
/// to the reader are followed backwards, as far as the oldest of these versions: mostly that is
/// what happened while the reader was under way. Of all ways to a read that is wrong, one with few
/// choices is taken.
class Replay : public Judge {
 public:
  /// All must outlive the object.
  Replay(const Problem& problem, RowReads& rows, RowOf row_of, const KnownOrders& known,
         const Limits& limits);

  Result run(Execution& execution, std::vector<Misfit>& misfits) override;
  bool tell_rows(Execution& execution, const TellRow& tell, std::size_t most) override;

 private:
  class Sweep;

  const Problem& p_;
  RowReads& rows_;
  RowOf row_of_;
  const KnownOrders& known_;
  const Limits& limits_;
};

}  // namespace isoscope::visible
