#pragma once  // Part of the API: docs/api.md.

#include <cstdint>
#include <functional>
#include <optional>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

struct ShrinkOptions {
  /// Both must outlive what they are given to.
  std::reference_wrapper<const Limits> limits = Limits::none();
  std::reference_wrapper<Progress> progress = Progress::silent();
  /// Real-time levels: how much the clients' clocks may differ, in ns.
  std::int64_t clock_skew = 0;
  /// As CheckOptions::indeterminate_cuts.
  std::optional<bool> indeterminate_cuts = {};
};

struct ShrinkResult {
  /// The verdict on the history given. Unless it is `violated` there is nothing to shrink.
  Verdict verdict;
  /// The smallest history found that violates the level, and its verdict.
  std::optional<History> history;
  std::optional<Verdict> smallest;
  /// Without any one of its transactions or operations, and the reads that need it, it would not
  /// violate the level, or only in another way. False when a limit was reached before that was
  /// certain.
  bool minimal = false;
  std::optional<StopReason> stopped;
  /// Some reads have lost sources that real time rules out in the history given: rule 7 below.
  bool leans_on_time = false;
  std::uint64_t checks = 0;
};

/// Makes a history that violates the level as small as possible: the least a reader has to look at.
///
///   a: T1 r(x,nil) w(y,1) r(z,3) | b: T2 r(y,nil) w(x,1) | c: T3 w(z,3)
///   at serializable:  a: T1 r(x,nil) w(y,1) | b: T2 r(y,nil) w(x,1)
///
/// What is left is a *sound* part of the history: whatever level of the catalogue it violates, the
/// history violates (with the clock skew and the rule for sessions that are given here). And it is
/// violated in the same way: the anomaly keeps its name, or the part rules out all the levels that
/// the explanation of the whole rules out; where no single read is to blame none becomes bad, and a
/// bad read stays of a kind that was found.
///
/// **What may be left out.** Any transaction, write or read may go; but a read that stays needs
/// what follows, or it goes as well. (A transaction without operations may stay: it has its place
/// in the session and in time.)
///
/// 1. A read after an own write needs the latest own write of the key; a read of a list, all own
///    appends.
/// 2. Any other read needs every *source* that it may have: every transaction, other than its own
///    and not aborted, whose last write of the key is what was read. (The initial value is always
///    there.) If there is none, the read is bad; then it needs one of the dirty writes that it
///    may have seen.
/// 3. A read of a list needs all appends of its last element, for these are its sources. The
///    appends of any other element all stay, or all go; then the element leaves the lists read.
///    Elements of the initial list cannot go.
/// 4. What a predicate says of one key is a read by itself: of the row returned, of some row that
///    it selects (if it changed that), or of some version that it does not select. Sources are all
///    writes of such versions. Rows leave the result with their keys. Where the key is needed for
///    something else the condition is narrowed: "branch = 3 and @key <> 12", which is what a
///    narrower query would have seen; unless the transaction itself goes on to write that key: then
///    the predicate goes. A row of a predicate write whose read goes becomes a plain write.
/// 5. A session that is cut by a transaction of unknown outcome stays so: the transaction is kept,
///    without operations.
/// 6. What was not reported may have been anything, so it counts as a source of every read of the
///    key (or table). Keys that are both appended to and written lose no write while they are read.
/// 7. At strict serializability and strong snapshot isolation, a register's source may go that real
///    time rules out: it began after the reader ended, or it ended before another writer of the key
///    began that itself ended before the reader began. If all sources are ruled out, one stays.
///    Such a part is taken only if it is serializable, and the whole violates strong read committed
///    and what that implies if the part does (`leans_on_time`).
///
/// "Every source" is essential. `a: T1 w(x,1) ; T2 w(x,2) | b: T3 r(x,1) ; T4 w(x,1)` is
/// serializable; without T1 the read is of T4, which comes later.
///
/// **Why that is sound.** Let the history be at a level by some execution: a set of committed
/// transactions, an order of the versions of each key, a source for each read. Take from it what is
/// left out. Every read that stays has its source, by 1 to 4 and 6, and still returns what it left:
/// a list by 3, since the elements that went are the same in it and in the version. Between the
/// source and the read there is no new version, the orders of sessions (by 5) and times are those
/// among the transactions that stay, and a write that is its transaction's last one only now is
/// read by nobody. Every level of the catalogue forbids patterns of sources, versions and orders,
/// so it allows an execution with fewer of them. (Lists need *their* last element: with it gone the
/// read would have another source, and at read committed it matters which.) Of a key that a
/// narrowed predicate excludes it reads whatever version is there, which says nothing; one that
/// fits is the latest that stays of those that the level makes it see, unless that is its own.
///
/// By 7 a source goes that the read cannot have in any execution at the two levels, where a reader
/// sees all that ended before it began, and nothing that began after it ended. So what the part
/// says about these two levels is true of the whole. At other levels the read might have that
/// source; but there the part says nothing: it is at every level that serializability implies, and
/// src/shrink/time_only.h shows the same of the others. With values that repeat a hundred times, a
/// stale read then takes two transactions to show, not a hundred. (A source that the engine rules
/// out at another level stays: no engine decides the levels that this one does not imply.)
///
/// **How.** First only what the evidence speaks of is kept, and what that needs: mostly a few
/// transactions, however many the history has. If that is very much, what is around the anomaly
/// comes first. Where values repeat it may be many transactions, so the same is tried with only
/// those reads that have one source, two, four or eight. Then delta debugging (Zeller and
/// Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002) takes away halves,
/// quarters, ... and single sessions, transactions, operations and rows, with a check for each,
/// until nothing can be spared. With real time this is done first without rule 7 and then with it.
/// A trial costs what is in it, not what is in the history. The result is deterministic.
ShrinkResult shrink(const History& history, Level level, const ShrinkOptions& options = {});

}  // namespace isoscope
