#pragma once

#include <ctime>
#include <string_view>

#include "isoscope/check/check.h"

namespace isoscope::strong {

/// Writes down how much processor time each phase of a check took, if anybody wants to know.
class PhaseClock {
 public:
  explicit PhaseClock(CheckStatistics* statistics) : statistics_(statistics), last_(now()) {}

  /// The phase that ends here; of two with the same name the times are added.
  void end(std::string_view name) {
    if (statistics_ == nullptr) return;
    const double time = now();
    const double taken = time - last_;
    last_ = time;
    for (CheckStatistics::Phase& phase : statistics_->phases) {
      if (phase.name != name) continue;
      phase.seconds += taken;
      return;
    }
    statistics_->phases.push_back({std::string(name), taken});
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  CheckStatistics* statistics_;
  double last_;
};

}  // namespace isoscope::strong
