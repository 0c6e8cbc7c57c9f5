#include <algorithm>
#include <cstdint>

#include "draw/layered_graph.h"

namespace isoscope {
namespace {

constexpr int rounds = 120;
constexpr int straightening_rounds = 4;
// Positions are kept in fractions of a pixel while they are averaged.
constexpr std::int64_t unit = 64;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// A long edge should run straight: links between two passing points pull hardest.
std::int64_t pull(const LayeredGraph::Slot& a, const LayeredGraph::Slot& b) {
  if (a.is_node && b.is_node) return 1;
  return a.is_node || b.is_node ? 2 : 8;
}

class Columns {
 public:
  Columns(const LayeredGraph& graph, const LayeredLayoutOptions& options)
      : graph_(graph), x_(graph.slots.size(), 0), offset_(graph.slots.size(), 0) {
    for (const auto& layer : graph.layers) {
      for (std::size_t i = 1; i < layer.size(); ++i) {
        const auto& left = graph.slots[layer[i - 1]];
        const auto& right = graph.slots[layer[i]];
        const int gap = left.is_node && right.is_node ? options.node_gap : options.edge_gap;
        offset_[layer[i]] =
            offset_[layer[i - 1]] + unit * ((left.width + 1) / 2 + gap + (right.width + 1) / 2);
      }
      for (const std::size_t slot : layer) x_[slot] = offset_[slot] - offset_[layer.back()] / 2;
    }
  }

  void improve(bool up, bool down) {
    const std::size_t layers = graph_.layers.size();
    for (std::size_t i = 0; i < layers; ++i) {
      place(graph_.layers[up ? i : layers - 1 - i], up, down);
    }
  }

  // Averages leave a long edge as a flight of stairs. Makes it run straight down as far as the
  // slots beside it leave room, nothing else moving: stretches of one column each, as long as
  // possible.
  void straighten(const std::vector<std::size_t>& chain) {
    for (std::size_t first = 1; first + 1 < chain.size();) {
      Room room = room_of(chain[first]);
      std::int64_t sum = x_[chain[first]];
      std::size_t end = first + 1;
      for (; end + 1 < chain.size(); ++end) {
        const Room next = room_of(chain[end]);
        const Room both = {std::max(room.least, next.least), std::min(room.most, next.most)};
        if (both.least > both.most) break;
        room = both;
        sum += x_[chain[end]];
      }
      const std::int64_t mean = floor_divide(sum, static_cast<std::int64_t>(end - first));
      const std::int64_t x = std::clamp(mean, room.least, room.most);
      for (; first < end; ++first) x_[chain[first]] = x;
    }
  }

  // Whole pixels, with the leftmost edge of all at 0.
  std::vector<int> take() const {
    std::vector<int> result(x_.size());
    int least = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      result[i] = static_cast<int>(floor_divide(x_[i] + unit / 2, unit));
      const int left = result[i] - graph_.slots[i].width / 2;
      least = i == 0 ? left : std::min(least, left);
    }
    for (int& x : result) x -= least;
    return result;
  }

 private:
  struct Room {
    std::int64_t least;
    std::int64_t most;
  };

  // Where the slot can be without its neighbours moving.
  Room room_of(std::size_t slot) const {
    const auto& layer = graph_.layers[graph_.slots[slot].layer];
    const auto here = std::find(layer.begin(), layer.end(), slot);
    Room room{INT64_MIN, INT64_MAX};
    if (here != layer.begin()) {
      const std::size_t left = *(here - 1);
      room.least = x_[left] + offset_[slot] - offset_[left];
    }
    if (here + 1 != layer.end()) {
      const std::size_t right = *(here + 1);
      room.most = x_[right] - (offset_[right] - offset_[slot]);
    }
    return room;
  }

  // Puts every slot of a layer at the average of its neighbours, as far as order and gaps allow:
  // the least sum of squared distances. With the gaps taken off, positions only have to be
  // ascending, so this is isotonic regression: neighbours that would change places are pooled.
  void place(const std::vector<std::size_t>& layer, bool up, bool down) {
    struct Pool {
      std::int64_t sum;
      std::int64_t weight;
      std::size_t count;
      std::int64_t mean() const { return floor_divide(sum, weight); }
    };
    std::vector<Pool> pools;
    for (const std::size_t slot : layer) {
      std::int64_t sum = 0;
      std::int64_t weight = 0;
      const auto add = [&](const std::vector<std::size_t>& near) {
        for (const std::size_t other : near) {
          const std::int64_t w = pull(graph_.slots[slot], graph_.slots[other]);
          sum += w * x_[other];
          weight += w;
        }
      };
      if (up) add(graph_.slots[slot].up);
      if (down) add(graph_.slots[slot].down);
      if (weight == 0) {
        sum = x_[slot];
        weight = 1;
      }
      pools.push_back({sum - weight * offset_[slot], weight, 1});
      while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
        const Pool last = pools.back();
        pools.pop_back();
        pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight,
                        pools.back().count + last.count};
      }
    }
    std::size_t i = 0;
    for (const Pool& pool : pools) {
      for (std::size_t k = 0; k < pool.count; ++k, ++i) {
        x_[layer[i]] = pool.mean() + offset_[layer[i]];
      }
    }
  }

  const LayeredGraph& graph_;
  std::vector<std::int64_t> x_;
  std::vector<std::int64_t>
      offset_;  // of a slot's middle from its layer's first, all gaps at their least
};

}  // namespace

std::vector<int> place_columns(const LayeredGraph& graph, const LayeredLayoutOptions& options) {
  Columns columns(graph, options);
  for (int round = 0; round < rounds; ++round) {
    columns.improve(true, false);
    columns.improve(false, true);
    columns.improve(true, true);
  }
  for (int round = 0; round < rounds; ++round) columns.improve(true, true);
  for (int round = 0; round < straightening_rounds; ++round) {
    for (const auto& chain : graph.chains) columns.straighten(chain);
  }
  return columns.take();
}

}  // namespace isoscope
