#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/graph/digraph.h"

namespace isoscope {

struct RandomDag {
  std::vector<std::uint32_t> order;  ///< a topological one, shuffled
  std::vector<DirectedEdge> edges;
};

inline RandomDag random_dag(Random& random, std::uint32_t node_count, std::size_t edge_count) {
  RandomDag dag;
  for (std::uint32_t node = 0; node < node_count; ++node) {
    dag.order.push_back(node);
    std::swap(dag.order[node], dag.order[random.below(node + 1)]);
  }
  while (node_count > 1 && dag.edges.size() < edge_count) {
    auto from = random.below(node_count);
    auto to = random.below(node_count);
    if (from != to) {
      dag.edges.push_back({dag.order[std::min(from, to)], dag.order[std::max(from, to)]});
    }
  }
  return dag;
}

/// Distances by the definition: -1 for what is not reached.
inline std::vector<std::vector<int>> all_distances(std::uint32_t node_count,
                                                   const std::vector<DirectedEdge>& edges) {
  std::vector<std::vector<int>> distance(node_count, std::vector<int>(node_count, -1));
  for (const DirectedEdge& edge : edges) {
    distance[edge.from][edge.to] = 1;
  }
  for (std::uint32_t via = 0; via < node_count; ++via) {
    for (std::uint32_t from = 0; from < node_count; ++from) {
      for (std::uint32_t to = 0; to < node_count; ++to) {
        if (distance[from][via] > 0 && distance[via][to] > 0) {
          const int sum = distance[from][via] + distance[via][to];
          if (distance[from][to] < 0 || sum < distance[from][to]) {
            distance[from][to] = sum;
          }
        }
      }
    }
  }
  return distance;
}

}  // namespace isoscope
