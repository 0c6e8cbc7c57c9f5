#include "isoscope/level/anomaly.h"

#include <array>
#include <cstddef>

#include "isoscope/base/contract.h"
#include "level/citation.h"

namespace isoscope {
namespace {

using enum Anomaly;
using enum AnomalyOrder;

// Words used below. A dependency T -> U: U read a version T wrote (read dependency), or overwrote
// one (write dependency). An anti-dependency T -> U: T read a version that U overwrote. "Item"
// leaves predicate reads aside.
//
// The arrows are those of Elle's table, with these differences:
// - G-SIa, G-SIb and G-SI have one spelling each. Elle writes GSIb in one place and G-SIb in
//   another, so that its arrow from G-single never fires.
// - incompatible-order does not imply G1a: G1a is decided read by read, and each of the two reads
//   can be fine by itself. Levels that have a version order (read-uncommitted) forbid it directly.
// - cyclic-versions is about lists, which show the order of versions. Elle also infers orders of
//   registers; where those are cyclic there is a G1c.
// - Arrows from and to anomalies that stand alone in Elle's (G-cursor, G-monotonic, ...) are added.
// clang-format off
constexpr std::array<AnomalyEntry, anomaly_count> table = {{
    {internal, "internal", "A read does not return its transaction's own latest write of the key.",
     citation::elle, dependencies, {}},
    {thin_air_read, "thin-air-read", "A read returns a value that nobody wrote.",
     citation::plume, dependencies, {}},
    {future_read, "future-read", "A read returns a value its own transaction writes only later.",
     citation::elle_program, dependencies, {g1c}},
    {g1a, "G1a", "Aborted read: a read returns a value written by an aborted transaction.",
     citation::adya_icde, dependencies, {g1}},
    {g1b, "G1b",
     "Intermediate read: a read returns a value its writer overwrote before committing.",
     citation::adya_icde, dependencies, {g1}},
    {dirty_update, "dirty-update", "A committed transaction builds on a write of an aborted one.",
     citation::elle, dependencies, {g1a}},
    {non_repeatable_read, "non-repeatable-read",
     "Two reads of a key in one transaction return different versions, none of them its own.",
     citation::berenson, dependencies, {fractured_read}},

    {duplicate_elements, "duplicate-elements",
     "A list read shows an element more often than it was appended.",
     citation::elle, dependencies, {}},
    {incompatible_order, "incompatible-order",
     "Two list reads of a key show its versions in orders that exclude each other.",
     citation::elle, dependencies, {}},
    {cyclic_versions, "cyclic-versions",
     "A list read shows one version of its key both before and after another.",
     citation::elle, dependencies, {}},

    {g0, "G0", "Write cycle: a cycle of write dependencies.",
     citation::adya_icde, dependencies, {g1c, g0_process}},
    {g0_process, "G0-process", "G0 with session order among the edges.",
     citation::elle_program, session_order, {g1c_process, g0_realtime}},
    {g0_realtime, "G0-realtime", "G0 with real time among the edges.",
     citation::elle_program, real_time, {g1c_realtime}},
    {g1c, "G1c", "Circular information flow: a cycle of read or write dependencies.",
     citation::adya_icde, dependencies, {g1, g1c_process}},
    {g1c_process, "G1c-process", "G1c with session order among the edges.",
     citation::elle_program, session_order, {g1_process, g1c_realtime}},
    {g1c_realtime, "G1c-realtime", "G1c with real time among the edges.",
     citation::elle_program, real_time, {g1_realtime}},
    {g1, "G1", "Any of G1a, G1b and G1c.",
     citation::adya_icde, dependencies, {g1_process}},
    {g1_process, "G1-process", "Any of G1a, G1b and G1c-process.",
     citation::elle_program, session_order, {g1_realtime}},
    {g1_realtime, "G1-realtime", "Any of G1a, G1b and G1c-realtime.",
     citation::elle_program, real_time, {}},
    {g_single_item, "G-single-item",
     "A cycle of dependencies and one item anti-dependency (read skew).",
     citation::elle_program, dependencies, {g_single, g_nonadjacent_item, g_single_item_process}},
    {g_single_item_process, "G-single-item-process",
     "G-single-item with session order among the edges.",
     citation::elle_program, session_order,
     {g_single_process, g_nonadjacent_item_process, g_single_item_realtime}},
    {g_single_item_realtime, "G-single-item-realtime",
     "G-single-item with real time among the edges.",
     citation::elle_program, real_time, {g_single_realtime, g_nonadjacent_item_realtime}},
    {g_single, "G-single", "A cycle of dependencies and one anti-dependency.",
     citation::adya_thesis, dependencies, {g_nonadjacent, g_sib, g_update, g_single_process}},
    {g_single_process, "G-single-process", "G-single with session order among the edges.",
     citation::elle_program, session_order, {g_nonadjacent_process, g_single_realtime}},
    {g_single_realtime, "G-single-realtime", "G-single with real time among the edges.",
     citation::elle_program, real_time, {g_nonadjacent_realtime}},
    {g_nonadjacent_item, "G-nonadjacent-item",
     "A cycle with item anti-dependencies, no two of them next to each other.",
     citation::elle_program, dependencies, {g_nonadjacent, g2_item, g_nonadjacent_item_process}},
    {g_nonadjacent_item_process, "G-nonadjacent-item-process",
     "G-nonadjacent-item with session order among the edges.",
     citation::elle_program, session_order,
     {g_nonadjacent_process, g2_item_process, g_nonadjacent_item_realtime}},
    {g_nonadjacent_item_realtime, "G-nonadjacent-item-realtime",
     "G-nonadjacent-item with real time among the edges.",
     citation::elle_program, real_time, {g_nonadjacent_realtime, g2_item_realtime}},
    {g_nonadjacent, "G-nonadjacent",
     "A cycle with anti-dependencies, no two of them next to each other.",
     citation::cerone_podc, dependencies, {g2, g_si, g_nonadjacent_process}},
    {g_nonadjacent_process, "G-nonadjacent-process",
     "G-nonadjacent with session order among the edges.",
     citation::elle_program, session_order, {g2_process, g_nonadjacent_realtime}},
    {g_nonadjacent_realtime, "G-nonadjacent-realtime",
     "G-nonadjacent with real time among the edges.",
     citation::elle_program, real_time, {g2_realtime}},
    {g2_item, "G2-item", "A cycle of dependencies and item anti-dependencies.",
     citation::adya_thesis, dependencies, {g2, g2_item_process}},
    {g2_item_process, "G2-item-process", "G2-item with session order among the edges.",
     citation::elle_program, session_order, {g2_process, g2_item_realtime}},
    {g2_item_realtime, "G2-item-realtime", "G2-item with real time among the edges.",
     citation::elle_program, real_time, {g2_realtime}},
    {g2, "G2", "A cycle of dependencies and anti-dependencies.",
     citation::adya_icde, dependencies, {g2_process}},
    {g2_process, "G2-process", "G2 with session order among the edges.",
     citation::elle_program, session_order, {g2_realtime}},
    {g2_realtime, "G2-realtime", "G2 with real time among the edges.",
     citation::elle_program, real_time, {}},

    {g_cursor, "G-cursor",
     "A transaction overwrites a key it has read, but not the version it has read.",
     citation::adya_thesis, dependencies, {g_single_item}},
    {g_monotonic, "G-monotonic",
     "A read misses a write that earlier operations of its transaction depend on.",
     citation::adya_thesis, dependencies, {g_single}},
    {g_msr, "G-MSR", "The reads of a transaction see no growing sequence of committed states.",
     citation::adya_thesis, dependencies, {g_si}},
    {g_update, "G-update",
     "A cycle with anti-dependencies among the update transactions and one other transaction.",
     citation::adya_thesis, dependencies, {g2}},
    {g_sia, "G-SIa", "Interference: a transaction depends on one that committed after it started.",
     citation::adya_thesis, dependencies, {g_si}},
    {g_sib, "G-SIb",
     "Missed effects: a cycle of dependencies, start order and one anti-dependency.",
     citation::adya_thesis, dependencies, {g_si}},
    {g_si, "G-SI", "Whatever the start order, there is a G-SIa or a G-SIb.",
     citation::adya_thesis, dependencies, {}},

    {observed_transaction_vanishes, "observed-transaction-vanishes",
     "A transaction reads a write of T, and later a version older than one T wrote.",
     citation::bailis_hat, dependencies, {fractured_read, g_monotonic}},
    {fractured_read, "fractured-read",
     "A transaction reads a write of T, and also a version older than one that T wrote.",
     citation::bailis_ramp, dependencies, {causality_violation, g_single_item}},
    {causality_violation, "causality-violation",
     "A transaction reads a version older than one that causally precedes it.",
     citation::cerone_concur, dependencies, {g_single_process}},
    {lost_update, "lost-update",
     "Two transactions read the same version of a key and both overwrite it.",
     citation::berenson, dependencies, {g_cursor, write_skew}},
    {write_skew, "write-skew",
     "Two transactions each read what the other overwrites, and neither sees the other.",
     citation::berenson, dependencies, {g_update}},
    {predicate_write_skew, "predicate-write-skew",
     "A write skew in which at least one of the two reads by a predicate what the other changes.",
     citation::berenson, dependencies, {write_skew}},
    {long_fork, "long-fork", "Two readers see two independent writes in opposite orders.",
     citation::sovran, dependencies, {g_nonadjacent_item}},
    {phantom, "phantom", "A predicate read, repeated in one transaction, returns other rows.",
     citation::berenson, dependencies, {predicate_many_preceders}},
    {predicate_many_preceders, "predicate-many-preceders",
     "A predicate misses a change that T made, though its transaction has read a write of T.",
     citation::bailis_hat, dependencies, {causality_violation, g_single}},
    {predicate_read_miss, "predicate-read-miss",
     "A predicate leaves out a key although all that was ever written to it satisfies it.",
     citation::elle_program, dependencies, {}},

    {missing_your_writes, "missing-your-writes",
     "A transaction reads a version older than one its session wrote before.",
     citation::bailis_hat, session_order, {causality_violation}},
    {non_monotonic_reads, "non-monotonic-reads",
     "A transaction reads a version older than one its session read before.",
     citation::bailis_hat, session_order, {causality_violation}},
    {non_monotonic_writes, "non-monotonic-writes",
     "Two writes of a session to one key take effect in the opposite order.",
     citation::bailis_hat, session_order, {g0_process}},
    {missing_read_write_dependencies, "missing-read-write-dependencies",
     "A transaction sees a write, but not what the writer's session had read before it.",
     citation::bailis_hat, session_order, {causality_violation}},
}};
// clang-format on

static_assert(anomaly_count <= 64, "a set of anomalies is one word");

using AnomalySet = std::uint64_t;

constexpr std::size_t index_of(Anomaly anomaly) { return static_cast<std::size_t>(anomaly); }
constexpr AnomalySet bit(Anomaly anomaly) { return AnomalySet{1} << index_of(anomaly); }

constexpr bool rows_stand_at_their_index() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (index_of(table[i].id) != i) return false;
  }
  return true;
}
static_assert(rows_stand_at_their_index());

