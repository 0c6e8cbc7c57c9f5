#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/graph/digraph.h"

namespace isoscope {

/// A topological order of a graph that never changes (the base) plus labelled edges that come and
/// go as a stack. An edge that would close a cycle is refused, and the cycle is shown.
///
/// Example: base 0 -> 1, order 0 1 2. add(2 -> 0) moves 2 to the front: 2 0 1. add(1 -> 2) is then
/// refused, with the cycle 1 -> 2 -> 0 -> 1. After undo_to(0) it is accepted.
///
/// Method: Pearce and Kelly, A dynamic topological sort algorithm for directed acyclic graphs, JEA
/// 11, 2006. An edge that agrees with the order costs nothing but its entry. One that does not is
/// repaired within the affected region: the nodes ranked between its ends that its target reaches
/// or that reach its source trade places among themselves. Removing edges leaves the order as it
/// is, because it still fits. So a search that comes back to similar edges finds them mostly in
/// order.
///
/// Invariants: 1. ranks are a permutation of 0 .. node_count-1. 2. Every edge, base or labelled,
/// goes from a lower rank to a higher one.
///
/// Cost: 16 bytes per node, 20 per labelled edge. No allocation except when a buffer grows beyond
/// what any earlier call needed.
class IncrementalOrder {
 public:
  /// The label of base edges.
  static constexpr std::uint32_t no_label = 0xFFFFFFFF;

  struct LabelledEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t label = no_label;

    bool operator==(const LabelledEdge&) const = default;
  };

  /// `base` must outlive it; `order` lists all its nodes in a topological order.
  IncrementalOrder(const Digraph& base, std::span<const std::uint32_t> order);

  /// False if the edge would close a cycle; then nothing is added.
  bool add(DirectedEdge edge, std::uint32_t label);

  /// After add() said false: the edges of a cycle, first the refused edge, then the way back from
  /// its target to its source. Of all ways back it has the fewest labelled edges, and of those the
  /// fewest edges. Valid until the next add().
  std::span<const LabelledEdge> cycle() const { return cycle_; }

  /// How many labelled edges there are. undo_to(mark) keeps the first `mark` of them and removes
  /// the rest.
  std::size_t mark() const { return edges_.size(); }
  void undo_to(std::size_t mark);

  /// The labelled edges there are, in the order in which they were added.
  std::span<const LabelledEdge> labelled_edges() const { return edges_; }

  /// The place of a node in the present order.
  std::uint32_t rank(std::uint32_t node) const { return rank_[node]; }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(rank_.size()); }

 private:
  struct Links {
    std::uint32_t next_out;  ///< the next older edge with the same source
    std::uint32_t next_in;   ///< the next older edge with the same target
  };
  /// How a node is reached from the refused edge's target: the edge it is entered by, and what the
  /// way costs.
  struct Arrival {
    std::uint32_t labelled;
    std::uint32_t length;
    LabelledEdge by;
  };

  template <typename Visit>
  void for_each_out(std::uint32_t node, Visit visit) const;
  void collect_forward(std::uint32_t start, std::uint32_t highest_rank);
  void collect_backward(std::uint32_t start, std::uint32_t lowest_rank);
  void forget_places(const std::vector<std::uint32_t>& nodes);
  void sort_by_rank(std::vector<std::uint32_t>& nodes) const;
  void reorder();
  void find_way_back(DirectedEdge refused, std::uint32_t label);
  void push(DirectedEdge edge, std::uint32_t label);

  const Digraph& base_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> first_out_;  ///< newest labelled edge from a node, or none
  std::vector<std::uint32_t> first_in_;   ///< newest labelled edge to a node, or none
  std::vector<LabelledEdge> edges_;
  std::vector<Links> links_;  ///< one per entry of edges_

  // Scratch of one add(); between calls place_ is 0 everywhere.
  std::vector<std::uint32_t> place_;  ///< 1 + index of a collected node in its list, or 0
  std::vector<std::uint32_t> forward_;
  std::vector<std::uint32_t> backward_;
  std::vector<std::uint32_t> ranks_;
  std::vector<Arrival> arrivals_;  ///< one per entry of forward_
  std::vector<LabelledEdge> cycle_;
};

}  // namespace isoscope
