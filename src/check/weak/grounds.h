#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/weak/forced_edges.h"
#include "check/weak/version_graph.h"

namespace isoscope::weak {

/// What an answer about commits rests on, for whoever writes its certificate.
struct Grounds {
  std::vector<Txn> order = {};            ///< holds: of commits, without the initial state
  std::vector<std::uint32_t> cycle = {};  ///< violated: as CommitGraph::cycle()
  /// Violated: each of these waits for another one of them, whatever open reads are from.
  std::vector<Txn> stuck = {};
  ForcedEdges forced = {};
};

/// The same where the versions of each key have an order of their own.
struct VersionGrounds {
  std::vector<VersionGraph::Node> order = {};  ///< holds: the versions of all keys
  /// Violated: versions of one key; each is not newer than the next, and the last not than the
  /// first.
  std::vector<VersionGraph::Node> cycle = {};
  /// Violated: the initial version was read though this version was known.
  std::optional<VersionGraph::BeforeInitial> before_initial = {};
  std::vector<Txn> circle = {};  ///< violated: as CommitGraph::cycle(), of sessions and reads
};

}  // namespace isoscope::weak
