#include "isoscope/base/json_writer.h"
#include "isoscope/report/levels_report.h"

namespace isoscope::report {
namespace {

/// Version 1 of the catalogue had its name and version in `format` and `version`.
constexpr std::int64_t levels_version = 2;
constexpr std::int64_t level_version = 1;
constexpr std::int64_t anomaly_version = 1;

std::string_view word_of(LevelKind kind) {
  constexpr std::string_view words[] = {"transactional", "session-guarantee", "real-time"};
  return words[static_cast<std::size_t>(kind)];
}

std::string_view word_of(AnomalyOrder order) {
  constexpr std::string_view words[] = {"dependencies", "session-order", "real-time"};
  return words[static_cast<std::size_t>(order)];
}

template <class Range>
void write_names(JsonWriter& json, std::string_view member, const Range& range) {
  json.member(member).begin_array();
  for (const auto id : range) json.string(name_of(id));
  json.end_array();
}

void write_meanings(JsonWriter& json, LevelId id, NameDialect dialect) {
  json.begin_array();
  for (const bool session_order : {true, false}) {
    if (!session_order && !depends_on_session_order(id)) continue;
    for (const std::string_view name : names_of(Level{id, session_order}, dialect)) {
      json.begin_object().member("name").string(name);
      json.member("session_order").boolean(session_order).end_object();
    }
  }
  json.end_array();
}

// The members of a level's object: what the row says, and what follows for the level with or
// without session order.
void write_level(JsonWriter& json, Level level) {
  const LevelEntry& row = entry_of(level.id);
  std::vector<LevelId> weaker;
  for (const LevelEntry& other : levels()) {
    const Level same_order{other.id, level.session_order};
    if (other.id == level.id || is_vacuous(same_order)) continue;
    if (implies(level, same_order)) weaker.push_back(other.id);
  }
  json.member("name").string(row.name);
  json.member("session_order").boolean(level.session_order);
  json.member("title").string(row.title);
  json.member("kind").string(word_of(row.kind));
  json.member("definition").string(row.definition);
  json.member("remark").string(row.remark);
  json.member("citation").string(row.citation);
  json.member("depends_on_session_order").boolean(depends_on_session_order(level.id));
  json.member("depends_on_real_time").boolean(row.kind == LevelKind::real_time);
  json.member("names").begin_object();
  json.member("isoscope");
  write_meanings(json, level.id, NameDialect::isoscope);
  json.member("elle");
  write_meanings(json, level.id, NameDialect::elle);
  json.end_object();
  write_names(json, "implies_directly", row.implies);
  write_names(json, "implies", weaker);
  write_names(json, "forbids_directly", row.forbids);
  write_names(json, "forbids", forbidden_anomalies(level));
  write_names(json, "forbids_reads", forbidden_findings(level));
}

/// Writes the members into an object that is open.
void write_anomaly(JsonWriter& json, const AnomalyEntry& row) {
  json.member("name").string(row.name);
  json.member("description").string(row.description);
  json.member("citation").string(row.citation);
  json.member("seen_through").string(word_of(row.order));
  write_names(json, "implies_directly", row.implies);
  json.member("example").string(example_of(row.id));
  write_names(json, "forbidden_by", levels_violated_by(row.id));
}

}  // namespace

std::string levels_json() {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-levels").integer(levels_version);
  json.member("levels").begin_array();
  for (const LevelEntry& row : levels()) {
    json.begin_object();
    write_level(json, Level{row.id});
    json.end_object();
  }
  json.end_array();
  json.member("anomalies").begin_array();
  for (const AnomalyEntry& row : anomalies()) {
    json.begin_object();
    write_anomaly(json, row);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

std::string level_json(Level level) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-level").integer(level_version);
  write_level(json, level);
  json.end_object();
  return json.take() + "\n";
}

std::string anomaly_json(Anomaly anomaly) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("isoscope-anomaly").integer(anomaly_version);
  write_anomaly(json, entry_of(anomaly));
  json.end_object();
  return json.take() + "\n";
}

}  // namespace isoscope::report
