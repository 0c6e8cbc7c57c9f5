#include "cli/level_option.h"

namespace isoscope::cli {

Result<Level> level_named(std::string_view name, const Options& options) {
  ISOSCOPE_TRY(level, find_level(name, options.text("names") == "elle" ? NameDialect::elle
                                                                       : NameDialect::isoscope));
  if (options.is_set("session-order")) level.session_order = options.text("session-order") == "on";
  return level;
}

Result<std::vector<Level>> levels_option(const Options& options) {
  std::vector<Level> levels;
  std::string_view rest = options.text("level");
  if (!options.is_set("level")) return levels;
  while (true) {
    const std::string_view name = rest.substr(0, rest.find(','));
    ISOSCOPE_TRY(level, level_named(name, options));
    levels.push_back(level);
    if (name.size() == rest.size()) return levels;
    rest.remove_prefix(name.size() + 1);
  }
}

}  // namespace isoscope::cli
