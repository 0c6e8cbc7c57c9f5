#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "isoscope/base/limits.h"
#include "isoscope/certificate/frontier.h"
#include "isoscope/report/explanation.h"

namespace isoscope::report {

/// What the verdicts of a frontier show, in words. Each is explained once, though it may show
/// several violations.
class Stories {
 public:
  /// All must outlive the object.
  Stories(const History& history, const Frontier& frontier, const Limits& limits)
      : history_(history), frontier_(frontier), limits_(limits) {}

  /// How much there is to read of the verdict with this number; smaller is better. A bad read comes
  /// first, then a cycle, several cases, and only a sentence.
  std::pair<int, std::size_t> length(std::size_t i);
  /// Nothing if single reads show it, or if there is only a sentence.
  const std::optional<Explanation>& of(std::size_t i);
  /// "write skew (G2-item): T1 -> T2 -> T1"
  std::string headline(std::size_t i);

 private:
  const History& history_;
  const Frontier& frontier_;
  const Limits& limits_;
  std::map<std::size_t, std::optional<Explanation>> stories_;
};

}  // namespace isoscope::report
