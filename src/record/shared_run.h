#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "isoscope/record/recorder.h"
#include "record/history_file.h"

namespace isoscope::record {

/// What the clients of a run share: the file, the clock, what is counted, and when to stop.
class SharedRun {
 public:
  SharedRun(const RecordPlan& the_plan, HistoryFile the_file)
      : plan(the_plan), file(std::move(the_file)) {}

  const RecordPlan& plan;
  HistoryFile file;

  /// Nanoseconds since the run began, by the clock that all clients have.
  std::int64_t now() const {
    return (std::chrono::steady_clock::now() - start_) / std::chrono::nanoseconds(1);
  }
  /// Lets all clients begin, at the same time.
  void start() {
    start_ = std::chrono::steady_clock::now();
    started_ = true;
    started_.notify_all();
  }
  void wait_for_start() const { started_.wait(false); }

  bool stops() const { return stops_.load(std::memory_order_relaxed); }
  void stop() { stops_.store(true, std::memory_order_relaxed); }
  /// Stops for this reason, the first one that is given.
  void stop_because(Error error);

  void count_commit() { count(committed_); }
  void count_rollback() { count(rolled_back_); }
  void count_indeterminate() { count(indeterminate_); }
  void count_reconnection() { count(reconnected_); }
  void count_abort(Trouble trouble) { count(aborted_[static_cast<std::size_t>(trouble)]); }
  /// Keeps the first message for each kind of trouble.
  void keep_example(const Completion& trouble);

  Tally tally() const;
  std::optional<Error> ended_by() const;

 private:
  using Count = std::atomic<std::uint64_t>;
  static void count(Count& count) { count.fetch_add(1, std::memory_order_relaxed); }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> started_ = false;
  std::atomic<bool> stops_ = false;
  Count committed_ = 0;
  Count rolled_back_ = 0;
  Count indeterminate_ = 0;
  Count reconnected_ = 0;
  std::array<Count, trouble_count> aborted_ = {};
  mutable std::mutex mutex_;  // of what follows
  std::array<std::string, trouble_count> examples_;
  std::optional<Error> ended_by_;
};

}  // namespace isoscope::record
