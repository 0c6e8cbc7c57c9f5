#include "check/strong/start_order.h"

namespace isoscope::strong {

std::vector<std::uint64_t> likely_order(const LikelyTimes& likely, const Problem& p) {
  std::vector<std::uint64_t> result(p.node_count(), 0);
  for (Txn t = 1; t < p.size(); ++t) {
    const TransactionId id = p.ids[t];
    result[p.begin(t)] = p.rules.one_event ? likely.middle(id) : likely.begin(id);
    if (!p.rules.one_event) result[p.commit(t)] = likely.end(id);
  }
  for (std::uint32_t i = 0; i < p.times.size(); ++i) {
    result[p.time_event(i)] = as_unsigned(p.times[i]);
  }
  return result;
}

Digraph whole_graph(const Problem& p, const KnownGraph& known) {
  std::vector<DirectedEdge> edges;
  edges.reserve(known.size() + p.node_count());
  std::vector<std::uint8_t> has_before(p.node_count(), 0);
  for (std::uint32_t event = 0; event < p.node_count(); ++event) {
    const std::uint32_t next = next_in_chain(p, event);
    if (next == none) continue;
    edges.push_back({event, next});
    has_before[next] = 1;
  }
  for (const KnownGraph::Edge& edge : known.edges()) {
    edges.push_back({edge.from, edge.to});
    has_before[edge.to] = 1;
  }
  for (std::uint32_t event = p.commit(0) + 1; event < p.node_count(); ++event) {
    if (has_before[event] == 0) edges.push_back({p.commit(0), event});
  }
  if (!p.rules.one_event) edges.push_back({p.begin(0), p.commit(0)});
  return Digraph(p.node_count(), edges);
}

}  // namespace isoscope::strong
