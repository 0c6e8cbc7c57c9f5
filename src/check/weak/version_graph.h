#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/weak/known_sources.h"
#include "isoscope/base/groups.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::weak {

/// For the session guarantees, which know no commit order: which versions of a key are not newer
/// than which, key by key.
///
/// Further nodes stand for several versions: what leads to such a node leads on to all behind it.
/// So a version may lead to itself, which says nothing. But two versions that lead to each other
/// cannot be in an order.
class VersionGraph {
 public:
  using Node = std::uint32_t;

  /// `sources` must outlive the object. What lists show is in it from the start.
  explicit VersionGraph(const KnownSources& sources);

  /// The version of the key that the transaction, which is not the initial state, left.
  Node version(Txn t, KeyId key) const;
  Node add_node() { return nodes_++; }
  /// `from` is not newer than `to`.
  void add(Node from, Node to) { edges_.push_back({from, to}); }
  /// `from` is not newer than the version that the source left. Nothing is before the initial one.
  void add_before(Node from, Txn source, KeyId key) {
    if (source == 0) {
      is_refuted_ = true;
    } else {
      add(from, version(source, key));
    }
  }
  /// The writers of the key, ascending.
  std::span<const Txn> writers(KeyId key) const { return writers_.of(key.index()); }
  /// The last writer of the key that comes before `t` in its session; 0 if there is none.
  Txn last_writer_before(KeyId key, Txn t) const;

  /// Whether the versions of each key can be in an order. To be asked once.
  bool has_order() const;

 private:
  const KnownSources& sources_;
  Node nodes_;
  bool is_refuted_ = false;
  std::vector<DirectedEdge> edges_;
  Groups<Txn> writers_;     // by key
  std::vector<Txn> after_;  // by transaction: what a leaf comes after, else 0
};

}  // namespace isoscope::weak
