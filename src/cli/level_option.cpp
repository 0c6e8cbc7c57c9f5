#include "cli/level_option.h"

#include <algorithm>

#include "isoscope/base/suggestion.h"

namespace isoscope::cli {

Result<Level> level_named(std::string_view name, const Options& options) {
  if (name == name_of(LevelId::recorded)) {
    return Level{LevelId::recorded, options.text("session-order") != "off"};
  }
  ISOSCOPE_TRY(level, find_level(name, options.text("names") == "elle" ? NameDialect::elle
                                                                       : NameDialect::isoscope));
  if (options.is_set("session-order")) level.session_order = options.text("session-order") == "on";
  return level;
}

namespace {

Result<Level> with_time(Level level, std::string_view time) {
  const std::string name(name_of(level.id));
  const bool is_about_time = entry_of(level.id).kind == LevelKind::real_time;
  if (is_about_time && time == "ignore") return Error{"--time ignore: " + name + " is about time"};
  if (is_about_time || time != "trust") return level;
  const auto stronger = with_real_time(level.id);
  if (!stronger) return Error{"--time trust: " + name + " has no real-time variant"};
  level.id = *stronger;
  return level;
}

/// The levels of the catalogue to which --time applies.
std::vector<Level> all_levels(const Options& options) {
  std::vector<Level> levels;
  for (const LevelEntry& entry : isoscope::levels()) {
    Level level{entry.id};
    if (options.is_set("session-order"))
      level.session_order = options.text("session-order") == "on";
    if (const auto timed = with_time(level, options.text("time"))) levels.push_back(*timed);
  }
  return levels;
}

}  // namespace

std::string levels_left_out(const Options& options) {
  const std::vector<std::string> names = options.list("level");
  if (std::ranges::find(names, "all") == names.end()) return "";
  const std::string& time = options.text("time");
  const auto is_left_out = [&](const LevelEntry& entry) { return !with_time({entry.id}, time); };
  const auto count = std::ranges::count_if(isoscope::levels(), is_left_out);
  if (count == 0) return "";
  const bool trusts = time == "trust";
  return "--time " + time + ": " + std::to_string(count) +
         " levels are not answered, because they " +
         (trusts ? "have no real-time variant" : "are about time");
}

std::optional<bool> indeterminate_cuts_option(const Options& options) {
  if (!options.is_set("indeterminate-cuts")) return std::nullopt;
  return options.text("indeterminate-cuts") == "on";
}

Result<std::vector<Level>> levels_option(const Options& options) {
  std::vector<Level> levels;
  if (options.text("time-from") == "lines" && options.number("clock-skew") != 0) {
    return Error{"--clock-skew: lines are no clocks (--time-from)"};
  }
  const auto add = [&](Level level) {
    if (std::ranges::find(levels, level) == levels.end()) levels.push_back(level);
  };
  for (const std::string& name : options.list("level")) {
    if (name == "all") {
      for (const Level level : all_levels(options)) add(level);
      continue;
    }
    ISOSCOPE_TRY(level, level_named(name, options));
    ISOSCOPE_TRY(timed, with_time(level, options.text("time")));
    add(timed);
  }
  return levels;
}

Result<std::vector<VersionAssumption>> assumptions_option(const Options& options) {
  std::vector<VersionAssumption> assumptions;
  for (const std::string& name : options.list("assume")) {
    const auto assumption = find_version_assumption(name);
    if (!assumption) return Error{"--assume: " + assumption.error().what};
    if (std::ranges::count(assumptions, *assumption) == 0) assumptions.push_back(*assumption);
  }
  return assumptions;
}

std::string did_you_mean_anomaly(std::string_view typed) {
  std::vector<std::string> known;
  for (const AnomalyEntry& entry : anomalies()) known.emplace_back(entry.name);
  return did_you_mean(typed, known);
}

Result<std::vector<Anomaly>> anomalies_named(std::string_view names) {
  std::vector<Anomaly> anomalies;
  for (std::size_t start = 0; start <= names.size();) {
    const std::size_t end = std::min(names.find(',', start), names.size());
    const std::string name(names.substr(start, end - start));
    const auto anomaly = find_anomaly(name);
    if (!anomaly) {
      return Error{"--anomalies: unknown anomaly '" + name + "'" + did_you_mean_anomaly(name) +
                   " (isoscope levels show NAME)"};
    }
    if (std::ranges::count(anomalies, *anomaly) == 0) anomalies.push_back(*anomaly);
    start = end + 1;
  }
  return anomalies;
}

}  // namespace isoscope::cli
