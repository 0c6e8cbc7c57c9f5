#include "check/strong/start_order.h"

#include <algorithm>

namespace isoscope::strong {

namespace {

bool all_have_times(const History& history, const Problem& p) {
  if (!history.has_times()) return false;
  for (Txn t = 1; t < p.size(); ++t) {
    if (!history.begin_time(p.ids[t]) || !history.end_time(p.ids[t])) return false;
  }
  return true;
}

/// Order-preserving.
std::uint64_t as_unsigned(std::int64_t time) {
  return static_cast<std::uint64_t>(time) ^ std::uint64_t{1} << 63;
}

}  // namespace

std::vector<std::uint64_t> likely_times(const History& history, const Problem& p) {
  std::vector<std::uint64_t> result(p.node_count(), 0);
  if (all_have_times(history, p)) {
    for (Txn t = 1; t < p.size(); ++t) {
      // With one event somewhere in between the commit is the better guess for writers, the begin
      // for others; the middle serves both.
      const std::uint64_t begin = as_unsigned(*history.begin_time(p.ids[t]));
      const std::uint64_t end = as_unsigned(*history.end_time(p.ids[t]));
      result[p.begin(t)] = begin;
      result[p.commit(t)] = p.rules.one_event ? begin + (end - begin) / 2 : end;
    }
    for (std::uint32_t i = 0; i < p.times.size(); ++i) {
      result[p.time_event(i)] = as_unsigned(p.times[i]);
    }
    return result;
  }
  for (const SessionId session : history.sessions()) {
    const auto transactions = history.session(session);
    for (std::size_t i = 0; i < transactions.size(); ++i) {
      const Txn t = p.number[transactions[i].index()];
      if (t == none) continue;
      const std::uint64_t length = transactions.size();
      result[p.begin(t)] = ((2 * i + 1) << 32) / (2 * length);
      result[p.commit(t)] = ((2 * i + (p.rules.one_event ? 1 : 2)) << 32) / (2 * length);
    }
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
