#include "check/strong/saturation/start_order.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

std::vector<std::uint64_t> likely_event_times(const LikelyTimes& likely, const OrderProblem& p,
                                              Moment moment) {
  std::vector<std::uint64_t> result(p.node_count(), 0);
  for (Txn t = 1; t < p.size(); ++t) {
    const TransactionId id = p.ids[t];
    const bool only_reads = p.write_starts[t] == p.write_starts[t + 1];
    if (moment == Moment::middle) {
      result[p.begin(t)] = p.rules.begin_is_commit ? likely.middle(id) : likely.begin(id);
      if (!p.rules.begin_is_commit) result[p.commit(t)] = likely.end(id);
    } else {
      const bool at_begin = moment == Moment::begin_of_readers && only_reads;
      result[p.begin(t)] = result[p.commit(t)] = at_begin ? likely.begin(id) : likely.end(id);
    }
  }
  for (std::uint32_t i = 0; i < p.times.size(); ++i) {
    result[p.time_event(i)] = as_unsigned(p.times[i]);
  }
  return result;
}

std::optional<std::vector<std::uint32_t>> reconciled_order(const OrderProblem& p,
                                                           const Digraph& graph, bool at_pace,
                                                           std::vector<std::uint64_t>& likely,
                                                           const Limits& limits,
                                                           const Workers& workers) {
  ISOSCOPE_REQUIRE(likely.size() == graph.node_count());
  ISOSCOPE_REQUIRE(graph.node_count() == p.node_count());
  auto order = topological_order(graph, limits);
  if (!order) return std::nullopt;
  // Quartered: there is room for a step at each event, and for the sum of two.
  std::vector<std::int64_t> thought(likely.size());
  for (std::size_t i = 0; i < likely.size(); ++i) thought[i] = as_signed(likely[i]) / 4;
  const auto step = [&](std::uint32_t from, std::uint32_t to) {
    return at_pace && next_in_chain(p, from) == to ? thought[to] - thought[from] + 1 : 1;
  };
  std::vector<std::int64_t> earliest;
  const auto find_earliest = [&] {
    earliest = thought;
    for (const std::uint32_t event : *order) {
      for (const std::uint32_t after : graph.successors(event)) {
        earliest[after] = std::max(earliest[after], earliest[event] + step(event, after));
      }
    }
  };
  std::vector<std::int64_t> latest;
  const auto find_latest = [&] {
    latest = thought;
    for (const std::uint32_t event : *order | std::views::reverse) {
      for (const std::uint32_t after : graph.successors(event)) {
        latest[event] = std::min(latest[event], latest[after] - step(event, after));
      }
    }
  };
  workers.run(2, [&](std::size_t part) { part == 0 ? find_earliest() : find_latest(); });
  for (std::size_t i = 0; i < likely.size(); ++i) {
    likely[i] = as_unsigned(earliest[i] + latest[i]);
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_time;
  by_time.reserve(likely.size());
  for (std::uint32_t i = 0; i < likely.size(); ++i) by_time.emplace_back(likely[i], i);
  std::ranges::sort(by_time);
  std::ranges::transform(by_time, order->begin(), [](const auto& timed) { return timed.second; });
  return order;
}

std::vector<std::uint64_t> times_by_depth(const Digraph& graph,
                                          std::span<const std::uint32_t> order) {
  ISOSCOPE_REQUIRE(order.size() == graph.node_count());
  std::vector<std::int64_t> before(graph.node_count(), 0);
  for (const std::uint32_t event : order) {
    for (const std::uint32_t next : graph.successors(event)) {
      before[next] = std::max(before[next], before[event] + 1);
    }
  }
  std::vector<std::int64_t> after(graph.node_count(), 0);
  for (const std::uint32_t event : order | std::views::reverse) {
    for (const std::uint32_t next : graph.successors(event)) {
      after[event] = std::max(after[event], after[next] + 1);
    }
  }
  std::vector<std::uint64_t> result(graph.node_count());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = as_unsigned(before[i] - after[i]);
  return result;
}

Digraph whole_graph(const OrderProblem& p, const KnownGraph& known, const Workers& workers) {
  ISOSCOPE_REQUIRE(known.node_count() == p.node_count());
  std::vector<std::uint8_t> has_before(p.node_count(), 0);
  for (std::uint32_t event = 0; event < p.node_count(); ++event) {
    const std::uint32_t next = next_in_chain(p, event);
    if (next != none) has_before[next] = 1;
  }
  for (const KnownGraph::Edge& edge : known.edges()) has_before[edge.to] = 1;
  const auto for_each_edge = [&](const auto& visit) {
    for (std::uint32_t event = 0; event < p.node_count(); ++event) {
      const std::uint32_t next = next_in_chain(p, event);
      if (next != none) visit(event, next);
    }
    for (const KnownGraph::Edge& edge : known.edges()) visit(edge.from, edge.to);
    for (std::uint32_t event = p.commit(0) + 1; event < p.node_count(); ++event) {
      if (has_before[event] == 0) visit(p.commit(0), event);
    }
    if (!p.rules.begin_is_commit) visit(p.begin(0), p.commit(0));
  };
  return Digraph(p.node_count(), for_each_edge, workers);
}

}  // namespace isoscope::strong
