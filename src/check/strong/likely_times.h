#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope::strong {

/// When each transaction probably happened, as far as one can tell beforehand: by the client's
/// clock if all that take part have times and that is wanted, else by its place in its session
/// relative to the session's length (sessions progress at about the same rate). Only for
/// comparison.
class LikelyTimes {
 public:
  LikelyTimes(const History& history, const std::vector<std::uint8_t>& takes_part,
              bool clocks_guide);

  /// Otherwise they are places in sessions.
  bool are_clocks() const { return are_clocks_; }
  std::uint64_t begin(TransactionId t) const { return times_[t.index()].begin; }
  std::uint64_t end(TransactionId t) const { return times_[t.index()].end; }
  /// For a transaction that is one event, somewhere between the two: the end is the better guess
  /// for writers, the begin for others; the middle serves both.
  std::uint64_t middle(TransactionId t) const { return begin(t) + (end(t) - begin(t)) / 2; }

 private:
  struct Times {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  void take_clocks(const History& history, const std::vector<std::uint8_t>& takes_part);
  void take_places(const History& history);

  bool are_clocks_ = false;
  std::vector<Times> times_;  // by TransactionId
};

/// Order-preserving.
inline std::uint64_t as_unsigned(std::int64_t time) {
  return static_cast<std::uint64_t>(time) ^ std::uint64_t{1} << 63;
}

inline std::int64_t as_signed(std::uint64_t time) {
  return static_cast<std::int64_t>(time ^ std::uint64_t{1} << 63);
}

}  // namespace isoscope::strong