// For each anomaly the set of all it implies, itself included.
constexpr std::array<AnomalySet, anomaly_count> closure = [] {
  std::array<AnomalySet, anomaly_count> sets{};
  for (bool changed = true; changed;) {
    changed = false;
    for (const AnomalyEntry& row : table) {
      AnomalySet set = bit(row.id);
      for (const Anomaly implied : row.implies) set |= bit(implied) | sets[index_of(implied)];
      changed = changed || set != sets[index_of(row.id)];
      sets[index_of(row.id)] = set;
    }
  }
  return sets;
}();

// The three forms of a cycle stand next to each other.
constexpr bool has_variants(Anomaly anomaly) {
  const std::size_t i = index_of(anomaly);
  return i >= index_of(g0) && i <= index_of(g2_realtime) && table[i].order == dependencies;
}

}  // namespace

std::span<const AnomalyEntry> anomalies() { return table; }

const AnomalyEntry& entry_of(Anomaly anomaly) {
  ISOSCOPE_REQUIRE(index_of(anomaly) < table.size());
  return table[index_of(anomaly)];
}

std::string_view name_of(Anomaly anomaly) { return entry_of(anomaly).name; }

Anomaly with_session_order(Anomaly anomaly) {
  return has_variants(anomaly) ? table[index_of(anomaly) + 1].id : anomaly;
}

Anomaly with_real_time(Anomaly anomaly) {
  return has_variants(anomaly) ? table[index_of(anomaly) + 2].id : anomaly;
}

bool implies(Anomaly a, Anomaly b) {
  ISOSCOPE_REQUIRE(index_of(a) < table.size() && index_of(b) < table.size());
  return (closure[index_of(a)] & bit(b)) != 0;
}

}  // namespace isoscope
