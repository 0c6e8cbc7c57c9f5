#include "isoscope/level/level.h"

#include "isoscope/base/contract.h"

namespace isoscope {
namespace {

constexpr std::string_view finding_names[read_finding_count] = {
    "internal inconsistency", "aborted read", "intermediate read",  "future read",
    "thin-air read",          "missed row",   "non-repeatable read"};

constexpr Anomaly finding_anomalies[read_finding_count] = {
    Anomaly::internal,           Anomaly::g1a,           Anomaly::g1b,
    Anomaly::future_read,        Anomaly::thin_air_read, Anomaly::predicate_read_miss,
    Anomaly::non_repeatable_read};

std::size_t index_of(ReadFinding finding) {
  const auto index = static_cast<std::size_t>(finding);
  ISOSCOPE_REQUIRE(index < read_finding_count);
  return index;
}

}  // namespace

std::string_view name_of(ReadFinding finding) { return finding_names[index_of(finding)]; }

Anomaly anomaly_of(ReadFinding finding) { return finding_anomalies[index_of(finding)]; }

std::string_view name_of(LevelId id) { return entry_of(id).name; }

std::string text_of(Level level) {
  std::string text(name_of(level.id));
  if (!level.session_order && depends_on_session_order(level.id)) text += " without session order";
  return text;
}

bool depends_on_session_order(LevelId id) {
  return entry_of(id).plain != LevelEntry::Plain::same_level;
}

bool is_vacuous(Level level) {
  return !level.session_order && entry_of(level.id).plain == LevelEntry::Plain::valid_reads;
}

bool implies(Level a, Level b) {
  const LevelId stronger = is_vacuous(a) ? LevelId::valid_reads : a.id;
  const LevelId weaker = is_vacuous(b) ? LevelId::valid_reads : b.id;
  return implies(stronger, weaker) &&
         (a.session_order || !b.session_order || !depends_on_session_order(weaker));
}

bool forbids(Level level, Anomaly anomaly) {
  if (entry_of(anomaly).order == AnomalyOrder::session_order && !level.session_order) return false;
  const LevelId id = is_vacuous(level) ? LevelId::valid_reads : level.id;
  for (const LevelEntry& row : levels()) {
    if (!implies(id, row.id)) continue;
    for (const Anomaly own : row.forbids) {
      if (implies(anomaly, own)) return true;
      if (level.session_order && implies(anomaly, with_session_order(own))) return true;
      if (row.kind == LevelKind::real_time && implies(anomaly, with_real_time(own))) return true;
    }
  }
  return false;
}

bool forbids(Level level, ReadFinding finding) { return forbids(level, anomaly_of(finding)); }

std::vector<Anomaly> forbidden_anomalies(Level level) {
  std::vector<Anomaly> forbidden;
  for (const AnomalyEntry& row : anomalies()) {
    if (forbids(level, row.id)) forbidden.push_back(row.id);
  }
  return forbidden;
}

std::vector<ReadFinding> forbidden_findings(Level level) {
  std::vector<ReadFinding> forbidden;
  for (std::size_t i = 0; i < read_finding_count; ++i) {
    const auto finding = static_cast<ReadFinding>(i);
    if (forbids(level, finding)) forbidden.push_back(finding);
  }
  return forbidden;
}

std::vector<LevelId> levels_violated_by(Anomaly anomaly) {
  std::vector<LevelId> violated;
  for (const LevelEntry& row : levels()) {
    if (forbids(Level{row.id}, anomaly)) violated.push_back(row.id);
  }
  return violated;
}

std::vector<LevelId> levels_violated_by(ReadFinding finding) {
  return levels_violated_by(anomaly_of(finding));
}

std::vector<LevelId> weakest_of(std::span<const LevelId> some) {
  std::vector<LevelId> weakest;
  for (const LevelId level : some) {
    bool follows = false;
    for (const LevelId other : some) follows = follows || (other != level && implies(level, other));
    if (!follows) weakest.push_back(level);
  }
  return weakest;
}

std::optional<LevelId> without_real_time(LevelId id) {
  const LevelEntry& entry = entry_of(id);
  if (entry.kind != LevelKind::real_time) return std::nullopt;
  for (const LevelId weaker : entry.implies) {
    if (entry_of(weaker).kind != LevelKind::real_time) return weaker;
  }
  return std::nullopt;
}

std::optional<LevelId> with_real_time(LevelId id) {
  for (const LevelEntry& entry : levels()) {
    if (without_real_time(entry.id) == id) return entry.id;
  }
  return std::nullopt;
}

}  // namespace isoscope
