#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "isoscope/base/result.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// The embedded stores, weaker promises first. docs/stores.md tells how each works.
enum class StoreKind : std::uint8_t {
  read_uncommitted,
  read_committed,
  read_atomic,
  causal,
  parallel_snapshot_isolation,
  prefix_consistency,
  snapshot_isolation,
  serializable_locking,
  serializable_ssi,
  strict_serializable,
};

inline constexpr std::size_t store_kind_count =
    static_cast<std::size_t>(StoreKind::strict_serializable) + 1;

/// Mistakes that can be switched on in a store, one at a time, to see a checker find them.
enum class Bug : std::uint8_t {
  none,
  dirty_read,
  aborted_write_visible,
  intermediate_write_visible,
  lost_update,
  write_skew,
  read_skew,
  fractured_read,
  long_fork,
  stale_snapshot,
  phantom_missed,
  own_write_invisible,
  session_order_broken,
  real_time_order_broken,
  acknowledged_commit_lost,
};

inline constexpr std::size_t bug_count =
    static_cast<std::size_t>(Bug::acknowledged_commit_lost) + 1;

/// One row of the table of stores.
struct StoreEntry {
  StoreKind kind = StoreKind::read_uncommitted;
  std::string_view name;     ///< "serializable-2pl"
  LevelId promise;           ///< the level that no run without a bug violates
  std::string_view summary;  ///< how it works, one line
};

/// One row of the table of bugs.
struct BugEntry {
  Bug bug = Bug::none;
  std::string_view name;     ///< "dirty-read"
  std::string_view summary;  ///< what goes wrong, one line
};

std::span<const StoreEntry> stores();
std::span<const BugEntry> bugs();
const StoreEntry& entry_of(StoreKind kind);
std::string_view name_of(StoreKind kind);
std::string_view name_of(Bug bug);

/// An unknown name's Error lists the known ones.
Result<StoreKind> find_store(std::string_view name);
Result<Bug> find_bug(std::string_view name);

/// Does the bug make sense there? A store without snapshots, say, cannot hand out a stale one.
/// `none` makes sense everywhere.
bool can_have(StoreKind kind, Bug bug);

}  // namespace isoscope
