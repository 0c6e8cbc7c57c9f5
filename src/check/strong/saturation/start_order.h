#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/strong/saturation/known_graph.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::strong {

/// When a transaction took effect between its begin and its end, where that is one event; `middle`
/// leaves two events at both. In stores that lock, it is the end for all transactions. In stores
/// that read from snapshots, it is the begin for transactions that only read.
enum class Moment : std::uint8_t { middle, end, begin_of_readers };

/// When each event probably happened.
std::vector<std::uint64_t> likely_event_times(const LikelyTimes& likely,
                                              const OrderProblem& problem,
                                              Moment moment = Moment::middle);

/// Changes likely times so that they ascend along the edges of the graph, and returns the events in
/// that order. Returns nothing if the graph has a cycle or one of the `limits` was
/// reached.
///
/// Each event gets the middle between the earliest time it could have, if everything before it
/// happens no earlier than was thought, and the latest one. Where times are places in sessions, a
/// session goes on at its pace from there: the sessions that it read from, and those that read from
/// it, show where it was faster or slower than others. Example: sessions a1 a2 a3 and b1 b2 b3, at
/// 1 2 3 each; b2 reads from a3. Earliest, b2 is at 3 and b3 at 4; latest, a3 is at 2 and a2 at 1.
/// The middles: a1 0.5, a2 1.5, a3 and b2 2.5, b3 3.5.
std::optional<std::vector<std::uint32_t>> reconciled_order(const OrderProblem& problem,
                                                           const Digraph& graph, bool at_pace,
                                                           std::vector<std::uint64_t>& likely,
                                                           const Limits& limits,
                                                           const Workers& workers = Workers());

/// Times that come from how many events are known to come one after the other before each event,
/// and after it. Where clocks tell nothing, and much of the order has been derived, these times
/// tell most. `order` is topological for the graph.
std::vector<std::uint64_t> times_by_depth(const Digraph& graph,
                                          std::span<const std::uint32_t> order);

/// The known graph with all its edges: those along chains and from the initial state, too.
Digraph whole_graph(const OrderProblem& problem, const KnownGraph& known,
                    const Workers& workers = Workers());

}  // namespace isoscope::strong
