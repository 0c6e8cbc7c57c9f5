#pragma once

#include <cstdint>
#include <vector>

#include "check/direct/certain_reads.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"
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
    ISOSCOPE_REQUIRE(a < places_.size() && b < places_.size());
    return places_[a].part == places_[b].part && places_[a].place < places_[b].place &&
           places_[a].part != 0 && history_.outcome(TransactionId(a - 1)) != Outcome::indeterminate;
  }
  /// Real time counts, and `a` ended before `b` began.
  bool in_time(Number a, Number b) const;
  bool has_sessions() const { return has_sessions_; }
  /// For callers that will soon ask for the place of a transaction in its session.
  void prefetch_place(Number t) const { prefetch(&places_[t]); }

 private:
  const History& history_;
  bool has_sessions_;
  bool has_time_;
  std::int64_t clock_skew_;
  /// Parts are counted from 1. A part is a session, or a piece of it where indeterminate
  /// transactions cut it. The initial state is in no part, nor is anything if sessions do not
  /// count.
  struct Place {
    std::uint32_t part = 0;
    std::uint32_t place = 0;
  };
  std::vector<Place> places_;  // by number
};

}  // namespace isoscope::direct
