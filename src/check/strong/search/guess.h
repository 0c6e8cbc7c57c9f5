#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "check/strong/search/replay.h"
#include "isoscope/base/limits.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::strong {

struct Guess {
  std::vector<std::uint32_t> order;
  Misfits misfits;  ///< what is wrong in it, as replay() finds it
};

/// Guesses an order of all events, topological for `graph`, in which most reads see what they
/// should: lets transactions happen like a careful scheduler that knows what everybody will read.
///
/// The likeliest of the events that may come next happens, unless it had better wait. A reader
/// waits for a candidate that is still to come, and a writer for the known readers of the version
/// it would hide. Where writers of a key must not overlap, a begin waits for the commit of another
/// writer. When all that is left waits, the likeliest event goes ahead: then some read is wrong,
/// and is left to repair.
///
/// A list to which elements were appended more than once is looked at by its length: its readers
/// wait for their length, and its appenders for the readers of the present length.
///
/// Cost: edges + events * log(waiting), and the candidates of open reads. Without it, with just the
/// likeliest event first, histories with many repeated values need a hundred times more repairs.
///
/// The order is empty if a limit was reached. Events on cycles of the graph,
/// and what comes after them, are left out.
Guess guess_order(const OrderProblem& problem, const Digraph& graph,
                  std::span<const std::uint64_t> likely_times, const Limits& limits);

}  // namespace isoscope::strong
