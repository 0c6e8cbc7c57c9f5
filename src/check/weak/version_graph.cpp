#include "check/weak/version_graph.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "isoscope/graph/components.h"

namespace isoscope::weak {

VersionGraph::VersionGraph(const KnownSources& sources)
    : sources_(sources),
      nodes_(static_cast<Node>(sources.write_count())),
      writers_(sources.history().key_count(),
               [&](const auto& visit) {
                 for (Txn t = 1; t < sources.size(); ++t) {
                   for (const KeyId key : sources.written_by(t)) visit(key.index(), t);
                 }
               }),
      after_(sources.size(), 0) {
  for (const KnownEdge& leaf : sources.leaves()) after_[leaf.to] = leaf.from;
  for (const KnownEdge& edge : sources.version_order()) {
    add(version(edge.from, edge.key), version(edge.to, edge.key));
  }
}

VersionGraph::Node VersionGraph::version(Txn t, KeyId key) const {
  const auto written = sources_.written_by(t);
  const auto at = std::ranges::lower_bound(written, key);
  ISOSCOPE_REQUIRE(at != written.end() && *at == key);
  return sources_.first_write(t) + static_cast<Node>(at - written.begin());
}

Txn VersionGraph::last_writer_before(KeyId key, Txn t) const {
  ISOSCOPE_REQUIRE(t != 0 && t < after_.size());
  const auto all = writers(key);
  const Txn last = after_[t] != 0 ? after_[t] : t - 1;
  const auto behind = std::ranges::upper_bound(all, last);
  if (behind == all.begin()) return 0;
  const Txn writer = *(behind - 1);
  const std::uint32_t chain = sources_.chain(after_[t] != 0 ? after_[t] : t);
  return sources_.chain(writer) == chain ? writer : 0;
}

bool VersionGraph::has_order() const {
  if (before_initial_) return false;
  const Components components{Digraph(nodes_, edges_)};
  std::vector<std::uint8_t> has_version(components.count(), 0);
  for (Node version = 0; version < sources_.write_count(); ++version) {
    if (std::exchange(has_version[components.of(version)], 1) != 0) return false;
  }
  return true;
}

Txn VersionGraph::writer(Node version) const {
  ISOSCOPE_REQUIRE(is_version(version));
  Txn first = 1;
  Txn end = static_cast<Txn>(sources_.size());
  while (end - first > 1) {
    const Txn middle = first + (end - first) / 2;
    (sources_.first_write(middle) <= version ? first : end) = middle;
  }
  return first;
}

KeyId VersionGraph::key(Node version) const {
  const Txn t = writer(version);
  return sources_.written_by(t)[version - sources_.first_write(t)];
}

/// Components are numbered from the last one on.
std::vector<VersionGraph::Node> VersionGraph::order() const {
  const Components components{Digraph(nodes_, edges_)};
  ISOSCOPE_REQUIRE(!before_initial_);
  std::vector<Node> versions(sources_.write_count());
  for (Node version = 0; version < versions.size(); ++version) versions[version] = version;
  std::ranges::sort(versions, std::ranges::greater(),
                    [&](Node version) { return components.of(version); });
  return versions;
}

std::optional<VersionGraph::BeforeInitial> VersionGraph::before_initial() const {
  if (!before_initial_ || is_version(before_initial_->version)) return before_initial_;
  const Digraph graph(nodes_, edges_);
  std::vector<std::uint8_t> seen(nodes_, 0);
  std::vector<Node> to_look_at = {before_initial_->version};
  for (std::size_t i = 0; i < to_look_at.size(); ++i) {
    if (is_version(to_look_at[i])) return BeforeInitial{to_look_at[i], before_initial_->read};
    for (const Node before : graph.predecessors(to_look_at[i])) {
      if (std::exchange(seen[before], 1) == 0) to_look_at.push_back(before);
    }
  }
  return std::nullopt;
}

std::vector<VersionGraph::Node> VersionGraph::cycle() const {
  const Digraph graph(nodes_, edges_);
  const Components components(graph);
  constexpr Node none = UINT32_MAX;
  std::vector<Node> version_of(components.count(), none);
  for (Node version = 0; version < sources_.write_count(); ++version) {
    const Node other = std::exchange(version_of[components.of(version)], version);
    if (other == none) continue;
    std::vector<Node> cycle = path(graph, other, version);
    const std::vector<Node> back = path(graph, version, other);
    cycle.insert(cycle.end(), back.begin(), back.end());
    return cycle;
  }
  return {};
}

/// The versions on the shortest path, without the last one.
std::vector<VersionGraph::Node> VersionGraph::path(const Digraph& graph, Node from, Node to) const {
  constexpr Node unseen = UINT32_MAX;
  std::vector<Node> onwards(nodes_, unseen);
  std::vector<Node> to_look_at = {to};
  for (std::size_t i = 0; i < to_look_at.size() && onwards[from] == unseen; ++i) {
    for (const Node before : graph.predecessors(to_look_at[i])) {
      if (onwards[before] != unseen) continue;
      onwards[before] = to_look_at[i];
      to_look_at.push_back(before);
    }
  }
  ISOSCOPE_REQUIRE(onwards[from] != unseen);
  std::vector<Node> versions;
  for (Node at = from; at != to; at = onwards[at]) {
    if (is_version(at)) versions.push_back(at);
  }
  return versions;
}

}  // namespace isoscope::weak
