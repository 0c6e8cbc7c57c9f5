#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/reads/accesses.h"
#include "check/reads/presumed_outcome.h"
#include "check/reads/unreported_writes.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/limits.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// One round of judging all reads, while the presumed outcome of each transaction is fixed. It has
/// what the parts of the pass share, and what they find.
struct JudgingRound {
  const History& history;
  const KeyAccesses& accesses;
  const UnreportedWrites& unreported;
  const std::vector<PresumedOutcome>& presumed;  // by transaction
  const Limits& limits;

  std::vector<BadRead> found = {};
  std::vector<UndecidedRead> undecided = {};  // at most one of each kind
  std::uint64_t work = 0;

  std::optional<StopReason> stopped() const { return limits.reached(); }
  bool counts(TransactionId t) const {
    ISOSCOPE_REQUIRE(t.index() < presumed.size());
    return isoscope::counts(presumed[t.index()]);
  }

  /// A finding about `read` with everything but its problem filled in.
  BadRead start(const Access& read, KeyId key) const;
  /// Keeps the finding. An unreported write of an aborted transaction is one more thing the read
  /// may have seen.
  void add(BadRead finding);
  /// The key was read before in the transaction, as another version.
  void add_changed(const Access& read, const Access& first, KeyId key);
  void add_undecided(UndecidedRead::Why why, OperationRef read, KeyId key, ReadFinding kind);
};

}  // namespace isoscope
