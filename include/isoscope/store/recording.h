#pragma once

#include <cstddef>
#include <cstdint>

#include "isoscope/history/history.h"
#include "isoscope/store/store.h"

namespace isoscope {

/// A run to be recorded: how many clients do what. Everything random comes from the seed.
struct RecordingPlan {
  std::size_t sessions = 3;
  std::size_t transactions_per_session = 4;
  std::size_t operations_per_transaction = 3;
  std::size_t keys = 3;
  unsigned write_percent = 50;
  unsigned abort_percent = 20;
  bool record_times = true;
  std::uint64_t seed = 1;
  Bug bug = Bug::none;
};

/// Runs the plan against a Store, one step of a random session at a time, and returns what the
/// clients saw. Every write writes a value of its own. Times, if asked for, are the number of the
/// step.
History record(const RecordingPlan& plan);

}  // namespace isoscope
