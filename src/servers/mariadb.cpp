#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "servers/recipe.h"

namespace isoscope::servers {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view own_settings[] = {
    "datadir",   "socket", "skip_networking", "port",   "bind_address", "pid_file", "log_error",
    "bootstrap", "user",   "basedir",         "tmpdir", "no_defaults",  "chroot"};

/// The scripts that make the system tables, in this order. The package's mariadb-install-db adds
/// help texts and views for administrators, which take most of its time, and needs a program of
/// another package.
constexpr std::string_view system_scripts[] = {
    "mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql",
    "maria_add_gis_sp_bootstrap.sql"};

std::string first_existing(const fs::path& root, std::initializer_list<std::string_view> names) {
  std::error_code ignored;
  for (const std::string_view name : names) {
    if (fs::exists(root / name, ignored)) return root / name;
  }
  return {};
}

/// What the server is given when it makes its data folder. Without a socket's user, root has no
/// password and no other condition.
Result<std::string> bootstrap_script(const fs::path& scripts) {
  std::ostringstream text;
  text << "create database mysql;\nuse mysql;\nset @auth_root_socket=null;\n";
  for (const std::string_view name : system_scripts) {
    std::ifstream file(scripts / name);
    if (!file) return Error{(scripts / name).string() + ": cannot read it"};
    text << file.rdbuf();
  }
  text << "\ncreate database isoscope;\n";
  return text.str();
}

/// A server that takes clients greets them.
bool is_ready(const Places& places) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = places.run + "/socket";
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0) return false;
  bool greeted = false;
  if (connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    pollfd readable{client, POLLIN, 0};
    char first = 0;
    greeted = poll(&readable, 1, 1000) == 1 && read(client, &first, 1) == 1;
  }
  close(client);
  return greeted;
}

std::vector<std::string> with_common(const std::string& program, const Places& places,
                                     std::initializer_list<std::string> more) {
  std::vector<std::string> command = {program,
                                      "--no-defaults",
                                      "--datadir=" + places.data(),
                                      "--tmpdir=" + places.run,
                                      "--innodb-log-file-size=32M",
                                      "--innodb-flush-method=nosync"};
  command.insert(command.end(), more);
  return command;
}

}  // namespace

Result<Recipe> mariadb_recipe(const ServerPlan& plan, const Places& places, const fs::path& root) {
  ISOSCOPE_TRY_STATUS(check_settings(plan, own_settings));
  const std::string program =
      first_existing(root, {"usr/sbin/mariadbd", "usr/bin/mariadbd", "usr/libexec/mariadbd"});
  const std::string scripts = first_existing(root, {"usr/share/mysql/mysql_system_tables.sql",
                                                    "usr/share/mariadb/mysql_system_tables.sql"});
  if (program.empty() || scripts.empty()) return not_installed(plan.kind);
  ISOSCOPE_TRY(version, version_said_by(program));
  if (!is_version(version, plan.version)) return no_such_version(plan.kind, plan.version, version);
  ISOSCOPE_TRY(bootstrap, bootstrap_script(fs::path(scripts).parent_path()));
  const std::string socket = places.run + "/socket";
  Recipe recipe{
      .kind = plan.kind,
      .version = version,
      .initialise = with_common(program, places,
                                {"--bootstrap", "--silent-startup", "--log-warnings=0",
                                 "--innodb-buffer-pool-size=16M", "--max-allowed-packet=8M"}),
      .initial_input = bootstrap,
      // With 2 a killed server loses nothing it acknowledged; 1, the default, is about crashes of
      // the machine.
      .serve = with_common(program, places,
                           {"--skip-networking", "--socket=" + socket,
                            "--pid-file=" + places.run + "/pid", "--character-set-server=utf8mb4",
                            "--max-connections=200", "--innodb-flush-log-at-trx-commit=2"}),
      .stop_signal = SIGKILL,
      .settings = plan.settings,
      .misgivings = {"wasn't recognized", " adjusted to "},
      .connection_string = "mariadb://root@localhost/isoscope?socket=" + socket,
      .environment = {{"MYSQL_UNIX_PORT", socket}},
      .is_ready = is_ready};
  for (const Setting& setting : plan.settings)
    recipe.serve.push_back("--" + setting.name + "=" + setting.value);
  return recipe;
}

}  // namespace isoscope::servers
