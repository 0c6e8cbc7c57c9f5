#include "isoscope/graph/components.h"

#include <algorithm>
#include <limits>
#include <span>

namespace isoscope {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Components::Components(const Digraph& graph)
    : component_(graph.node_count(), none),
      visit_(graph.node_count(), 0),
      low_(graph.node_count(), 0) {
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    if (visit_[node] == 0) explore(graph, node);
  }
}

void Components::enter(std::uint32_t node) {
  visit_[node] = low_[node] = ++visits_;
  open_.push_back(node);
  frames_.push_back({node, 0});
}

void Components::explore(const Digraph& graph, std::uint32_t start) {
  enter(start);
  while (!frames_.empty()) {
    const std::uint32_t node = frames_.back().node;
    const std::span<const std::uint32_t> successors = graph.successors(node);
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
    if (low_[node] == visit_[node]) close(node);
  }
}

void Components::close(std::uint32_t root) {
  const auto number = static_cast<std::uint32_t>(sizes_.size());
  sizes_.push_back(0);
  while (component_[root] == none) {
    component_[open_.back()] = number;
    ++sizes_.back();
    open_.pop_back();
  }
}

}  // namespace isoscope
