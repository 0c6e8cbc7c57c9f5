#include "isoscope/graph/shortest_cycle.h"

#include <algorithm>
#include <limits>
#include <span>

#include "isoscope/base/contract.h"
#include "isoscope/graph/components.h"

namespace isoscope {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The way back to the start of a search along the nodes each was entered from.
std::vector<std::uint32_t> path_to(std::uint32_t end, std::uint32_t start,
                                   const std::vector<std::uint32_t>& entered_from) {
  std::vector<std::uint32_t> path{end};
  while (path.back() != start) {
    path.push_back(entered_from[path.back()]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

class CycleSearch {
 public:
  CycleSearch(const Digraph& graph, std::uint64_t effort)
      : graph_(graph),
        effort_(effort),
        components_(graph),
        entered_from_(graph.node_count(), none) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      const std::span<const std::uint32_t> successors = graph_.successors(node);
      if (std::find(successors.begin(), successors.end(), node) != successors.end()) {
        return {node};
      }
    }
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      if (components_.size_at(node) == 1) {
        continue;
      }
      if (best_.size() == 2 || (!best_.empty() && looked_at_ >= effort_)) {
        break;
      }
      from(node);
    }
    return best_;
  }

 private:
  /// Looks for a cycle through `start` and higher nodes only that is shorter than the best. Lower
  /// nodes have had their turn, and a cycle through them would be known.
  void from(std::uint32_t start) {
    reached_.assign(1, start);
    entered_from_[start] = start;
    std::size_t distance = 0;  // of the nodes from `first` to `last`
    std::size_t first = 0;
    bool closed = false;
    // A node at distance d closes a cycle of d + 1 edges.
    while (!closed && first < reached_.size() && (best_.empty() || distance + 1 < best_.size())) {
      const std::size_t last = reached_.size();
      for (; first < last && !closed; ++first) {
        closed = expand(reached_[first], start);
      }
      ++distance;
      if (!best_.empty() && looked_at_ >= effort_) {
        break;
      }
    }
    for (const std::uint32_t node : reached_) {
      entered_from_[node] = none;
    }
  }

  bool expand(std::uint32_t node, std::uint32_t start) {
    for (const std::uint32_t next : graph_.successors(node)) {
      ++looked_at_;
      if (next == start) {
        best_ = path_to(node, start, entered_from_);
        return true;
      }
      if (next > start && entered_from_[next] == none &&
          components_.of(next) == components_.of(start)) {
        entered_from_[next] = node;
        reached_.push_back(next);
      }
    }
    return false;
  }

  const Digraph& graph_;
  const std::uint64_t effort_;
  Components components_;
  std::vector<std::uint32_t> entered_from_;
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> best_;
  std::uint64_t looked_at_ = 0;
};

}  // namespace

std::vector<std::uint32_t> shortest_cycle(const Digraph& graph, std::uint64_t effort) {
  return CycleSearch(graph, effort).run();
}

std::vector<std::uint32_t> shortest_path(const Digraph& graph, std::uint32_t from,
                                         std::uint32_t to) {
  ISOSCOPE_REQUIRE(from < graph.node_count() && to < graph.node_count());
  std::vector<std::uint32_t> entered_from(graph.node_count(), none);
  std::vector<std::uint32_t> reached{from};
  entered_from[from] = from;
  for (std::size_t i = 0; i < reached.size() && entered_from[to] == none; ++i) {
    for (const std::uint32_t next : graph.successors(reached[i])) {
      if (entered_from[next] == none) {
        entered_from[next] = reached[i];
        reached.push_back(next);
      }
    }
  }
  if (entered_from[to] == none) {
    return {};
  }
  return path_to(to, from, entered_from);
}

}  // namespace isoscope
