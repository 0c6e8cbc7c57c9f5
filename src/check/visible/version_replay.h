#pragma once

#include <vector>

#include "check/visible/execution.h"
#include "check/visible/row_reads.h"
#include "check/weak/session_guarantees.h"
#include "isoscope/base/limits.h"

namespace isoscope::visible {

/// Judges executions by a session guarantee, where each key's versions have an order of their own.
///
/// For each read the newest version is found that the reader must not miss, and it is wrong if that
/// is newer than the source. Where writes follow reads, a version is wrong that is older than what
/// its session had read of the key.
///
/// A row that a predicate did not return is from the newest version that the reader must not miss,
/// if that is a candidate: to read it tells the reader nothing new. This is not so where the past
/// of a writer counts (`writers_reads`), so there reads of all rows must have been made.
class VersionReplay : public Judge {
 public:
  /// All must outlive the object.
  VersionReplay(const Problem& problem, const KeyAccesses& accesses, RowReads& rows,
                const OrderNodes& nodes, const weak::Guarantee& guarantee, const Limits& limits)
      : p_(problem),
        accesses_(accesses),
        rows_(rows),
        nodes_(nodes),
        guarantee_(guarantee),
        limits_(limits),
        versions_(problem.sources()) {}

  Result run(Execution& execution, std::vector<Misfit>& misfits) override;
  bool tell_rows(Execution& execution, const TellRow& tell, std::size_t most) override;

 private:
  class Sweep;
  class Causes;

  const Problem& p_;
  const KeyAccesses& accesses_;
  RowReads& rows_;
  const OrderNodes& nodes_;
  const weak::Guarantee& guarantee_;
  const Limits& limits_;
  const weak::VersionGraph versions_;
};

}  // namespace isoscope::visible
