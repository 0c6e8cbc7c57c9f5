#pragma once  // Part of the API: docs/api.md.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/level/anomaly.h"
#include "isoscope/level/short_list.h"

namespace isoscope {

/// The levels of the catalogue, weaker ones before stronger ones: a level implies only levels that
/// stand before it here, so the order has no cycle.
enum class LevelId : std::uint8_t {
  valid_reads,
  read_uncommitted,
  cut_isolation,
  read_your_writes,
  monotonic_reads,
  monotonic_writes_per_key,
  writes_follow_reads_per_key,
  monotonic_writes,
  writes_follow_reads,
  pram,
  adya_read_committed,
  session_causal,
  cursor_stability,
  monotonic_atomic_view,
  read_committed,
  monotonic_view,
  monotonic_snapshot_read,
  repeatable_read,
  read_atomic,
  update_atomic,
  causal,
  prefix_consistency,
  parallel_snapshot_isolation,
  snapshot_isolation,
  update_serializable,
  serializable,
  strong_read_uncommitted,
  strong_adya_read_committed,
  strong_read_committed,
  strong_snapshot_isolation,
  strict_serializable,
  /// No level of the catalogue: every transaction has its own, which the history recorded. It
  /// implies no other level and none implies it, because that depends on the history.
  recorded,
};

inline constexpr std::size_t level_count =
    static_cast<std::size_t>(LevelId::strict_serializable) + 1;

/// A level as a check is asked for it. With session order, each session's transactions take effect
/// in their order, as in the papers; without, it is the plain level that Adya's PL-names mean.
struct Level {
  LevelId id = LevelId::valid_reads;
  bool session_order = true;

  bool operator==(const Level&) const = default;
};

/// What the first pass over a history can find wrong with a single read.
enum class ReadFinding : std::uint8_t {
  internal_inconsistency,  ///< not the transaction's own latest write of the key
  aborted_read,            ///< a value that only aborted transactions wrote
  intermediate_read,       ///< a value that its writer overwrote before committing
  future_read,             ///< a value the transaction itself writes only later
  thin_air_read,           ///< a value nobody wrote
  missed_row,  ///< a predicate did not return a row that all that was ever written there satisfies
  non_repeatable_read,  ///< another version than an earlier read of the same key in the transaction
};

inline constexpr std::size_t read_finding_count =
    static_cast<std::size_t>(ReadFinding::non_repeatable_read) + 1;

/// "aborted read"
std::string_view name_of(ReadFinding finding);
Anomaly anomaly_of(ReadFinding finding);

enum class LevelKind : std::uint8_t {
  transactional,      ///< about what transactions see of each other
  session_guarantee,  ///< about what a session sees of itself and of others: nothing without
                      ///< session order
  real_time,          ///< looks at begin and end times
};

enum class NameDialect : std::uint8_t { isoscope, elle };

/// Another name of a level. In the two dialects one name can mean different levels (read-committed)
/// or the level with and without session order (serializable).
struct LevelAlias {
  /// Whether the name asks for session order. `as_spoken`: yes in our dialect; in Elle's, where
  /// plain names mean the PL-levels, only for session guarantees and real-time levels.
  enum class Session : std::uint8_t { as_spoken, on, off };
  enum class Spoken : std::uint8_t { in_both, only_isoscope, only_elle };

  std::string_view name;
  Session session = Session::as_spoken;
  Spoken spoken = Spoken::in_both;
};

/// One row of the catalogue.
///
/// Invariants (tests hold the table to them): every row has a definition and a citation; `implies`
/// lists earlier rows only and none that another of them implies; with session order and without, a
/// history at this level is at every level of `implies`.
struct LevelEntry {
  LevelId id = LevelId::valid_reads;
  std::string_view name;   ///< canonical: lower-case with hyphens
  std::string_view title;  ///< as a person would write it
  LevelKind kind = LevelKind::transactional;
  /// What the level is without session order: a level of its own; the same level, which does not
  /// look at session order; or no more than valid-reads, since all it adds is about sessions.
  enum class Plain : std::uint8_t { own_level, same_level, valid_reads };
  Plain plain = Plain::own_level;
  ShortList<LevelAlias, 8> aliases = {};
  std::string_view definition;  ///< one sentence; the terms are those of docs/levels.md
  std::string_view remark = {};
  std::string_view citation;
  ShortList<LevelId, 4> implies = {};  ///< the next weaker levels
  ShortList<Anomaly, 8> forbids = {};  ///< beyond what those forbid
};

/// The catalogue, in the order of the enumeration, without `recorded`.
std::span<const LevelEntry> levels();
/// The entry of a level of the catalogue, or of `recorded`.
const LevelEntry& entry_of(LevelId id);

/// The canonical name: "serializable".
std::string_view name_of(LevelId id);
/// The name, and what is left out: "serializable without session order".
std::string text_of(Level level);

/// Whether session order makes a difference at this level.
bool depends_on_session_order(LevelId id);

/// A session guarantee taken without session order that then asks for no more than valid-reads.
bool is_vacuous(Level level);

/// Does every history at level `a` satisfy level `b`? Reflexive and transitive. A level without
/// session order implies none that depends on it.
bool implies(Level a, Level b);
/// serializable for strict-serializable: the level to which a real-time level adds real time.
std::optional<LevelId> without_real_time(LevelId id);
/// The reverse; nothing if the catalogue has no such level.
std::optional<LevelId> with_real_time(LevelId id);
/// The same with session order on both sides.
bool implies(LevelId a, LevelId b);

/// A level forbids its own anomalies, those of all levels it implies, and every anomaly that
/// implies one of them. With session order that includes the variants with session order, at
/// real-time levels those with real time.
bool forbids(Level level, Anomaly anomaly);
bool forbids(Level level, ReadFinding finding);
std::vector<Anomaly> forbidden_anomalies(Level level);
std::vector<ReadFinding> forbidden_findings(Level level);

/// The levels (session order on) that a history with this in it violates, in the order of the
/// catalogue.
std::vector<LevelId> levels_violated_by(Anomaly anomaly);
std::vector<LevelId> levels_violated_by(ReadFinding finding);
/// Those of the given levels that imply none of the others: what to report, since the rest follows.
std::vector<LevelId> weakest_of(std::span<const LevelId> some);

/// The level of that name, case aside; blanks and underscores stand for hyphens, and
/// strong-session-X is X with session order. An unknown name's Error suggests the nearest ones.
///
///   find_level("serializable")                      serializable, with session order
///   find_level("PL-3")                              serializable, without
///   find_level("read-committed", NameDialect::elle) adya-read-committed, without
Result<Level> find_level(std::string_view name, NameDialect dialect = NameDialect::isoscope);

/// The level of that name, in our dialect, as a history says it of one of its transactions. Whether
/// session order counts is no matter of one transaction, so a name that leaves it out is an Error,
/// too.
Result<LevelId> find_recorded_level(std::string_view name);

/// All names that mean exactly this level in the dialect, as the catalogue writes them, the
/// canonical one first. (serializable, off) has PL-3 and three more in ours; strong-session-X is
/// left out where X is given.
std::vector<std::string_view> names_of(Level level, NameDialect dialect = NameDialect::isoscope);

}  // namespace isoscope
