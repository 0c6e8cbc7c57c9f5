#include "servers/program.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

namespace isoscope::servers {

namespace {

std::vector<char*> as_pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Signals that we ignore would be ignored by programs that we start.
void reset_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool become(const Account& account) {
  return setgroups(0, nullptr) == 0 && setgid(account.group) == 0 && setuid(account.user) == 0;
}

/// In the child: a failure is a line in the log and the exit code 127.
[[noreturn]] void fail(const char* what) {
  dprintf(STDERR_FILENO, "error: %s: %s\n", what, std::strerror(errno));
  _exit(127);
}

[[noreturn]] void run(const Program& program, const std::vector<char*>& words, int signal,
                      pid_t parent) {
  reset_signals();
  const char* const environment[] = {
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TZ=UTC",
      nullptr};
  const int input = open(program.input.empty() ? "/dev/null" : program.input.c_str(), O_RDONLY);
  if (input < 0 || dup2(input, STDIN_FILENO) < 0) fail(program.input.c_str());
  if (program.account && !become(*program.account)) fail("cannot become another user");
  const int log = open(program.log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
    fail(program.log.c_str());
  if (input > STDERR_FILENO) close(input);
  if (log > STDERR_FILENO) close(log);
  if (program.lock >= 0) fcntl(program.lock, F_SETFD, 0);
  if (chdir(program.folder.c_str()) != 0) fail(program.folder.c_str());
  // Becoming another user takes this back, so it comes after that. The parent may be gone by now.
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(127);
  execve(words[0], words.data(), const_cast<char**>(environment));
  fail(words[0]);
}

std::vector<std::string> lines_of(const std::string& log) {
  std::ifstream file(log);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

Result<std::optional<Account>> account_for_servers() {
  if (geteuid() != 0) return std::optional<Account>();
  // Not thread-safe, but programs start servers from one thread.
  const passwd* nobody = getpwnam("nobody");
  if (nobody == nullptr || nobody->pw_uid == 0)
    return Error{"servers do not run as root, and there is no user 'nobody' to run them as"};
  return std::optional<Account>(Account{nobody->pw_uid, nobody->pw_gid});
}

pid_t start(const Program& program, int signal) {
  const std::vector<char*> words = as_pointers(program.command);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) run(program, words, signal, parent);
  return child;
}

Result<std::string> output_of(const std::vector<std::string>& command) {
  const Error failed{"cannot run " + command[0]};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return failed;
  const std::vector<char*> words = as_pointers(command);
  const pid_t child = fork();
  if (child == 0) {
    reset_signals();
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execv(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t count; child > 0 && (count = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0 || status != 0) return failed;
  return text;
}

std::string first_error_in(const std::string& log) {
  for (const std::string& line : lines_of(log)) {
    for (const char* const mark : {"FATAL:", "PANIC:", "ERROR:", "[ERROR]", "error:"}) {
      const std::size_t place = line.find(mark);
      if (place != std::string::npos) return line.substr(place);
    }
  }
  return last_line_of(log);
}

std::string first_line_with(const std::string& log, std::string_view part) {
  for (const std::string& line : lines_of(log)) {
    if (line.find(part) != std::string::npos) return line;
  }
  return {};
}

std::string last_line_of(const std::string& log) {
  const std::vector<std::string> lines = lines_of(log);
  return lines.empty() ? "it said nothing" : lines.back();
}

}  // namespace isoscope::servers
