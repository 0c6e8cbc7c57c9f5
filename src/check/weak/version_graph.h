#pragma once

#include <cstdint>
#include <optional>
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
  /// `from` is not newer than the version that the read returned, which must be one of the
  /// sources'. Nothing is before the initial one.
  void add_before(Node from, const Read& read) {
    if (read.source == 0) {
      if (!before_initial_) before_initial_ = {from, index_of(read)};
    } else {
      add(from, version(read.source, read.key));
    }
  }
  /// The writers of the key, ascending.
  std::span<const Txn> writers(KeyId key) const { return writers_.of(key.index()); }
  /// The last writer of the key that comes before `t` in its session; 0 if there is none.
  Txn last_writer_before(KeyId key, Txn t) const;

  /// Whether the versions of each key can be in an order.
  bool has_order() const;

  // The following say more, at a cost.

  /// All versions in such an order. Requires that there is one.
  std::vector<Node> order() const;
  struct BeforeInitial {
    Node version = 0;  ///< is not newer than what the read returned
    std::uint32_t read = 0;
  };
  /// A read that returned the initial version though another one is not newer, if there is one.
  std::optional<BeforeInitial> before_initial() const;
  /// Versions of which each is not newer than the next, nor the last one than the first. Empty if
  /// there is no such cycle.
  std::vector<Node> cycle() const;
  /// Whose version it is, and of which key.
  Txn writer(Node version) const;
  KeyId key(Node version) const;

 private:
  bool is_version(Node node) const { return node < sources_.write_count(); }
  std::uint32_t index_of(const Read& read) const {
    return static_cast<std::uint32_t>(&read - sources_.reads().data());
  }
  std::vector<Node> path(const Digraph& graph, Node from, Node to) const;

  const KnownSources& sources_;
  Node nodes_;
  std::optional<BeforeInitial> before_initial_;  // its version may be another node
  std::vector<DirectedEdge> edges_;
  Groups<Txn> writers_;     // by key
  std::vector<Txn> after_;  // by transaction: what a leaf comes after, else 0
};

}  // namespace isoscope::weak
