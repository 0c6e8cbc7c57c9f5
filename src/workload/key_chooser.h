#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/workload/workload.h"
#include "workload/zipf.h"

namespace isoscope {

/// Chooses among 0 .. n-1 as the plan's distribution says.
///
/// The popular ones are always the first: with zipf 0 is the most popular, then 1, and so on; the
/// hot ones of hotspot are 0 .. h-1. They are not scattered (as YCSB does, for the sake of storage
/// engines), so that readers of a history see at once what is hot.
class KeyChooser {
 public:
  KeyChooser(const WorkloadPlan& plan, std::size_t n);

  std::size_t choose(Random& random) const;
  /// `count` different ones, or all n if there are no more; after a repetition the next free one
  /// is taken.
  std::vector<std::size_t> choose_distinct(Random& random, std::size_t count) const;

 private:
  std::size_t n_;
  std::size_t hot_ = 0;  // of n; 0: no hotspot
  unsigned hot_use_percent_;
  std::optional<Zipf> zipf_;
};

}  // namespace isoscope
