#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isoscope/level/short_list.h"

namespace isoscope {

/// The named ways in which a history can go wrong. Cycles are named as Adya and Elle name them;
/// each of them comes in three: of dependencies alone, with session order among its edges, with
/// real time among its edges.
enum class Anomaly : std::uint8_t {
  // One read is enough to see these.
  internal,
  thin_air_read,
  future_read,
  g1a,
  g1b,
  dirty_update,
  non_repeatable_read,
  // The versions of one key do not fit together.
  duplicate_elements,
  incompatible_order,
  cyclic_versions,
  // Cycles of dependencies.
  g0,
  g0_process,
  g0_realtime,
  g1c,
  g1c_process,
  g1c_realtime,
  g1,
  g1_process,
  g1_realtime,
  g_single_item,
  g_single_item_process,
  g_single_item_realtime,
  g_single,
  g_single_process,
  g_single_realtime,
  g_nonadjacent_item,
  g_nonadjacent_item_process,
  g_nonadjacent_item_realtime,
  g_nonadjacent,
  g_nonadjacent_process,
  g_nonadjacent_realtime,
  g2_item,
  g2_item_process,
  g2_item_realtime,
  g2,
  g2_process,
  g2_realtime,
  // Adya's other phenomena.
  g_cursor,
  g_monotonic,
  g_msr,
  g_update,
  g_sia,
  g_sib,
  g_si,
  // Stories with a name of their own.
  observed_transaction_vanishes,
  fractured_read,
  causality_violation,
  lost_update,
  write_skew,
  predicate_write_skew,
  long_fork,
  phantom,
  predicate_many_preceders,
  predicate_read_miss,
  // What a session can suffer.
  missing_your_writes,
  non_monotonic_reads,
  non_monotonic_writes,
  missing_read_write_dependencies,
};

inline constexpr std::size_t anomaly_count =
    static_cast<std::size_t>(Anomaly::missing_read_write_dependencies) + 1;

/// What an anomaly needs beyond reads and writes to be seen.
enum class AnomalyOrder : std::uint8_t { dependencies, session_order, real_time };

/// One row of the table of anomalies.
struct AnomalyEntry {
  Anomaly id = Anomaly::internal;
  std::string_view name;         ///< as reports print it, and Elle where Elle has it
  std::string_view description;  ///< one line
  std::string_view citation;
  AnomalyOrder order = AnomalyOrder::dependencies;
  /// A history with this anomaly also has these, or a cycle of dependencies (G1c-process), which
  /// every level that forbids one of these forbids too. Transitive ones are left out.
  ShortList<Anomaly, 5> implies = {};
};

/// All anomalies, in the order of the enumeration.
std::span<const AnomalyEntry> anomalies();
const AnomalyEntry& entry_of(Anomaly anomaly);
std::string_view name_of(Anomaly anomaly);

/// The anomaly of that name, case aside; blanks and underscores stand for hyphens. A few go by
/// other names, too: read-skew, dirty-read, ...
std::optional<Anomaly> find_anomaly(std::string_view name);
/// A smallest history that has it, in litmus notation; empty for what no client can see.
std::string_view example_of(Anomaly anomaly);

/// The same anomaly with session order (real time) among its edges: G0 -> G0-process. An anomaly
/// that has no such variant is its own.
Anomaly with_session_order(Anomaly anomaly);
Anomaly with_real_time(Anomaly anomaly);

/// Does every history with anomaly `a` have anomaly `b`? Reflexive and transitive.
bool implies(Anomaly a, Anomaly b);

}  // namespace isoscope
