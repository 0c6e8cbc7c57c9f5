#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/base/result.h"

// Throw-away database servers: started from the packages of the machine, in a temporary folder, on
// a unix socket, for one user, and gone without a trace afterwards.
//
// Idea. Between us and the server stands a process of ours, the keeper. It initialises the folder,
// starts the server, and waits for its owner, the program that asked for the server, at a socket.
// When the owner closes the socket, or dies in whatever way, the keeper stops the server and
// removes the folder. If somebody kills the keeper, the kernel ends the server, and the next start
// removes the folder.
//
//   recipe.h           what is to be run for a server of one kind, as data
//   postgres.cpp       that for PostgreSQL
//   mariadb.cpp        that for MariaDB
//   server_folder.h    the folder: made, locked, found again when it was left behind
//   program.h          programs started as another user, with their output in a log
//   keeper.h           the process in between
//   server.cpp         the owner's side of it
//
// Invariants. No server runs as root. The lock of a folder is held by the keeper and by every
// process of the server, so a folder that is not locked belongs to nobody, and no other is removed.
//
// Cost. Mostly what the server takes to initialise its folder: one to two seconds.

namespace isoscope::servers {

enum class ServerKind : std::uint8_t { postgres, mariadb };

struct ServerEntry {
  ServerKind kind = ServerKind::postgres;
  std::string_view name;     ///< as the command line takes it: "postgres"
  std::string_view title;    ///< "PostgreSQL"
  std::string_view package;  ///< of Debian 12: "postgresql-15"
};

std::span<const ServerEntry> server_kinds();
const ServerEntry& entry_of(ServerKind kind);
/// An unknown name's Error lists the known ones.
Result<ServerKind> find_server(std::string_view name);

/// A setting of the server, as in its configuration file.
struct Setting {
  std::string name;
  std::string value;
};

/// "fsync=on".
Result<Setting> setting_from(std::string_view text);

struct ServerPlan {
  ServerKind kind = ServerKind::postgres;
  /// "15" or "15.18"; empty: the newest one that is installed.
  std::string version = {};
  std::vector<Setting> settings = {};
};

/// A variable of the environment, for programs that connect to the server.
struct Variable {
  std::string name;
  std::string value;
};

/// A server that runs for as long as this object exists, and no longer than this process.
class Server {
 public:
  /// Returns when clients can connect. What is not installed is an Error that names the package; a
  /// version or setting that there is not is one of usage.
  static Result<Server> start(const ServerPlan& plan, const Limits& limits, Progress& progress);

  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;
  /// Stops the server and waits until its folder is gone.
  ~Server();

  /// "postgresql://isoscope@/postgres?host=/tmp/isoscope-server-x1y2z3/run"
  const std::string& connection_string() const;
  /// "15.18"
  const std::string& version() const;
  /// What makes the server's own client programs connect to it: PGHOST and so on. The connection
  /// string is not among them.
  std::span<const Variable> environment() const;

  /// Nothing while the server runs; otherwise the last line of its log.
  std::optional<std::string> ended();

 private:
  struct Owner;
  explicit Server(std::unique_ptr<Owner> owner);
  std::unique_ptr<Owner> owner_;
};

}  // namespace isoscope::servers
