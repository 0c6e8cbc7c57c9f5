#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "isoscope/base/workers.h"
#include "isoscope/check/check_statistics.h"

namespace isoscope::strong {

/// The times of two phases with the same name are added.
inline void add_phase(const CheckStatistics::Phase& phase, CheckStatistics& to) {
  for (CheckStatistics::Phase& same : to.phases) {
    if (same.name != phase.name) continue;
    same.seconds += phase.seconds;
    return;
  }
  to.phases.push_back(phase);
}

/// Writes down how much processor time each phase of a check took, if anybody wants to know.
class PhaseClock {
 public:
  /// If one worker does all the work, only its own thread's time counts: other threads may be busy
  /// with something else.
  explicit PhaseClock(CheckStatistics* statistics, Workers workers = Workers(1))
      : statistics_(statistics),
        clock_(workers.threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID) {
    begin();
  }

  /// What was done until here belongs to no phase.
  void begin() {
    if (statistics_ != nullptr) last_ = now();
  }

  /// The phase that ends here.
  void end(std::string_view name) {
    if (statistics_ == nullptr) return;
    const double time = now();
    const double taken = time - last_;
    last_ = time;
    add_phase({std::string(name), taken}, *statistics_);
  }

 private:
  double now() const {
    timespec time{};
    clock_gettime(clock_, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  CheckStatistics* statistics_;
  clockid_t clock_;
  double last_ = 0;
};

}  // namespace isoscope::strong
