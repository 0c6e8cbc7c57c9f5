#include "isoscope/graph/shortest_cycle.h"

#include <algorithm>
#include <limits>
#include <span>

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Numbers the strongly connected components (Tarjan, Depth-first search and linear graph
/// algorithms, 1972), with an explicit stack, for a path can be as long as the graph.
class Components {
 public:
  explicit Components(const Digraph& graph)
      : graph_(graph),
        component_(graph.node_count(), none),
        visit_(graph.node_count(), 0),
        low_(graph.node_count(), 0) {
    for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
      if (visit_[node] == 0) {
        explore(node);
      }
    }
  }

  std::uint32_t of(std::uint32_t node) const { return component_[node]; }
  std::uint32_t size_at(std::uint32_t node) const { return sizes_[component_[node]]; }

 private:
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;  ///< which successor is to be looked at next
  };

  void enter(std::uint32_t node) {
    visit_[node] = low_[node] = ++visits_;
    open_.push_back(node);
    frames_.push_back({node, 0});
  }

  void explore(std::uint32_t start) {
    enter(start);
    while (!frames_.empty()) {
      const std::uint32_t node = frames_.back().node;
      const std::span<const std::uint32_t> successors = graph_.successors(node);
      if (frames_.back().next < successors.size()) {
        const std::uint32_t next = successors[frames_.back().next++];
        if (visit_[next] == 0) {
          enter(next);
        } else if (component_[next] == none) {
          low_[node] = std::min(low_[node], visit_[next]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        std::uint32_t& low = low_[frames_.back().node];
        low = std::min(low, low_[node]);
      }
      if (low_[node] == visit_[node]) {
        close(node);
      }
    }
  }

  void close(std::uint32_t root) {
    const auto number = static_cast<std::uint32_t>(sizes_.size());
    sizes_.push_back(0);
    while (component_[root] == none) {
      component_[open_.back()] = number;
      ++sizes_.back();
      open_.pop_back();
    }
  }

  const Digraph& graph_;
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> visit_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> frames_;
  std::uint32_t visits_ = 0;
};

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
