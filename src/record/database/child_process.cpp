#include "record/database/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace isoscope::record {

namespace {

/// Waits until the process has come to its end; false: it has not in this time.
bool reaped_within(pid_t process, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (::waitpid(process, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::string& command) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{std::string("cannot make a socket: ") + std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: Ctrl-C is for us, and it ends when its input does.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string words[] = {"sh", "-c", command};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t process = 0;
  const int problem = ::posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (problem == 0) return ChildProcess(process, ends[0]);
  ::close(ends[0]);
  return Error{std::string("cannot run a shell: ") + std::strerror(problem)};
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, 0)),
      socket_(std::exchange(other.socket_, -1)),
      buffer_(std::move(other.buffer_)) {}

ChildProcess::~ChildProcess() {
  if (process_ == 0) return;
  ::close(socket_);
  if (reaped_within(process_, std::chrono::seconds(1))) return;
  ::kill(-process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool ChildProcess::ask(std::string_view line, std::string& answer) {
  while (!line.empty()) {
    const ssize_t sent = ::send(socket_, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    line.remove_prefix(static_cast<std::size_t>(sent));
  }
  std::size_t searched = 0;
  std::size_t end;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    searched = buffer_.size();
    char piece[1 << 14];
    const ssize_t got = ::recv(socket_, piece, sizeof piece, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    buffer_.append(piece, static_cast<std::size_t>(got));
  }
  answer = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return true;
}

}  // namespace isoscope::record
