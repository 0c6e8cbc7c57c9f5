#include "isoscope/graph/incremental_order.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

}  // namespace

IncrementalOrder::IncrementalOrder(const Digraph& base, std::span<const std::uint32_t> order)
    : base_(base),
      rank_(base.node_count(), none),
      first_out_(base.node_count(), none),
      first_in_(base.node_count(), none),
      place_(base.node_count(), 0) {
  ISOSCOPE_REQUIRE(order.size() == base.node_count());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    ISOSCOPE_REQUIRE(order[rank] < order.size() && rank_[order[rank]] == none);
    rank_[order[rank]] = rank;
  }
  for (std::uint32_t node = 0; node < order.size(); ++node) {
    for (const std::uint32_t next : base.successors(node)) {
      ISOSCOPE_REQUIRE(rank_[node] < rank_[next]);
    }
  }
}

bool IncrementalOrder::add(DirectedEdge edge, std::uint32_t label) {
  ISOSCOPE_REQUIRE(edge.from < node_count() && edge.to < node_count());
  if (rank_[edge.from] < rank_[edge.to]) {
    push(edge, label);
    return true;
  }
  collect_forward(edge.to, rank_[edge.from]);
  if (place_[edge.from] != 0) {
    find_way_back(edge, label);
    forget_places(forward_);
    return false;
  }
  collect_backward(edge.from, rank_[edge.to]);
  forget_places(forward_);
  forget_places(backward_);
  reorder();
  push(edge, label);
  return true;
}

void IncrementalOrder::undo_to(std::size_t mark) {
  ISOSCOPE_REQUIRE(mark <= edges_.size());
  while (edges_.size() > mark) {
    // The newest edge is at the head of both its lists.
    first_out_[edges_.back().from] = links_.back().next_out;
    first_in_[edges_.back().to] = links_.back().next_in;
    edges_.pop_back();
    links_.pop_back();
  }
}

void IncrementalOrder::push(DirectedEdge edge, std::uint32_t label) {
  const auto index = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back({edge.from, edge.to, label});
  links_.push_back(
      {std::exchange(first_out_[edge.from], index), std::exchange(first_in_[edge.to], index)});
}

/// Visits base edges first, then labelled ones from the newest to the oldest.
template <typename Visit>
void IncrementalOrder::for_each_out(std::uint32_t node, Visit visit) const {
  for (const std::uint32_t next : base_.successors(node)) {
    visit(LabelledEdge{node, next, no_label});
  }
  for (std::uint32_t i = first_out_[node]; i != none; i = links_[i].next_out) {
    visit(edges_[i]);
  }
}

/// Collects all nodes that `start` reaches without going beyond a rank, breadth-first.
void IncrementalOrder::collect_forward(std::uint32_t start, std::uint32_t highest_rank) {
  forward_.assign(1, start);
  place_[start] = 1;
  for (std::size_t i = 0; i < forward_.size(); ++i) {
    for_each_out(forward_[i], [&](const LabelledEdge& edge) {
      if (place_[edge.to] == 0 && rank_[edge.to] <= highest_rank) {
        forward_.push_back(edge.to);
        place_[edge.to] = static_cast<std::uint32_t>(forward_.size());
      }
    });
  }
}

/// Collects all nodes that reach `start` without going below a rank. None of them has been
/// collected forward, or there would be a cycle.
void IncrementalOrder::collect_backward(std::uint32_t start, std::uint32_t lowest_rank) {
  backward_.assign(1, start);
  place_[start] = 1;
  const auto reach = [&](std::uint32_t node) {
    if (place_[node] == 0 && rank_[node] >= lowest_rank) {
      backward_.push_back(node);
      place_[node] = static_cast<std::uint32_t>(backward_.size());
    }
  };
  for (std::size_t i = 0; i < backward_.size(); ++i) {
    const std::uint32_t node = backward_[i];
    for (const std::uint32_t previous : base_.predecessors(node)) {
      reach(previous);
    }
    for (std::uint32_t edge = first_in_[node]; edge != none; edge = links_[edge].next_in) {
      reach(edges_[edge].from);
    }
  }
}

void IncrementalOrder::forget_places(const std::vector<std::uint32_t>& nodes) {
  for (const std::uint32_t node : nodes) {
    place_[node] = 0;
  }
}

void IncrementalOrder::sort_by_rank(std::vector<std::uint32_t>& nodes) const {
  std::sort(nodes.begin(), nodes.end(),
            [&](std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; });
}

/// Hands out again the ranks that the collected nodes have: first to the nodes that reach the new
/// edge's source, then to those that its target reaches. Each group keeps its order.
void IncrementalOrder::reorder() {
  sort_by_rank(backward_);
  sort_by_rank(forward_);
  ranks_.clear();
  for (const std::uint32_t node : backward_) {
    ranks_.push_back(rank_[node]);
  }
  for (const std::uint32_t node : forward_) {
    ranks_.push_back(rank_[node]);
  }
  std::inplace_merge(ranks_.begin(), ranks_.begin() + static_cast<std::ptrdiff_t>(backward_.size()),
                     ranks_.end());
  std::size_t next = 0;
  for (const std::uint32_t node : backward_) {
    rank_[node] = ranks_[next++];
  }
  for (const std::uint32_t node : forward_) {
    rank_[node] = ranks_[next++];
  }
}

/// The cheapest way from the target to the source, both of which are in forward_. What is collected
/// there has no cycle, so one pass in rank order settles each node before it is left.
void IncrementalOrder::find_way_back(DirectedEdge refused, std::uint32_t label) {
  sort_by_rank(forward_);
  for (std::uint32_t i = 0; i < forward_.size(); ++i) {
    place_[forward_[i]] = i + 1;
  }
  arrivals_.assign(forward_.size(), {none, none, {}});
  arrivals_.front() = {0, 0, {}};
  for (std::size_t i = 0; i < forward_.size(); ++i) {
    const Arrival here = arrivals_[i];
    for_each_out(forward_[i], [&](const LabelledEdge& edge) {
      if (place_[edge.to] == 0) {
        return;
      }
      Arrival& there = arrivals_[place_[edge.to] - 1];
      const Arrival found{here.labelled + (edge.label == no_label ? 0 : 1), here.length + 1, edge};
      if (std::pair(found.labelled, found.length) < std::pair(there.labelled, there.length)) {
        there = found;
      }
    });
  }
  cycle_.clear();
  for (std::uint32_t node = refused.from; node != refused.to;) {
    cycle_.push_back(arrivals_[place_[node] - 1].by);
    node = cycle_.back().from;
  }
  cycle_.push_back({refused.from, refused.to, label});
  std::reverse(cycle_.begin(), cycle_.end());
}

}  // namespace isoscope
