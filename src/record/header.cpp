#include "record/header.h"

#include <ctime>

#include "isoscope/base/json_writer.h"
#include "isoscope/history/native_text.h"

namespace isoscope::record {

namespace {

std::string_view name_of(KeyDistribution distribution) {
  switch (distribution) {
    case KeyDistribution::zipf:
      return "zipf";
    case KeyDistribution::hotspot:
      return "hotspot";
    case KeyDistribution::uniform:
      break;
  }
  return "uniform";
}

/// As the options of the command say it, and only what the workload looks at.
void add_workload(JsonWriter& json, const WorkloadPlan& plan) {
  const auto number = [&](std::string_view member, std::string_view option, std::uint64_t value) {
    if (uses(plan.kind, member)) json.member(option).integer(static_cast<std::int64_t>(value));
  };
  json.member("workload").begin_object().member("name").string(isoscope::name_of(plan.kind));
  number("operations", "operations", plan.operations);
  number("keys", "keys", plan.keys);
  number("read_percent", "read-share", plan.read_percent);
  number("duplicate_percent", "duplicate-keys", plan.duplicate_percent);
  number("value_space", "values", plan.value_space);
  if (uses(plan.kind, "value_theta"))
    json.member("value-theta").decimal(plan.value_theta / 100.0, 2);
  if (uses(plan.kind, "zero_start")) json.member("initial").string(plan.zero_start ? "0" : "nil");
  if (uses(plan.kind, "distribution")) {
    json.member("key-distribution").string(name_of(plan.distribution));
    if (plan.distribution == KeyDistribution::zipf)
      json.member("key-theta").decimal(plan.key_theta / 100.0, 2);
    if (plan.distribution == KeyDistribution::hotspot) {
      json.member("hot-keys").integer(plan.hot_key_percent);
      json.member("hot-share").integer(plan.hot_use_percent);
    }
  }
  json.member("sessions").integer(static_cast<std::int64_t>(plan.sessions));
  json.member("seed").integer(static_cast<std::int64_t>(plan.seed));
  json.end_object();
}

/// Now, as 2026-11-18T19:46:02Z.
std::string date_and_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, size};
}

std::string origin(const RecordPlan& plan, const Database& database) {
  return "isoscope record: workload " + std::string(isoscope::name_of(plan.workload.kind)) + ", " +
         database.description().server + " at " + std::string(database.isolation()) + ", seed " +
         std::to_string(plan.workload.seed);
}

void add_initial(std::string& line, const SetUp& set_up, const HistoryBuilder& names) {
  if (set_up.rows.empty()) {
    line += "\"nil\"";
    return;
  }
  NativeText text(names.values(), line);
  line += "{\"default\":null,\"values\":[";
  for (std::size_t i = 0; i < set_up.rows.size(); ++i) {
    const RowVersion& row = set_up.rows[i];
    line += i == 0 ? "[" : ",[";
    text.key(table_name(set_up, names.key_table(row.key)), names.key_name(row.key));
    line += ',';
    text.value(row.value);
    line += ']';
  }
  line += "]}";
}

}  // namespace

std::string_view table_name(const SetUp& set_up, TableId table) {
  for (const TableShape& shape : set_up.tables) {
    if (shape.table == table) return shape.name;
  }
  return {};
}

std::string header_line(const RecordPlan& plan, const Database& database, const SetUp& set_up,
                        const HistoryBuilder& names) {
  JsonWriter json(JsonWriter::Style::compact);
  const DatabaseDescription description = database.description();
  json.begin_object();
  json.member("started").string(date_and_time());
  json.member("database").string(plan.database);
  json.member("server").string(description.server);
  json.member("driver").string(description.driver);
  json.member("isolation").string(database.isolation());
  if (const auto promise = database.promise()) json.member("promise").string(text_of(*promise));
  json.member("settings").begin_object();
  for (const auto& [name, value] : description.settings) json.member(name).string(value);
  json.end_object();
  add_workload(json, plan.workload);
  json.member("clock").string("monotonic, nanoseconds since the first transaction began");
  json.end_object();

  std::string line = "{\"isoscope-history\":1,\"origin\":";
  append_json_string(line, origin(plan, database));
  line += ",\"cut-line\":\"ignore\",\"x-record\":" + json.text() + ",\"initial\":";
  add_initial(line, set_up, names);
  return line + "}\n";
}

}  // namespace isoscope::record
