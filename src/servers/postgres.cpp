#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>

#include "isoscope/base/words.h"
#include "servers/recipe.h"

namespace isoscope::servers {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view own_settings[] = {"data_directory",
                                             "config_file",
                                             "hba_file",
                                             "ident_file",
                                             "external_pid_file",
                                             "listen_addresses",
                                             "port",
                                             "unix_socket_directories",
                                             "unix_socket_group",
                                             "unix_socket_permissions",
                                             "logging_collector",
                                             "log_destination",
                                             "dynamic_shared_memory_type"};

struct Installed {
  int major = 0;
  fs::path programs;
};

/// Debian keeps each major version in a folder of its own, such as usr/lib/postgresql/15/bin. The
/// newest one comes first.
std::vector<Installed> installed_below(const fs::path& root) {
  std::vector<Installed> found;
  std::error_code ignored;
  for (const auto& version : fs::directory_iterator(root / "usr/lib/postgresql", ignored)) {
    const std::string name = version.path().filename().string();
    Installed one{0, version.path() / "bin"};
    const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), one.major);
    if (wrong != std::errc() || end != name.data() + name.size()) continue;
    if (fs::exists(one.programs / "postgres", ignored) &&
        fs::exists(one.programs / "initdb", ignored))
      found.push_back(one);
  }
  std::ranges::sort(found, std::ranges::greater(), &Installed::major);
  return found;
}

/// The server writes its state into the eighth line of this file.
bool is_ready(const Places& places) {
  std::ifstream file(places.run + "/data/postmaster.pid");
  std::string line;
  for (int i = 0; i < 8 && std::getline(file, line); ++i) {
  }
  return file && line.starts_with("ready");
}

/// What makes it quick and small. A killed server loses nothing it acknowledged: fsync is about
/// crashes of the machine, which a throw-away server does not survive anyway. Deadlocks, which
/// tests of isolation make all the time, are noticed after 10 ms instead of a second.
std::vector<std::string> serve(const fs::path& programs, const Places& places,
                               const ServerPlan& plan) {
  std::vector<std::string> settings = {"listen_addresses=",
                                       "port=5432",
                                       "unix_socket_directories=" + places.run,
                                       "dynamic_shared_memory_type=mmap",
                                       "fsync=off",
                                       "full_page_writes=off",
                                       "deadlock_timeout=10ms",
                                       "max_connections=200"};
  for (const Setting& setting : plan.settings)
    settings.push_back(setting.name + "=" + setting.value);
  std::vector<std::string> command = {programs / "postgres", "-D", places.data()};
  for (const std::string& setting : settings) {
    command.emplace_back("-c");
    command.push_back(setting);
  }
  return command;
}

}  // namespace

Result<Recipe> postgres_recipe(const ServerPlan& plan, const Places& places, const fs::path& root) {
  ISOSCOPE_TRY_STATUS(check_settings(plan, own_settings));
  const std::vector<Installed> installed = installed_below(root);
  if (installed.empty()) return not_installed(plan.kind);
  std::vector<std::string> versions;
  for (const Installed& one : installed) {
    ISOSCOPE_TRY(version, version_said_by(one.programs / "postgres"));
    versions.push_back(version);
    if (!is_version(version, plan.version)) continue;
    return Recipe{.kind = plan.kind,
                  .version = version,
                  .initialise = {one.programs / "initdb", "-D", places.data(), "-U", "isoscope",
                                 "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"},
                  .initial_input = {},
                  .serve = serve(one.programs, places, plan),
                  // Immediate shutdown. Killing it would leave a piece of shared memory behind.
                  .stop_signal = SIGQUIT,
                  .settings = plan.settings,
                  .misgivings = {},
                  .connection_string = "postgresql://isoscope@/postgres?host=" + places.run,
                  .environment = {{"PGHOST", places.run},
                                  {"PGPORT", "5432"},
                                  {"PGUSER", "isoscope"},
                                  {"PGDATABASE", "postgres"}},
                  .is_ready = is_ready};
  }
  return no_such_version(plan.kind, plan.version, joined(versions));
}

}  // namespace isoscope::servers
