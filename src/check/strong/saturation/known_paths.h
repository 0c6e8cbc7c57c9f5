#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "check/strong/saturation/clocks.h"
#include "check/strong/saturation/known_graph.h"

namespace isoscope::strong {

/// One step of a path.
struct Hop {
  enum class Kind : std::uint8_t {
    edge,     ///< of the known graph
    session,  ///< from a commit to a begin of the same session
    time,     ///< ended before the other began
    inside,   ///< from a transaction's begin to its commit
    initial,  ///< the initial state comes first
  };
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  Kind kind = Kind::edge;
  std::uint32_t edge = none;
};
using Path = std::vector<Hop>;

/// Finds ways through the known graph as it was at some time. It finds shortest ways as long as
/// that is cheap, and otherwise any way, going as far as possible with each hop.
class KnownPaths {
 public:
  /// `clocks` may be null; they only spare work. `place` is the place of each node in a likely
  /// order.
  KnownPaths(const OrderProblem& problem, const KnownGraph& known, const Clocks* clocks,
             const std::vector<std::uint32_t>& place)
      : p_(problem),
        known_(known),
        clocks_(clocks),
        place_(place),
        arrived_(problem.node_count()) {}

  /// False if there is certainly no way.
  bool may_reach(std::uint32_t node, std::uint32_t to) const;

  /// A path from one node to another along the first `edges` edges, in which every hop is between
  /// neighbours; nothing if there is no way.
  std::optional<Path> find(std::uint32_t from, std::uint32_t to, std::uint32_t edges);

  /// The same path, which must not start in a point in time, with steps along a session or through
  /// points in time made one hop.
  Path folded(const Path& path) const;

  /// The hop from one node to a neighbour; nothing if it is no neighbour.
  std::optional<Hop> hop(std::uint32_t from, std::uint32_t to) const;

 private:
  struct Arrival {
    std::uint32_t search = 0;
    std::uint32_t from = 0;
    std::uint32_t edge = none;
  };

  bool search_near(std::uint32_t from, std::uint32_t to, std::uint32_t edges);
  bool search_far(std::uint32_t from, std::uint32_t to, std::uint32_t edges);
  void start(std::uint32_t from);
  template <class Visit>
  void for_each_next(std::uint32_t node, std::uint32_t to, std::uint32_t edges,
                     const Visit& visit) const;
  Hop chain_hop(std::uint32_t from, std::uint32_t to) const;

  const OrderProblem& p_;
  const KnownGraph& known_;
  const Clocks* clocks_;
  const std::vector<std::uint32_t>& place_;
  std::vector<Arrival> arrived_;
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> queue_;
};

}  // namespace isoscope::strong
