#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/coverage.h"
#include "isoscope/check/undecided_read.h"
#include "isoscope/history/history.h"

namespace isoscope {

struct FirstPassOptions {
  /// An indeterminate transaction with a read that is certainly one of these cannot have committed.
  /// The default is what `valid-reads` forbids: all but non-repeatable reads.
  ReadFindings forbidden = {ReadFinding::internal_inconsistency, ReadFinding::aborted_read,
                            ReadFinding::intermediate_read,      ReadFinding::future_read,
                            ReadFinding::thin_air_read,          ReadFinding::missed_row};
  /// Both must outlive what they are given to.
  std::reference_wrapper<const Limits> limits = Limits::none();
  std::reference_wrapper<Progress> progress = Progress::silent();
};

struct FirstPassResult {
  /// The bad reads of committed transactions, all kinds, sorted by transaction and operation.
  std::vector<BadRead> findings;

  // Which indeterminate transactions count as committed: the largest set in which no read is
  // forbidden.
  std::vector<TransactionId> counted_committed;
  std::vector<TransactionId> counted_aborted;
  /// Why each of counted_aborted cannot have committed; each entry rests on the entries before it.
  std::vector<BadRead> ruled_out;

  /// Undecided reads of committed transactions and of those counted as committed. There is one
  /// example for each kind that they might be.
  std::vector<UndecidedRead> undecided;

  /// Set when a limit was reached; all of the above is then empty.
  std::optional<StopReason> stopped;
  /// Steps taken, for tests of cost: operations, rows, list elements and candidates looked at.
  std::uint64_t work = 0;
};

/// Finds every bad read of a history, whatever the level: internal inconsistencies, aborted,
/// intermediate, future and thin-air reads, missed rows and non-repeatable reads.
/// docs/first-pass.md has examples of each.
///
///   w(x,1) r(x,2)                     internal inconsistency
///   T1 w(x,1) aborted | T2 r(x,1)     aborted read
///   T1 w(x,1) w(x,2)  | T2 r(x,1)     intermediate read
///   r(x,1) w(x,1)                     future read
///   r(x,9)                            thin-air read
///   initial x=1 | rp(true, {})        missed row
///   r(x,1) r(x,2)                     non-repeatable read
///
/// A read is good if there is any way to explain it: by the transaction's own latest write;
/// otherwise by the initial value, or by a final write of another transaction that committed or may
/// have. A predicate is a read of every key of its table. For each row that it left out, it must
/// have seen a version that it does not select. For each row that a predicate write changed, it
/// must have seen a version that it selects. Reads whose value the client never learned, and reads
/// of aborted transactions, say nothing.
///
/// Cost: linear in operations, returned rows and distinct list elements, and 12 bytes an operation;
/// only the writes of keys with bad reads are sorted. Not linear are: own writes times predicate
/// operations within one transaction (each own row is held against each predicate); initial rows
/// that a predicate selects and did not return, because they were changed
/// (src/check/reads/unreturned_rows.h); chains of indeterminate transactions that rule each other
/// out through rows which predicates left out or changed (a pass over the history for each link);
/// and the search that lists with repeatedly appended elements need (it is bounded, and gives up as
/// undecided).
FirstPassResult first_pass(const History& history, const FirstPassOptions& options = {});

/// What the findings leave out.
std::vector<Remark> remarks_about(const History& history, const FirstPassResult& result);

}  // namespace isoscope
