#include "servers/keeper.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

namespace isoscope::servers {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience_at_start{120};
constexpr std::chrono::seconds patience_at_end{5};

/// Nothing of the owner's is to stay open here: a pipe that it closes is to be closed.
void close_all_but(int one, int other) {
  std::vector<int> files;
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    const int file = std::atoi(entry->d_name);
    if (file > STDERR_FILENO && file != one && file != other && file != dirfd(folder))
      files.push_back(file);
  }
  closedir(folder);
  for (const int file : files) close(file);
}

/// Ctrl-C and the end of a terminal reach the owner only, which then closes the socket.
void leave_the_terminal(int line, int lock) {
  setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  close_all_but(line, lock);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, file);
  if (nowhere > STDERR_FILENO) close(nowhere);
  if (chdir("/") != 0) _exit(1);
}

class Keeper {
 public:
  Keeper(const Recipe& recipe, const ServerFolder& folder, const std::optional<Account>& account,
         int line)
      : recipe_(recipe), folder_(folder), account_(account), line_(line) {}

  void run() {
    // Orphans of the server become children of ours, so none is forgotten.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (initialise() && serve() && has_its_settings()) {
      say(Word::ready, "");
      while (!is_left(100)) answer();
    }
    stop_all();
    folder_.remove();
  }

 private:
  /// Waits, but not when the owner says something, and returns whether it has gone.
  bool is_left(int milliseconds) const {
    pollfd line{line_, POLLIN, 0};
    if (poll(&line, 1, milliseconds) <= 0) return false;
    char word = 0;
    return recv(line_, &word, 1, MSG_PEEK | MSG_DONTWAIT) == 0 || (line.revents & POLLERR) != 0;
  }

  void say(Word word, const std::string& text) const {
    const std::string message = static_cast<char>(word) + text + "\n";
    static_cast<void>(send(line_, message.data(), message.size(), MSG_NOSIGNAL));
  }

  void answer() {
    char word = 0;
    if (recv(line_, &word, 1, MSG_DONTWAIT) != 1) return;
    if (has_ended(server_)) {
      say(Word::no, last_line_of(folder_.places().log()));
    } else {
      say(Word::yes, "");
    }
  }

  Program program(const std::vector<std::string>& command, const std::string& input) const {
    return {.command = command,
            .folder = folder_.places().run,
            .input = input,
            .log = folder_.places().log(),
            .account = account_,
            .lock = folder_.lock()};
  }

  bool initialise() {
    const std::string input = folder_.places().folder + "/input";
    std::ofstream(input) << recipe_.initial_input;
    server_ = start(program(recipe_.initialise, input), SIGKILL);
    if (server_ < 0) return give_up();
    while (!has_ended(server_)) {
      if (is_left(10)) return false;
    }
    return status_ == 0 || give_up();
  }

  bool serve() {
    server_ = start(program(recipe_.serve, ""), recipe_.stop_signal);
    if (server_ < 0) return give_up();
    const Clock::time_point deadline = Clock::now() + patience_at_start;
    while (!recipe_.is_ready(folder_.places())) {
      if (has_ended(server_) || Clock::now() > deadline) return give_up();
      if (is_left(10)) return false;
    }
    return true;
  }

  bool give_up() {
    const std::string error = first_error_in(folder_.places().log());
    say(is_about_a_setting(error) ? Word::refused : Word::failed, error);
    return false;
  }

  bool is_about_a_setting(const std::string& line) const {
    return std::ranges::any_of(recipe_.settings, [&](const Setting& setting) {
      return folded_setting(line).find(folded_setting(setting.name)) != std::string::npos;
    });
  }

  /// A server may start with another value than the one it was given.
  bool has_its_settings() {
    for (const std::string_view misgiving : recipe_.misgivings) {
      const std::string line = first_line_with(folder_.places().log(), misgiving);
      if (line.empty() || !is_about_a_setting(line)) continue;
      say(Word::refused, line);
      return false;
    }
    return true;
  }

  /// Whether this child of ours is gone. Others that are gone are forgotten.
  bool has_ended(pid_t child) {
    if (child < 0) return true;
    for (int status = 0;;) {
      const pid_t gone = waitpid(-1, &status, WNOHANG);
      if (gone <= 0) return kill(child, 0) != 0;
      if (gone != child) continue;
      status_ = status;
      server_ = -1;
      return true;
    }
  }

  void stop_all() {
    if (server_ > 0) kill(server_, recipe_.stop_signal);
    const Clock::time_point deadline = Clock::now() + patience_at_end;
    while (waitpid(-1, nullptr, WNOHANG) >= 0) {
      if (Clock::now() > deadline) kill_children();
      poll(nullptr, 0, 5);
    }
  }

  static void kill_children() {
    const std::string self = std::to_string(getpid());
    std::ifstream children("/proc/self/task/" + self + "/children");
    for (pid_t child = 0; children >> child;) kill(child, SIGKILL);
  }

  const Recipe& recipe_;
  const ServerFolder& folder_;
  const std::optional<Account>& account_;
  const int line_;
  pid_t server_ = -1;
  int status_ = -1;  // of the last server_ that ended
};

}  // namespace

void keep(const Recipe& recipe, const ServerFolder& folder, const std::optional<Account>& account,
          int line) {
  leave_the_terminal(line, folder.lock());
  Keeper(recipe, folder, account, line).run();
  _exit(0);
}

}  // namespace isoscope::servers
