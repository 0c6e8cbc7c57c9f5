#pragma once

#include <cstdint>
#include <vector>

#include "check/direct/certain_reads.h"
#include "isoscope/check/check_options.h"
#include "isoscope/level/level.h"

namespace isoscope::direct {

/// What sessions and clocks say about the order of transactions, as far as it counts at a level:
/// rules 2 and 3 of docs/certificates.md.
class KnownOrder {
 public:
  KnownOrder(const History& history, Level level, const CheckOptions& options);

  /// Session order counts, and `a` comes before `b` in a session; `a` is not indeterminate, nor,
  /// if such transactions cut sessions, is one in between.
  bool in_session(Number a, Number b) const {
    return a != 0 && b != 0 && part_[a] != 0 && part_[a] == part_[b] && place_[a] < place_[b] &&
           history_.outcome(TransactionId(a - 1)) != Outcome::indeterminate;
  }
  /// Real time counts, and `a` ended before `b` began.
  bool in_time(Number a, Number b) const;
  bool has_sessions() const { return has_sessions_; }

 private:
  const History& history_;
  bool has_sessions_;
  bool has_time_;
  std::int64_t clock_skew_;
  // By number. Parts are counted from 1. A part is a session, or a piece of it where indeterminate
  // transactions cut it.
  std::vector<std::uint32_t> part_;
  std::vector<std::uint32_t> place_;
};

}  // namespace isoscope::direct
