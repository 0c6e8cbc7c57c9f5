#include "isoscope/store/store_kind.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

using enum StoreKind;

constexpr std::array<StoreEntry, store_kind_count> store_table = {{
    {read_uncommitted, "read-uncommitted", LevelId::read_uncommitted,
     "one version of each key, long write locks, reads without locks see everything"},
    {read_committed, "read-committed", LevelId::read_committed,
     "long write locks; every read returns the last committed version"},
    {read_atomic, "read-atomic", LevelId::read_atomic,
     "transactions become visible as a whole, but in any order"},
    {causal, "causal", LevelId::causal,
     "replicas that pass transactions on with their causes; the last writer wins"},
    {parallel_snapshot_isolation, "parallel-snapshot-isolation",
     LevelId::parallel_snapshot_isolation,
     "the same replicas; of two writers that do not see each other the second aborts"},
    {prefix_consistency, "prefix", LevelId::prefix_consistency,
     "every transaction reads an older state of one log; the last writer wins"},
    {snapshot_isolation, "snapshot-isolation", LevelId::snapshot_isolation,
     "every transaction reads the newest state; the first committer of a key wins"},
    {serializable_locking, "serializable-2pl", LevelId::strict_serializable,
     "two-phase locking of keys, and of tables for predicates; the younger dies"},
    {serializable_ssi, "serializable-ssi", LevelId::serializable,
     "snapshot isolation, of older states too, without two anti-dependencies in a row"},
    {strict_serializable, "strict-serializable", LevelId::strict_serializable,
     "optimistic: reads the last committed versions and, at commit, checks they still are"},
}};

constexpr std::array<BugEntry, bug_count> bug_table = {{
    {Bug::none, "none", "the store works as it should"},
    {Bug::dirty_read, "dirty-read", "reads return what another transaction has not committed yet"},
    {Bug::aborted_write_visible, "aborted-write-visible", "a rollback leaves the writes in place"},
    {Bug::intermediate_write_visible, "intermediate-write-visible",
     "when a transaction overwrites its own write, others get to see the first one"},
    {Bug::lost_update, "lost-update",
     "a transaction that overwrites a key it has read does not notice that others did so too"},
    {Bug::write_skew, "write-skew", "commits look only at what was written, not at what was read"},
    {Bug::read_skew, "read-skew", "a transaction does not stay with the state that it first read"},
    {Bug::fractured_read, "fractured-read",
     "half of a transaction becomes visible before the rest"},
    {Bug::long_fork, "long-fork", "independent transactions are seen in different orders"},
    {Bug::stale_snapshot, "stale-snapshot",
     "reads return an older state than the one that commits are checked against"},
    {Bug::phantom_missed, "phantom-missed",
     "rows that come to satisfy a predicate are not noticed by transactions that asked for it"},
    {Bug::own_write_invisible, "own-write-invisible",
     "a write of what the key holds already is skipped, and then not read back (MDEV-26642)"},
    {Bug::session_order_broken, "session-order-broken",
     "a transaction may miss what its own session did before"},
    {Bug::real_time_order_broken, "real-time-order-broken",
     "a transaction may miss what was committed before it began"},
    {Bug::acknowledged_commit_lost, "acknowledged-commit-lost",
     "the answer to COMMIT is yes, but the writes are gone"},
}};

// Which stores can have the bug, as one bit each.
constexpr unsigned only(StoreKind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr unsigned everywhere = (1U << store_kind_count) - 1;
// Whatever goes wrong with reads, read uncommitted allows it.
constexpr unsigned above_read_uncommitted = everywhere & ~only(read_uncommitted);
// Where a transaction reads one state from its begin to its end.
constexpr unsigned with_snapshots = only(read_atomic) | only(causal) |
                                    only(parallel_snapshot_isolation) | only(prefix_consistency) |
                                    only(snapshot_isolation) | only(serializable_ssi);
constexpr unsigned serializable_ones =
    only(serializable_locking) | only(serializable_ssi) | only(strict_serializable);

constexpr unsigned where(Bug bug) {
  switch (bug) {
    case Bug::none:
    case Bug::acknowledged_commit_lost:
      return everywhere;
    case Bug::dirty_read:
    case Bug::aborted_write_visible:
    case Bug::intermediate_write_visible:
    case Bug::fractured_read:
    case Bug::session_order_broken:
      return above_read_uncommitted;
    case Bug::lost_update:
      return serializable_ones | only(parallel_snapshot_isolation) | only(snapshot_isolation);
    case Bug::write_skew:
      return only(serializable_ssi) | only(strict_serializable);
    case Bug::read_skew:
      return with_snapshots | serializable_ones;
    case Bug::long_fork:
      return only(prefix_consistency) | only(snapshot_isolation) | only(serializable_ssi);
    case Bug::stale_snapshot:
      return only(read_committed) | only(snapshot_isolation) | only(serializable_ssi) |
             only(strict_serializable);
    case Bug::phantom_missed:
      return serializable_ones;
    case Bug::own_write_invisible:
      return with_snapshots;
    case Bug::real_time_order_broken:
      return only(snapshot_isolation) | only(serializable_locking) | only(strict_serializable);
  }
  return 0;
}

template <class Table>
Error unknown_name(std::string_view what, std::string_view name, const Table& table) {
  std::string message =
      "unknown " + std::string(what) + " '" + std::string(name) + "'; expected one of ";
  for (const auto& row : table) {
    if (&row != &table.front()) message += ", ";
    message += row.name;
  }
  return Error{message};
}

}  // namespace

std::span<const StoreEntry> stores() { return store_table; }
std::span<const BugEntry> bugs() { return bug_table; }

const StoreEntry& entry_of(StoreKind kind) { return store_table[static_cast<std::size_t>(kind)]; }
std::string_view name_of(StoreKind kind) { return entry_of(kind).name; }
std::string_view name_of(Bug bug) { return bug_table[static_cast<std::size_t>(bug)].name; }

Result<StoreKind> find_store(std::string_view name) {
  const auto found = std::ranges::find(store_table, name, &StoreEntry::name);
  if (found == store_table.end()) return unknown_name("store", name, store_table);
  return found->kind;
}

Result<Bug> find_bug(std::string_view name) {
  const auto found = std::ranges::find(bug_table, name, &BugEntry::name);
  if (found == bug_table.end()) return unknown_name("bug", name, bug_table);
  return found->bug;
}

bool can_have(StoreKind kind, Bug bug) { return (where(bug) & only(kind)) != 0; }

}  // namespace isoscope
