#pragma once

#include <cstdint>

#include "isoscope/store/store_kind.h"

namespace isoscope {

/// How a store keeps its promise: which versions a transaction reads, what it locks, and what is
/// checked when it commits. A store is a row of these choices.
struct Technique {
  enum class Reads : std::uint8_t {
    newest,          ///< even if not committed
    latest,          ///< the last committed version, at the time of each read
    snapshot,        ///< all that is committed when the transaction begins
    older_snapshot,  ///< all that was committed a while ago; the session's own in any case
    some_of_latest,  ///< without some of the latest commits; the session's own in any case
    replica,         ///< what has arrived at the session's replica
  };
  enum class Check : std::uint8_t {
    none,
    first_committer_wins,  ///< no other commit of a key that it writes and did not see
    no_pivot,              ///< and no two anti-dependencies in a row
    reads_are_current,     ///< whatever it read is still the last version
  };

  Reads reads = Reads::latest;
  Check check = Check::none;
  bool locks_writes = false;
  bool locks_reads = false;  ///< predicates too

  bool takes_snapshots() const { return reads > Reads::latest; }
};

constexpr Technique technique_of(StoreKind kind) {
  using enum Technique::Reads;
  using enum Technique::Check;
  switch (kind) {
    case StoreKind::read_uncommitted:
      return {.reads = newest, .locks_writes = true};
    case StoreKind::read_committed:
      return {.reads = latest, .locks_writes = true};
    case StoreKind::read_atomic:
      return {.reads = some_of_latest};
    case StoreKind::causal:
      return {.reads = replica};
    case StoreKind::parallel_snapshot_isolation:
      return {.reads = replica, .check = first_committer_wins};
    case StoreKind::prefix_consistency:
      return {.reads = older_snapshot};
    case StoreKind::snapshot_isolation:
      return {.reads = snapshot, .check = first_committer_wins};
    case StoreKind::serializable_locking:
      return {.reads = latest, .locks_writes = true, .locks_reads = true};
    case StoreKind::serializable_ssi:
      return {.reads = older_snapshot, .check = no_pivot};
    case StoreKind::strict_serializable:
      return {.reads = latest, .check = reads_are_current};
  }
  return {};
}

}  // namespace isoscope
