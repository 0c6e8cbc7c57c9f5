#pragma once  // Part of the API: docs/api.md.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isoscope/base/result.h"

namespace isoscope {

/// Why a computation was cut short.
enum class StopReason { time, memory, requested };

std::string_view name_of(StopReason reason);

/// The Error of a reader that a limit stopped.
Error stopped_while_reading(StopReason reason);

/// What a long computation may use. Every computation that can take long is given one, by
/// reference, and asks `reached()` in its inner loops; what it does then is to say "unknown", never
/// to guess. Where nothing limits it, it is given none().
///
/// Thread-safe: any number of threads may ask, any thread or signal handler may request a stop.
/// Once a limit was reached the answer stays the same.
class Limits {
 public:
  /// No limit but a requested stop.
  Limits() = default;
  /// Never stops anything: what computations are given whose callers set no limits.
  static const Limits& none();
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

  /// The clock starts now.
  void set_time(std::chrono::nanoseconds allowed);
  /// Resident memory of the whole process.
  void set_memory(std::size_t bytes);
  /// Safe to call from a signal handler.
  void request_stop() noexcept { stop_requested_.store(true, std::memory_order_relaxed); }

  /// How much may still be allocated, if there is a limit. A computation that can do with less asks
  /// this before it takes much.
  std::optional<std::size_t> memory_left() const;

  /// For callers that were refused memory: the memory limit counts as reached.
  void memory_was_refused() const { remembered(StopReason::memory); }

  /// Cheap enough for inner loops: it looks at the clock every 1,024 steps and at memory every
  /// 65,536. Callers that did more than one step since they last asked say so.
  std::optional<StopReason> reached(std::uint32_t steps = 1) const {
    if (never_stops_) return std::nullopt;
    // Not fetch_add: that waits for all memory accesses under way, at every step of inner loops.
    // When threads overwrite each other's count they ask a little later.
    const std::uint32_t before = steps_.load(std::memory_order_relaxed);
    steps_.store(before + steps, std::memory_order_relaxed);
    if (!is_due(before, steps, clock_period) && !stop_requested_.load(std::memory_order_relaxed) &&
        reached_.load(std::memory_order_relaxed) < 0) {
      return std::nullopt;
    }
    return look(is_due(before, steps, memory_period));
  }
  /// The same, but it always looks at both. To be called between the phases of a computation.
  std::optional<StopReason> reached_now() const { return look(true); }

 private:
  explicit Limits(bool never_stops) : never_stops_(never_stops) {}

  static constexpr std::uint32_t clock_period = 1024;
  static constexpr std::uint32_t memory_period = 65536;
  /// Is one of these steps the first of a period?
  static bool is_due(std::uint32_t before, std::uint32_t steps, std::uint32_t period) {
    return before % period == 0 || before % period + std::uint64_t{steps} > period;
  }
  std::optional<StopReason> look(bool at_memory_too) const;
  std::optional<StopReason> remembered(std::optional<StopReason> reason) const;

  const bool never_stops_ = false;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::optional<std::size_t> memory_;
  std::atomic<bool> stop_requested_ = false;
  mutable std::atomic<std::uint32_t> steps_ = 0;
  mutable std::atomic<int> reached_ = -1;
};

/// Resident memory of this process in bytes: now, and the highest it ever was. 0 where unknown.
std::size_t resident_memory();
std::size_t peak_resident_memory();
/// What the machine has. 0 where unknown.
std::size_t physical_memory();

}  // namespace isoscope
