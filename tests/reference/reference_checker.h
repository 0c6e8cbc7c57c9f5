#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

/// The reference checker: decides every level of the catalogue for small histories, slowly and
/// straight from the definitions. Every engine is tested against it, so it shares no code with
/// them.
///
/// A history is at a level if what was not recorded can be filled in so that the definition is
/// true: which indeterminate transactions committed, in which order the versions of each key
/// replaced each other, and which of several equal versions a read returned. All ways are tried.
///
///   scenario.h           what a history says, once it is settled which transactions committed
///                        (read this first: lists, predicates, sessions, real time and initial
///                        values are there)
///   execution.h          a scenario of which the rest is filled in too
///   definitions.h        the levels that are about dependencies, as predicates on executions
///   execution_search.h   all executions of a scenario
///   replay.h             the levels that are about states of a commit order: snapshots, serial
///   dirty_reads.h        read uncommitted, whose reads need not return versions
///   valid_reads.h        the two levels that judge each read by itself
///
/// Limits (a contract): at most 8 transactions that committed or may have; every write reported
/// (the rows of predicate writes too); no key that is appended to is also written, inserted or
/// deleted.
namespace isoscope::reference {

/// Says that of two versions of a key the first one comes before the second one, where both are
/// there. The transaction is nothing for the initial version.
struct AssumedOrder {
  KeyId key;
  std::optional<TransactionId> earlier;
  std::optional<TransactionId> later;
};

struct Options {
  /// T comes before U in real time if end(T) + clock_skew < begin(U), both known; in ns.
  std::int64_t clock_skew = 0;
  /// Whether an indeterminate transaction cuts its session; nothing: what the history says.
  std::optional<bool> indeterminate_cuts = {};
  /// Only executions with such orders of versions count.
  std::vector<AssumedOrder> assumed = {};
};

bool satisfies(const History& history, Level level, const Options& options = {});

/// For each of the levels, whether the history is at it. Cheaper than asking one by one.
std::vector<bool> satisfied(const History& history, std::span<const Level> levels,
                            const Options& options = {});

}  // namespace isoscope::reference
