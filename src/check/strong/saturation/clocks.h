#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "check/strong/problem/order_problem.h"
#include "isoscope/base/limits.h"
#include "isoscope/graph/digraph.h"
#include "isoscope/graph/vector_clocks.h"
#include "isoscope/graph/window_clocks.h"

namespace isoscope::strong {

/// Which events are known to come before which. Where few chains cover the history, this is kept by
/// chain, which tells everything. Otherwise it is kept in a window around each event, which tells
/// nothing about two events that probably happened far apart. These are left to repair, which finds
/// them mostly in order.
class Clocks {
 public:
  /// Clocks without events.
  Clocks() = default;
  explicit Clocks(VectorClocks chains) : chains_(std::move(chains)) {}
  explicit Clocks(WindowClocks window) : by_window_(true), window_(std::move(window)) {}

  bool reaches(std::uint32_t from, std::uint32_t to) const {
    return by_window_ ? window_.reaches(from, to) : chains_.reaches(from, to);
  }
  /// Whether reaches() would know; otherwise it says no.
  bool tells(std::uint32_t from, std::uint32_t to) const {
    return !by_window_ || window_.tells(from, to);
  }
  /// What comes before `from` comes before `to`. True if that is news.
  bool merge(std::uint32_t from, std::uint32_t to) {
    return by_window_ ? window_.merge(from, to) : chains_.merge(from, to);
  }

  /// To be called when the caller will soon ask what comes before the event, or change that.
  void prefetch(std::uint32_t event) const {
    by_window_ ? window_.prefetch(event) : chains_.prefetch(event);
  }
  /// To be called when the caller will soon ask what comes after the event.
  void prefetch_place(std::uint32_t event) const {
    by_window_ ? window_.prefetch_place(event) : chains_.prefetch_place(event);
  }

 private:
  bool by_window_ = false;
  VectorClocks chains_;
  WindowClocks window_;
};

/// Whether clocks by chain would take neither too long nor too much memory.
bool are_affordable(const ChainCover& chains, const OrderProblem& problem, std::size_t most_chains,
                    const Limits& limits);

Clocks clocks_by_chain(const OrderProblem& problem);

/// By the chains of a cover of the graph, found greedily: along `order`, which is topological, each
/// event goes on with a chain whose last event is known to come before it. Chains do not start from
/// the initial state, whose events are those up to `initial`. Derived edges put events in order
/// that no session does. If `most_chains` chains are then enough, the clocks tell everything.
/// Otherwise the result is nothing.
std::optional<Clocks> clocks_through(const Digraph& graph, std::span<const std::uint32_t> order,
                                     std::uint32_t initial, const Clocks& known,
                                     std::size_t most_chains, const Limits& limits);

/// A window of up to `widest` events, as wide as can be afforded; `order` has all events and points
/// in time.
Clocks clocks_by_window(std::span<const std::uint32_t> order, std::size_t widest,
                        const Limits& limits);

}  // namespace isoscope::strong
