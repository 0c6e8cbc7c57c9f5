#pragma once

#include <optional>
#include <span>
#include <vector>

#include "check/weak/commit_graph.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/limits.h"

namespace isoscope::weak {

/// The edges that a level demands, found by the functions below, each in a file of its own.
///
///   R reads x from U; S, another writer of x, is visible to that read: S comes before U
///
/// What is visible is what the levels differ in. Reads whose source is open demand nothing.
class ForcedEdges {
 public:
  /// The number of edges that there will be, about. A list that grows beyond it is there twice for
  /// a moment.
  void expect(std::size_t count) { edges_.reserve(count); }
  void add(Txn from, Txn to, Txn reader, std::uint32_t read) {
    ISOSCOPE_REQUIRE(from != to);  // or no order would do
    edges_.push_back({from, to, reader, read});
    // Nothing comes before the initial state.
    if (to == 0 && !before_initial_) before_initial_ = edges_.back();
  }
  std::span<const ForcedEdge> all() const { return edges_; }
  /// An edge into the initial state, which refutes the level at once.
  const std::optional<ForcedEdge>& before_initial() const { return before_initial_; }

 private:
  std::vector<ForcedEdge> edges_;
  std::optional<ForcedEdge> before_initial_;
};

/// Which of a transaction's own reads make a source visible to a read.
enum class Visible : std::uint8_t {
  by_earlier_reads,  ///< those of earlier operations
  by_all_reads,
};

/// The sources of the reader's own reads are visible. Cost: for each source of a transaction, the
/// smaller of what the source wrote and what the transaction read.
void compare_reads(const KnownSources& sources, Visible visible, ForcedEdges& into);

/// What the reader's session wrote before is visible.
void follow_sessions(const KnownSources& sources, ForcedEdges& into);

/// All is visible from which sessions and reads-from lead to the reader. `order` contains both.
/// Returns the limit that was reached, if so.
std::optional<StopReason> follow_causes(const KnownSources& sources, std::span<const Txn> order,
                                        const Limits& limits, ForcedEdges& into);

/// Versions are visible instead of transactions: what the reader's session wrote and read before,
/// what a writer that was seen, or its session before, has read, and what its session wrote before.
/// `order` is as above. The sources must have no leaves.
std::optional<StopReason> follow_versions(const KnownSources& sources, std::span<const Txn> order,
                                          const Limits& limits, ForcedEdges& into);

}  // namespace isoscope::weak
