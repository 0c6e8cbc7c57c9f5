#include "cli/level_option.h"

namespace isoscope::cli {

Result<Level> level_named(std::string_view name, const Options& options) {
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

}  // namespace

Result<std::vector<Level>> levels_option(const Options& options) {
  std::vector<Level> levels;
  std::string_view rest = options.text("level");
  if (!options.is_set("level")) return levels;
  while (true) {
    const std::string_view name = rest.substr(0, rest.find(','));
    ISOSCOPE_TRY(level, level_named(name, options));
    ISOSCOPE_TRY(timed, with_time(level, options.text("time")));
    levels.push_back(timed);
    if (name.size() == rest.size()) return levels;
    rest.remove_prefix(name.size() + 1);
  }
}

}  // namespace isoscope::cli
