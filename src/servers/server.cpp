#include "isoscope/servers/server.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "servers/keeper.h"

namespace isoscope::servers {

namespace {

/// A line from the keeper, without its end; empty if the keeper has gone. Nothing: a limit.
std::optional<std::string> heard(int line, const Limits& limits) {
  std::string text;
  for (;;) {
    if (limits.reached_now()) return std::nullopt;
    pollfd readable{line, POLLIN, 0};
    if (poll(&readable, 1, 20) <= 0) continue;
    char letter = 0;
    const ssize_t count = recv(line, &letter, 1, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return "";
    if (letter == '\n') return text;
    text += letter;
  }
}

}  // namespace

/// The owner's end of the socket, and what it knows about the server.
struct Server::Owner {
  Recipe recipe;
  int line = -1;
  pid_t keeper = -1;

  Owner(Recipe what, int socket, pid_t process)
      : recipe(std::move(what)), line(socket), keeper(process) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    close(line);
    while (waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
};

Server::Server(std::unique_ptr<Owner> owner) : owner_(std::move(owner)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

Result<Server> Server::start(const ServerPlan& plan, const Limits& limits, Progress& progress) {
  const std::string title(entry_of(plan.kind).title);
  progress.phase("starting " + title, 0);
  ISOSCOPE_TRY(account, account_for_servers());
  ServerFolder::remove_left_behind();
  ISOSCOPE_TRY(folder, ServerFolder::make(account));
  auto recipe = recipe_for(plan, folder.places());
  int ends[2];
  if (!recipe || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    folder.remove();
    return recipe ? Error{"no socket for the keeper of the server"} : recipe.error();
  }
  const pid_t keeper = fork();
  if (keeper == 0) keep(*recipe, folder, account, ends[1]);
  close(ends[1]);
  if (keeper < 0) {
    close(ends[0]);
    folder.remove();
    return Error{"no process for the keeper of the server"};
  }
  Server server(std::make_unique<Owner>(*std::move(recipe), ends[0], keeper));
  const auto word = heard(ends[0], limits);
  progress.finish();
  if (!word) return Error{title + " was not started", {}, {}, ErrorKind::stopped};
  if (*word == std::string(1, static_cast<char>(Word::ready))) return server;
  const bool refused = word->starts_with(static_cast<char>(Word::refused));
  return Error{
      title + " did not start: " + (word->empty() ? "its keeper was killed" : word->substr(1)),
      {},
      {},
      refused ? ErrorKind::usage : ErrorKind::input};
}

const std::string& Server::connection_string() const { return owner_->recipe.connection_string; }

const std::string& Server::version() const { return owner_->recipe.version; }

std::span<const Variable> Server::environment() const { return owner_->recipe.environment; }

std::optional<std::string> Server::ended() {
  const char question = static_cast<char>(Word::is_running);
  if (send(owner_->line, &question, 1, MSG_NOSIGNAL) != 1) return "its keeper was killed";
  const std::string answer = heard(owner_->line, Limits::none()).value_or("");
  if (answer.starts_with(static_cast<char>(Word::yes))) return std::nullopt;
  return answer.empty() ? "its keeper was killed" : answer.substr(1);
}

}  // namespace isoscope::servers
