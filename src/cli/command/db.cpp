#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "cli/command.h"
#include "cli/stopped.h"
#include "isoscope/servers/server.h"

namespace isoscope::cli {

namespace {

using servers::Server;

/// The variable that a command finds the connection string in.
constexpr const char* connection_variable = "DATABASE_URL";
constexpr std::chrono::milliseconds between_looks{50};

/// A list has been split at its commas, and the value of a setting may have some.
Result<std::vector<servers::Setting>> settings_from(const std::vector<std::string>& words) {
  std::vector<servers::Setting> settings;
  for (const std::string& word : words) {
    auto setting = servers::setting_from(word);
    if (setting) {
      settings.push_back(*std::move(setting));
    } else if (!settings.empty() && word.find('=') == std::string::npos) {
      settings.back().value += "," + word;
    } else {
      return setting.error();
    }
  }
  return settings;
}

Result<servers::ServerPlan> plan_from(const Invocation& invocation) {
  ISOSCOPE_TRY(kind, servers::find_server(invocation.arguments[0]));
  ISOSCOPE_TRY(settings, settings_from(invocation.options.list("setting")));
  return servers::ServerPlan{kind, invocation.options.text("version"), settings};
}

/// In the child.
[[noreturn]] void become(std::vector<std::string> command, const Server& server) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  setenv(connection_variable, server.connection_string().c_str(), 1);
  for (const servers::Variable& variable : server.environment())
    setenv(variable.name.c_str(), variable.value.c_str(), 1);
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  complain(command[0] + ": " + std::strerror(errno));
  _exit(exit_usage);
}

/// Runs the command while the server runs, and gives its exit code, as a shell does. Ctrl-C is the
/// command's business, which may take it for something else than its end.
ExitCode run_with(const std::vector<std::string>& command, const Server& server,
                  const Limits& limits) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return failed(Error{"no process for " + command[0]});
  if (child == 0) become(command, server);
  std::signal(SIGINT, SIG_IGN);
  bool is_told = false;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!is_told && limits.reached_now()) {
      kill(child, SIGTERM);
      is_told = true;
    }
    std::this_thread::sleep_for(between_looks / 10);
  }
  return static_cast<ExitCode>(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/// Until a limit, which is what Ctrl-C is too.
ExitCode run_until_stopped(Server& server, const std::string& name, const Limits& limits) {
  complain(name + " " + server.version() + " is ready, until Ctrl-C");
  print(server.connection_string() + "\n");
  std::fflush(stdout);
  while (!limits.reached_now()) {
    if (const auto last_words = server.ended())
      return failed(Error{name + " has ended: " + *last_words});
    std::this_thread::sleep_for(between_looks);
  }
  return exit_holds;
}

}  // namespace

ExitCode run_db(Invocation& invocation) {
  const auto plan = plan_from(invocation);
  if (!plan) return wrong_usage(plan.error());
  auto server = Server::start(*plan, invocation.limits, invocation.progress);
  invocation.progress.finish();
  if (!server) return not_finished(invocation, server.error());
  const std::vector<std::string> command(invocation.arguments.begin() + 1,
                                         invocation.arguments.end());
  if (!command.empty()) return run_with(command, *server, invocation.limits);
  return run_until_stopped(*server, invocation.arguments[0], invocation.limits);
}

}  // namespace isoscope::cli
