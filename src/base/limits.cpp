#include "isoscope/base/limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

namespace isoscope {

std::string_view name_of(StopReason reason) {
  switch (reason) {
    case StopReason::time:
      return "time limit";
    case StopReason::memory:
      return "memory limit";
    case StopReason::requested:
      return "interrupted";
  }
  return "";
}

Error stopped_while_reading(StopReason reason) {
  return {.what = "stopped while reading: " + std::string(name_of(reason)),
          .kind = ErrorKind::stopped};
}

const Limits& Limits::none() {
  static const Limits never(true);
  return never;
}

void Limits::set_time(std::chrono::nanoseconds allowed) {
  deadline_ = std::chrono::steady_clock::now() + allowed;
}

void Limits::set_memory(std::size_t bytes) { memory_ = bytes; }

std::optional<StopReason> Limits::remembered(std::optional<StopReason> reason) const {
  // All who have no limits share one object: what one of them ran out of must not stop the others.
  if (never_stops_) return std::nullopt;
  if (reason) reached_.store(static_cast<int>(*reason), std::memory_order_relaxed);
  return reason;
}

std::optional<std::size_t> Limits::memory_left() const {
  if (!memory_) return std::nullopt;
  const std::size_t used = resident_memory();
  return *memory_ > used ? *memory_ - used : 0;
}

std::optional<StopReason> Limits::look(bool at_memory_too) const {
  if (never_stops_) return std::nullopt;
  if (const int before = reached_.load(std::memory_order_relaxed); before >= 0) {
    return static_cast<StopReason>(before);
  }
  if (stop_requested_.load(std::memory_order_relaxed)) return remembered(StopReason::requested);
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) {
    return remembered(StopReason::time);
  }
  if (at_memory_too && memory_ && resident_memory() > *memory_) {
    return remembered(StopReason::memory);
  }
  return std::nullopt;
}

std::size_t resident_memory() {
  std::FILE* statm = std::fopen("/proc/self/statm", "r");
  if (statm == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int fields = std::fscanf(statm, "%lu %lu", &total, &resident);
  std::fclose(statm);
  return fields == 2 ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::size_t peak_resident_memory() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  return pages <= 0
             ? 0
             : static_cast<std::size_t>(pages) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace isoscope
