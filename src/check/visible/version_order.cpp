#include "check/visible/version_order.h"

#include <functional>
#include <queue>

#include "isoscope/base/contract.h"

namespace isoscope::visible {

Digraph known_versions(const Problem& problem, const weak::Guarantee& guarantee) {
  const weak::KnownSources& sources = problem.sources();
  const weak::VersionGraph versions(sources);
  const auto node = [&](Txn t, KeyId key) {
    return static_cast<std::uint32_t>(problem.size()) + problem.version(t, key);
  };
  const auto for_each = [&](const auto& visit) {
    for (Txn t = 1; t < problem.size() && guarantee.session_order; ++t) {
      for (const KeyId key : sources.written_by(t)) {
        const Txn before = versions.last_writer_before(key, t);
        if (before != 0) visit(node(before, key), node(t, key));
      }
    }
    for (const weak::KnownEdge& edge : sources.version_order()) {
      if (edge.from != 0) visit(node(edge.from, edge.key), node(edge.to, edge.key));
    }
    if (!guarantee.writers_reads) return;
    for (Txn t = 1; t < problem.size(); ++t) {
      if (problem.previous(t) != 0) visit(problem.previous(t), t);
    }
    for (const Read& read : problem.reads()) {
      const bool is_known = !problem.is_open(read) && read.only != none;
      if (is_known && read.only != 0) visit(read.only, read.reader);
    }
  };
  return Digraph(problem.size() + problem.version_count(), for_each);
}

std::vector<std::uint32_t> order_versions(const Problem& problem, const Digraph& known,
                                          std::span<const std::uint32_t> transactions) {
  ISOSCOPE_REQUIRE(known.node_count() == problem.size() + problem.version_count());
  std::vector<std::uint32_t> rank(known.node_count(), 0);
  std::uint32_t next = 0;
  for (const std::uint32_t t : transactions) {
    if (t >= problem.size()) continue;
    const auto count = static_cast<std::uint32_t>(problem.sources().written_by(t).size());
    const std::uint32_t first =
        static_cast<std::uint32_t>(problem.size()) + problem.sources().first_write(t);
    for (std::uint32_t i = 0; i < count; ++i) rank[first + i] = next++;
    rank[t] = next++;
  }
  std::vector<std::uint32_t> missing(known.node_count(), 0);
  for (std::uint32_t node = 0; node < known.node_count(); ++node) {
    for (const std::uint32_t to : known.successors(node)) ++missing[to];
  }
  using Ready = std::pair<std::uint32_t, std::uint32_t>;  // rank and node
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::uint32_t node = 0; node < known.node_count(); ++node) {
    if (missing[node] == 0) ready.emplace(rank[node], node);
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    const std::uint32_t node = ready.top().second;
    ready.pop();
    order.push_back(node);
    for (const std::uint32_t to : known.successors(node)) {
      if (--missing[to] == 0) ready.emplace(rank[to], to);
    }
  }
  return order;
}

}  // namespace isoscope::visible
