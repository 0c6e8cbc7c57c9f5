#include <algorithm>
#include <cstdint>

#include "draw/layered_graph.h"

namespace isoscope {
namespace {

constexpr int starts = 8;
constexpr int sweeps = 24;

using Positions = std::vector<std::size_t>;

Positions positions_of(const LayeredGraph& graph) {
  Positions position(graph.slots.size());
  for (const auto& layer : graph.layers) {
    for (std::size_t i = 0; i < layer.size(); ++i) position[layer[i]] = i;
  }
  return position;
}

// How many links of `left` cross links of `right` on one side if left stands left of right.
std::size_t crossings_between(const std::vector<std::size_t>& left,
                              const std::vector<std::size_t>& right, const Positions& position) {
  std::size_t count = 0;
  for (const std::size_t a : left) {
    for (const std::size_t b : right) count += position[a] > position[b] ? 1 : 0;
  }
  return count;
}

// Sorts a layer by the average position of each slot's neighbours on one side. Slots without any
// keep the place they have.
void sort_by_barycentre(const LayeredGraph& graph, std::vector<std::size_t>& layer, bool look_up,
                        Positions& position) {
  struct Wish {
    std::size_t slot;
    std::size_t sum;
    std::size_t count;
  };
  std::vector<Wish> wishes;
  for (const std::size_t slot : layer) {
    const auto& near = look_up ? graph.slots[slot].up : graph.slots[slot].down;
    if (near.empty()) continue;
    std::size_t sum = 0;
    for (const std::size_t other : near) sum += position[other];
    wishes.push_back({slot, sum, near.size()});
  }
  std::stable_sort(wishes.begin(), wishes.end(),
                   [](const Wish& a, const Wish& b) { return a.sum * b.count < b.sum * a.count; });
  std::size_t next = 0;
  for (std::size_t& slot : layer) {
    const auto& near = look_up ? graph.slots[slot].up : graph.slots[slot].down;
    if (!near.empty()) slot = wishes[next++].slot;
  }
  for (std::size_t i = 0; i < layer.size(); ++i) position[layer[i]] = i;
}

// Swaps neighbours of a layer as long as that removes crossings.
void swap_neighbours(const LayeredGraph& graph, std::vector<std::size_t>& layer,
                     Positions& position) {
  for (bool better = true; better;) {
    better = false;
    for (std::size_t i = 0; i + 1 < layer.size(); ++i) {
      const auto& a = graph.slots[layer[i]];
      const auto& b = graph.slots[layer[i + 1]];
      const std::size_t now =
          crossings_between(a.up, b.up, position) + crossings_between(a.down, b.down, position);
      const std::size_t swapped =
          crossings_between(b.up, a.up, position) + crossings_between(b.down, a.down, position);
      if (swapped >= now) continue;
      std::swap(layer[i], layer[i + 1]);
      position[layer[i]] = i;
      position[layer[i + 1]] = i + 1;
      better = true;
    }
  }
}

void sweep(LayeredGraph& graph, bool downwards, Positions& position) {
  for (std::size_t i = 1; i < graph.layers.size(); ++i) {
    const std::size_t l = downwards ? i : graph.layers.size() - 1 - i;
    sort_by_barycentre(graph, graph.layers[l], downwards, position);
  }
  for (auto& layer : graph.layers) swap_neighbours(graph, layer, position);
}

// A shuffle that is the same everywhere (the standard library's is not).
void shuffle(std::vector<std::size_t>& layer, std::uint32_t& state) {
  for (std::size_t i = layer.size(); i > 1; --i) {
    state = state * 1664525u + 1013904223u;
    std::swap(layer[i - 1], layer[(state >> 8) % i]);
  }
}

}  // namespace

std::size_t crossings(const LayeredGraph& graph) {
  const Positions position = positions_of(graph);
  std::size_t count = 0;
  for (const auto& layer : graph.layers) {
    for (std::size_t i = 0; i < layer.size(); ++i) {
      for (std::size_t j = i + 1; j < layer.size(); ++j) {
        count +=
            crossings_between(graph.slots[layer[i]].down, graph.slots[layer[j]].down, position);
      }
    }
  }
  return count;
}

void reduce_crossings(LayeredGraph& graph) {
  const auto first = graph.layers;
  auto best = graph.layers;
  std::size_t fewest = crossings(graph);
  std::uint32_t state = 1;
  for (int start = 0; start < starts && fewest > 0; ++start) {
    graph.layers = first;
    if (start > 0) {
      for (auto& layer : graph.layers) shuffle(layer, state);
    }
    Positions position = positions_of(graph);
    for (int i = 0; i < sweeps && fewest > 0; ++i) {
      sweep(graph, i % 2 == 0, position);
      const std::size_t count = crossings(graph);
      if (count >= fewest) continue;
      fewest = count;
      best = graph.layers;
    }
  }
  graph.layers = std::move(best);
}

}  // namespace isoscope
