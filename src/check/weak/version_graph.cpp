#include "check/weak/version_graph.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "isoscope/graph/components.h"

namespace isoscope::weak {

VersionGraph::VersionGraph(const KnownSources& sources)
    : sources_(sources),
      nodes_(static_cast<Node>(sources.write_count())),
      writer_starts_(sources.history().key_count() + 2, 0),
      writers_(sources.write_count()),
      after_(sources.size(), 0) {
  for (Txn t = 1; t < sources.size(); ++t) {
    for (const KeyId key : sources.written_by(t)) ++writer_starts_[key.index() + 2];
  }
  for (std::size_t i = 2; i < writer_starts_.size(); ++i)
    writer_starts_[i] += writer_starts_[i - 1];
  for (Txn t = 1; t < sources.size(); ++t) {
    for (const KeyId key : sources.written_by(t)) writers_[writer_starts_[key.index() + 1]++] = t;
  }
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
  const auto all = writers(key);
  const Txn last = after_[t] != 0 ? after_[t] : t - 1;
  const auto behind = std::ranges::upper_bound(all, last);
  if (behind == all.begin()) return 0;
  const Txn writer = *(behind - 1);
  const std::uint32_t chain = sources_.chain(after_[t] != 0 ? after_[t] : t);
  return sources_.chain(writer) == chain ? writer : 0;
}

bool VersionGraph::has_order() const {
  if (is_refuted_) return false;
  const Components components{Digraph(nodes_, edges_)};
  std::vector<std::uint8_t> has_version(components.count(), 0);
  for (Node version = 0; version < sources_.write_count(); ++version) {
    if (std::exchange(has_version[components.of(version)], 1) != 0) return false;
  }
  return true;
}

}  // namespace isoscope::weak
