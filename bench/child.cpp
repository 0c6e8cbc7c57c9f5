#include "child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace isoscope {

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void limit_cpu(unsigned seconds) {
  if (seconds == 0) return;
  const rlimit limit{seconds, seconds};
  setrlimit(RLIMIT_CPU, &limit);
}

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& output,
                         unsigned cpu_limit) {
  limit_cpu(cpu_limit);
  const int out =
      open(output.empty() ? "/dev/null" : output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err = open("/dev/null", O_WRONLY);
  if (out < 0 || err < 0) _exit(127);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

ProgramUse run_program(const std::vector<std::string>& command, const std::string& output,
                       unsigned cpu_limit) {
  ProgramUse use;
  std::fflush(nullptr);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) return use;
  if (child == 0) become(command, output, cpu_limit);
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child) return use;
  use.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  use.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  use.peak_bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 127) use.exit_code = WEXITSTATUS(status);
  // The kernel's two ways to count processor time differ by a few percent.
  use.timed_out = WIFSIGNALED(status) && cpu_limit != 0 && use.cpu_seconds >= cpu_limit * 0.9;
  return use;
}

std::optional<std::string> text_in_child(const std::function<std::string()>& work,
                                         unsigned cpu_limit) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    close(ends[0]);
    limit_cpu(cpu_limit);
    const std::string text = work();
    std::fflush(nullptr);
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = write(ends[1], text.data() + sent, text.size() - sent);
      if (count <= 0) _exit(1);
      sent += static_cast<std::size_t>(count);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) return std::nullopt;
  return text;
}

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "isoscope-bench-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) {
    std::fprintf(stderr, "cannot make a temporary folder %s\n", path_.c_str());
    std::exit(1);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace isoscope
