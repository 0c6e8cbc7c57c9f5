#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "check/reads/accesses.h"
#include "check/weak/known_sources.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"

/// The weak levels: those that a history satisfies or not without a search, if it is known which
/// transaction each read is from.
///
/// The idea. A read of x from U by a reader that knows S, another writer of x, says that S comes
/// before U: else the reader would have been shown something older than what it knew. All such
/// edges together with sessions and reads-from must have no cycle. Levels differ in what a reader
/// knows. The session guarantees ask for an order of each key's versions instead of one order of
/// all transactions.
///
///   known_sources.h       transactions by session, reads with their sources, writes
///   plain_sources.cpp     the same, faster, where all reads and writes are plain
///   list_order.h          the edges that lists show
///   forced_edges.h        the edges that read committed, read atomic and causal demand
///   causal_clocks.h       what comes before what by sessions and reads-from
///   commit_graph.h        an order with these edges, or a cycle
///   order_like_time.h     the same if reads have several candidates
///   version_graph.h       the versions of each key, for session_guarantees.h
///
/// Reads with several candidates demand nothing, so `violated` is true whatever they are from. For
/// `holds` their sources are chosen along an order, and the level is asked again.
///
/// The characterisations are those of Biswas and Enea (OOPSLA 2019), Bouajjani et al. (POPL 2017)
/// and, for session guarantees, of the catalogue's definitions.
namespace isoscope::weak {

/// Whether there is a way to decide the level here.
bool has_checker(LevelId level);

/// By TransactionId: those that may be in an execution, as far as the first pass knows. Where dirty
/// reads are allowed, what an indeterminate transaction did can be seen without its commit. So all
/// of these count as aborted there, which leaves the most freedom.
std::vector<std::uint8_t> participants(const History& history, const Verdict& verdict);

/// For a verdict that is `holds`: which indeterminate transactions count as committed there.
void count_indeterminate(const History& history,
                         const std::function<bool(TransactionId)>& is_committed, Verdict& verdict);

/// Fills in the answer of the verdict, whose reads the first pass has found in order. Requires
/// has_checker.
void check_weak(const History& history, const KeyAccesses& accesses, const CheckOptions& options,
                Verdict& verdict);

/// The same for the sources of a plain history (KnownSources::if_plain), which levels can share.
/// The verdict has no certificate.
void check_plain(KnownSources& sources, const CheckOptions& options, Verdict& verdict);

}  // namespace isoscope::weak
