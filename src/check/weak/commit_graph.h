#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/weak/known_sources.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/groups.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::weak {

/// An edge of the commit order that a level demands, with what it rests on: the reader of `read`
/// knows `from`, which wrote the key too, so the read's source comes later.
struct ForcedEdge {
  Txn from = 0;
  Txn to = 0;
  Txn reader = 0;
  std::uint32_t read = 0;  ///< index
};

/// Looks for an order of transactions that contains sessions, reads-from and further edges.
///
/// Sessions and reads-from are not copied into a graph: a transaction's predecessors are the one
/// before it in its chain and the sources of its reads. Cost: linear, by depth-first search.
class CommitGraph {
 public:
  /// Nodes behind the transactions may be points in time. `sources` must outlive the object.
  /// Without `reads_count` what was read from whom does not matter.
  CommitGraph(const KnownSources& sources, std::size_t points, bool reads_count = true)
      : sources_(sources),
        nodes_(static_cast<std::uint32_t>(sources.size() + points)),
        reads_count_(reads_count) {}

  void add(Txn from, Txn to) {
    // Nothing comes before the initial state.
    ISOSCOPE_REQUIRE(from < nodes_ && to != 0 && to < nodes_);
    if (from != 0) edges_.push_back({from, to});
  }
  /// The number of further edges that will be added.
  void expect(std::size_t count) { edges_.reserve(edges_.size() + count); }
  void add(std::span<const KnownEdge> edges) {
    for (const KnownEdge& edge : edges) add(edge.from, edge.to);
  }

  /// All transactions but the initial state, each after its predecessors; or nothing if there is a
  /// cycle, which is then in cycle().
  std::optional<std::vector<Txn>> order();
  /// Each node comes before the next one, and the last one before the first.
  const std::vector<std::uint32_t>& cycle() const { return cycle_; }
  /// The shortest of the cycles through some of cycle()'s nodes. Cost: linear.
  std::vector<std::uint32_t> short_cycle() const;

 private:
  struct Frame {
    std::uint32_t node = 0;
    std::uint32_t read = 0;
    std::uint32_t edge = 0;
    bool chain_is_done = false;
  };
  enum class State : std::uint8_t { unseen, entered, left };

  void sort_edges();
  Frame enter(std::uint32_t node);
  Frame frame_of(std::uint32_t node) const;
  /// The next predecessor of the frame's node; nothing if there is none.
  std::optional<std::uint32_t> next(Frame& frame) const;
  std::vector<std::uint32_t> shortest_cycle(std::uint32_t through) const;
  bool visit(std::uint32_t root, std::vector<Txn>& into);

  const KnownSources& sources_;
  std::uint32_t nodes_;
  bool reads_count_;
  std::vector<DirectedEdge> edges_;  // until they are sorted
  Groups<> before_;                  // by node: where its edges come from
  std::vector<State> states_;
  std::vector<Frame> stack_;
  std::vector<std::uint32_t> cycle_;
};

}  // namespace isoscope::weak
