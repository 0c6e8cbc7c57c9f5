#include <algorithm>
#include <cstdint>

#include "draw/layered_graph.h"
#include "isoscope/base/contract.h"

namespace isoscope {
namespace {

// The edges as an acyclic graph: edges that lead back to a node on the path of a depth-first walk
// are turned around.
class Orientation {
 public:
  Orientation(std::size_t nodes, std::span<const DrawnEdge> edges)
      : edges_(edges), out_(nodes), state_(nodes, State::unseen), turned_(edges.size(), false) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      ISOSCOPE_REQUIRE(edges[e].from < nodes && edges[e].to < nodes);
      if (edges[e].from != edges[e].to) out_[edges[e].from].push_back(e);
    }
    for (std::size_t node = 0; node < nodes; ++node) walk_from(node);
  }

  std::vector<bool> take() { return std::move(turned_); }

 private:
  enum class State : std::uint8_t { unseen, on_path, done };

  void walk_from(std::size_t start) {
    if (state_[start] != State::unseen) return;
    std::vector<std::pair<std::size_t, std::size_t>> path;  // node, how many of its edges are done
    path.emplace_back(start, 0);
    state_[start] = State::on_path;
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == out_[node].size()) {
        state_[node] = State::done;
        path.pop_back();
        continue;
      }
      const std::size_t edge = out_[node][next++];
      const std::size_t to = edges_[edge].to;
      if (state_[to] == State::on_path) turned_[edge] = true;
      if (state_[to] == State::unseen) {
        state_[to] = State::on_path;
        path.emplace_back(to, 0);
      }
    }
  }

  std::span<const DrawnEdge> edges_;
  std::vector<std::vector<std::size_t>> out_;
  std::vector<State> state_;
  std::vector<bool> turned_;
};

struct Neighbours {
  std::vector<std::vector<std::size_t>> above;
  std::vector<std::vector<std::size_t>> below;
};

// Each node as high as its longest path from the top allows.
std::vector<std::size_t> highest_layers(const Neighbours& near) {
  const std::size_t nodes = near.above.size();
  std::vector<std::size_t> layer(nodes, 0);
  std::vector<std::size_t> missing(nodes);
  std::vector<std::size_t> ready;
  for (std::size_t node = 0; node < nodes; ++node) {
    missing[node] = near.above[node].size();
    if (missing[node] == 0) ready.push_back(node);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    for (const std::size_t lower : near.below[ready[i]]) {
      layer[lower] = std::max(layer[lower], layer[ready[i]] + 1);
      if (--missing[lower] == 0) ready.push_back(lower);
    }
  }
  ISOSCOPE_ENSURE(ready.size() == nodes);
  return layer;
}

// Moves a node with more edges below than above down to its nearest lower neighbour, and the other
// way round, until no edge gets shorter by that. Each move shortens the total, so this ends.
void shorten_edges(const Neighbours& near, std::vector<std::size_t>& layer) {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t node = 0; node < layer.size(); ++node) {
      const auto& above = near.above[node];
      const auto& below = near.below[node];
      std::size_t wanted = layer[node];
      if (below.size() > above.size()) {
        wanted = SIZE_MAX;
        for (const std::size_t lower : below) wanted = std::min(wanted, layer[lower] - 1);
      } else if (above.size() > below.size()) {
        wanted = 0;
        for (const std::size_t upper : above) wanted = std::max(wanted, layer[upper] + 1);
      }
      moved = moved || wanted != layer[node];
      layer[node] = wanted;
    }
  }
}

}  // namespace

LayeredGraph make_slots(std::span<const DrawnSize> nodes, std::span<const DrawnEdge> edges) {
  LayeredGraph graph;
  graph.points_up = Orientation(nodes.size(), edges).take();
  Neighbours near{std::vector<std::vector<std::size_t>>(nodes.size()),
                  std::vector<std::vector<std::size_t>>(nodes.size())};
  const auto ends_of = [&](std::size_t edge) {
    const auto [from, to] = edges[edge];
    return graph.points_up[edge] ? std::pair(to, from) : std::pair(from, to);
  };
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [upper, lower] = ends_of(e);
    if (upper == lower) continue;
    near.below[upper].push_back(lower);
    near.above[lower].push_back(upper);
  }
  std::vector<std::size_t> layer = highest_layers(near);
  shorten_edges(near, layer);

  for (std::size_t node = 0; node < nodes.size(); ++node) {
    graph.slots.push_back({layer[node], nodes[node].width, true, {}, {}});
  }
  const auto link = [&](std::size_t upper, std::size_t lower) {
    graph.slots[upper].down.push_back(lower);
    graph.slots[lower].up.push_back(upper);
  };
  graph.chains.resize(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [upper, lower] = ends_of(e);
    if (upper == lower) continue;
    auto& chain = graph.chains[e];
    chain.push_back(upper);
    for (std::size_t between = layer[upper] + 1; between < layer[lower]; ++between) {
      graph.slots.push_back({between, 0, false, {}, {}});
      link(chain.back(), graph.slots.size() - 1);
      chain.push_back(graph.slots.size() - 1);
    }
    link(chain.back(), lower);
    chain.push_back(lower);
  }
  for (std::size_t slot = 0; slot < graph.slots.size(); ++slot) {
    const std::size_t l = graph.slots[slot].layer;
    if (graph.layers.size() <= l) graph.layers.resize(l + 1);
    graph.layers[l].push_back(slot);
  }
  return graph;
}

}  // namespace isoscope
