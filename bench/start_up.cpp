#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

/// How long a program takes from start to end when it has almost nothing to do: bench_start_up RUNS
/// PROGRAM [ARGUMENT...]
///
/// Reports the fastest run and the most memory of any, and nothing unless every run exits with 0.

extern char** environ;

int main(int argc, char** argv) {
  const int runs = argc >= 3 ? std::atoi(argv[1]) : 0;
  if (runs <= 0) {
    std::fprintf(stderr, "usage: bench_start_up RUNS PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  double best_ms = 1e9;
  long peak_kib = 0;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (posix_spawn(&child, argv[2], &actions, nullptr, argv + 2, environ) != 0) {
      std::fprintf(stderr, "cannot start %s\n", argv[2]);
      return 1;
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (status != 0) {
      std::fprintf(stderr, "%s did not exit with 0\n", argv[2]);
      return 1;
    }
    best_ms = std::min(best_ms, took.count());
    peak_kib = std::max(peak_kib, used.ru_maxrss);
  }
  posix_spawn_file_actions_destroy(&actions);
  std::printf("start to end, best of %d: %.2f ms, peak memory %.1f MB\n", runs, best_ms,
              static_cast<double>(peak_kib) * 1024 / 1e6);
  return 0;
}
