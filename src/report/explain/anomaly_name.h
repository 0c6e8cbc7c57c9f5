#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isoscope/report/explanation.h"
#include "report/proof/reads.h"

namespace isoscope::report {

/// How much of a level's own reasoning is in an edge of a cycle; what that means for other levels.
enum class Grounds : std::uint8_t {
  plain,       ///< none: reads and lists show it, so every level sees this edge
  dependency,  ///< a reader of a version overwrote it: so it is where G1c is forbidden
  causal,      ///< what causally precedes a read is older than what it returned
  single,      ///< were it otherwise, there would be a cycle with one anti-dependency
  level,       ///< more: other levels may not see it
};

/// An edge of a cycle of transactions, as far as a name depends on it.
struct NamedEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  FactKind kind = FactKind::supposed;
  std::optional<KeyId> key = {};
  std::optional<ReadNumber> read = {};  ///< that makes it a read or an anti-dependency
  std::optional<ValueId> value = {};    ///< that it returned; nothing: a predicate chose only
  bool sole_source = false;             ///< only one transaction can have served that read
  bool same_source = false;             ///< and `to` is known to have read the same version
  bool from_committed = false;          ///< as anybody can see
  Grounds grounds = Grounds::level;
  /// An anti-dependency that is told as an overwrite of this key, which both write.
  std::optional<KeyId> overwritten = {};
};

struct CycleToName {
  std::span<const NamedEdge> edges;
  bool uses_session_order = false;  ///< in an edge or in what an edge rests on
  bool uses_real_time = false;
  /// An order follows from what a predicate selected or left out: there may be no cycle of item
  /// anti-dependencies.
  bool uses_predicates = false;
};

struct CycleName {
  Anomaly anomaly = Anomaly::g2_item;
  /// What the cycle is by the kinds of its edges alone.
  Anomaly cycle_class = Anomaly::g2_item;
  /// The levels it certainly violates, in the order of the catalogue.
  std::vector<LevelId> levels;
};

/// The most specific name that the catalogue has for the cycle, of an anomaly that the level
/// forbids.
CycleName name_of(const Reads& reads, Level level, const CycleToName& cycle);

/// A name for all of these: an anomaly that each of them implies, and that the level forbids. There
/// need not be one.
std::optional<Anomaly> common_name(Level level, std::span<const Anomaly> anomalies);

}  // namespace isoscope::report
