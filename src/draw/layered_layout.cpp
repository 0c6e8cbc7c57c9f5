#include "isoscope/draw/layered_layout.h"

#include <algorithm>

#include "draw/layered_graph.h"

namespace isoscope {
namespace {

constexpr int widest_port_gap = 16;
constexpr int port_margin = 8;

// Where an edge meets a box: edges that leave a box on one side leave next to each other, in the
// order of where they go.
class Ports {
 public:
  Ports(const LayeredGraph& graph, const std::vector<int>& column)
      : graph_(graph), column_(column) {}

  // `next` is the slot the edge goes to (comes from) at this side of the node.
  int of(std::size_t node, std::size_t next, bool below) const {
    std::vector<std::size_t> near = below ? graph_.slots[node].down : graph_.slots[node].up;
    std::stable_sort(near.begin(), near.end(),
                     [&](std::size_t a, std::size_t b) { return column_[a] < column_[b]; });
    const auto index = static_cast<int>(std::find(near.begin(), near.end(), next) - near.begin());
    const auto count = static_cast<int>(near.size());
    const int room = std::max(0, graph_.slots[node].width - 2 * port_margin);
    const int gap = count > 1 ? std::min(widest_port_gap, room / (count - 1)) : 0;
    return column_[node] + (2 * index - (count - 1)) * gap / 2;
  }

 private:
  const LayeredGraph& graph_;
  const std::vector<int>& column_;
};

}  // namespace

LayeredLayout layered_layout(std::span<const DrawnSize> nodes, std::span<const DrawnEdge> edges,
                             const LayeredLayoutOptions& options) {
  LayeredGraph graph = make_slots(nodes, edges);
  reduce_crossings(graph);
  const std::vector<int> column = place_columns(graph, options);

  LayeredLayout layout;
  std::vector<int> top(graph.layers.size());
  std::vector<int> bottom(graph.layers.size());
  for (std::size_t l = 0; l < graph.layers.size(); ++l) {
    int tallest = 0;
    for (const std::size_t slot : graph.layers[l]) {
      if (graph.slots[slot].is_node) tallest = std::max(tallest, nodes[slot].height);
    }
    top[l] = l == 0 ? 0 : bottom[l - 1] + options.layer_gap;
    bottom[l] = top[l] + tallest;
    layout.height = bottom[l];
  }
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const std::size_t l = graph.slots[node].layer;
    const DrawnSize size = nodes[node];
    layout.boxes.push_back({column[node] - size.width / 2, (top[l] + bottom[l] - size.height) / 2,
                            size.width, size.height});
  }
  for (std::size_t slot = 0; slot < graph.slots.size(); ++slot) {
    layout.width = std::max(layout.width, column[slot] + (graph.slots[slot].width + 1) / 2);
  }

  const Ports ports(graph, column);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& chain = graph.chains[e];
    std::vector<DrawnPoint> route;
    if (!chain.empty()) {
      const DrawnBox& first = layout.boxes[chain.front()];
      const int start = ports.of(chain.front(), chain[1], true);
      route.push_back({start, first.y + first.height});
      route.push_back({start, bottom[graph.slots[chain.front()].layer]});
      for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
        const std::size_t l = graph.slots[chain[i]].layer;
        route.push_back({column[chain[i]], top[l]});
        route.push_back({column[chain[i]], bottom[l]});
      }
      const int end = ports.of(chain.back(), chain[chain.size() - 2], false);
      route.push_back({end, top[graph.slots[chain.back()].layer]});
      route.push_back({end, layout.boxes[chain.back()].y});
      if (graph.points_up[e]) std::reverse(route.begin(), route.end());
    }
    layout.routes.push_back(std::move(route));
  }
  return layout;
}

}  // namespace isoscope
