#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope::strong {

/// When each transaction probably happened, as far as one can tell beforehand. The times are only
/// good for comparison.
///
/// They come from the client's clock, if all transactions that take part have times and that is
/// wanted. Otherwise they come from the order of the file, if its sessions are interleaved:
/// recorders write down what has just happened. In a file that goes session by session, they come
/// from the place in the session relative to its length: sessions progress at about the same rate.
class LikelyTimes {
 public:
  LikelyTimes(const History& history, const std::vector<std::uint8_t>& takes_part,
              bool clocks_guide);

  bool are_clocks() const { return origin_ == Origin::clocks; }
  bool are_places() const { return origin_ == Origin::places_in_sessions; }
  std::uint64_t begin(TransactionId t) const { return times_[t.index()].begin; }
  std::uint64_t end(TransactionId t) const { return times_[t.index()].end; }
  /// For a transaction that is one event, somewhere between the two.
  std::uint64_t middle(TransactionId t) const { return begin(t) + (end(t) - begin(t)) / 2; }

 private:
  enum class Origin : std::uint8_t { clocks, order_of_file, places_in_sessions };
  struct Times {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  void take_clocks(const History& history, const std::vector<std::uint8_t>& takes_part);
  void take_order_of_file();
  void take_places(const History& history);

  Origin origin_ = Origin::places_in_sessions;
  std::vector<Times> times_;  // by TransactionId
};

/// Keeps the order of times.
inline std::uint64_t as_unsigned(std::int64_t time) {
  return static_cast<std::uint64_t>(time) ^ std::uint64_t{1} << 63;
}

inline std::int64_t as_signed(std::uint64_t time) {
  return static_cast<std::int64_t>(time ^ std::uint64_t{1} << 63);
}

}  // namespace isoscope::strong
