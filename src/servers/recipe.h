#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "isoscope/servers/server.h"

namespace isoscope::servers {

/// Where the server's files are.
struct Places {
  std::string folder;  ///< for everybody to pass through
  std::string run;     ///< in it, and the server's own: data, socket, log
  std::string data() const { return run + "/data"; }
  std::string log() const { return run + "/log"; }
};

/// All that is to be known about a server before it is started.
struct Recipe {
  ServerKind kind = ServerKind::postgres;
  std::string version;                  ///< "15.18"
  std::vector<std::string> initialise;  ///< the command that makes the data folder
  std::string initial_input;            ///< what it reads from standard input
  std::vector<std::string> serve;       ///< the command that is the server
  int stop_signal = 0;                  ///< ends the server at once, with nothing left behind
  std::vector<Setting> settings;        ///< those of the user, which may be what it refuses
  /// What the log says of a setting that was taken for something else than what was said.
  std::vector<std::string_view> misgivings;
  std::string connection_string;
  std::vector<Variable> environment;
  /// Whether clients can connect by now.
  bool (*is_ready)(const Places& places) = nullptr;
};

/// The recipe for a server in these places. Programs are looked for below `root`, which is "/" but
/// for tests.
Result<Recipe> recipe_for(const ServerPlan& plan, const Places& places,
                          const std::filesystem::path& root = "/");
Result<Recipe> postgres_recipe(const ServerPlan& plan, const Places& places,
                               const std::filesystem::path& root);
Result<Recipe> mariadb_recipe(const ServerPlan& plan, const Places& places,
                              const std::filesystem::path& root);

// For those two.

/// The Error of a server that is not there.
Error not_installed(ServerKind kind);
/// The Error of a version that is not there.
Error no_such_version(ServerKind kind, const std::string& wanted, const std::string& installed);
/// Does a version have this number? "15" stands for all of 15; an empty one for any.
bool is_version(const std::string& version, const std::string& wanted);
/// The first number with dots in what a program says about itself: "15.18".
Result<std::string> version_said_by(const std::string& program);
/// Refuses settings that are among these: they keep the server where it belongs.
Status check_settings(const ServerPlan& plan, std::span<const std::string_view> ours);
/// A setting's name as names are compared: MariaDB takes both - and _.
std::string folded_setting(std::string_view name);

}  // namespace isoscope::servers
