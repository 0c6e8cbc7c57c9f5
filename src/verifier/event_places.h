#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::verifier {

std::string text_of(Event event);
std::string text_of(TransactionId t);

/// The transactions that a certificate counts as committed, and the places of their events in its
/// order, where there are events of transactions.
class EventPlaces {
 public:
  EventPlaces(const History& history, const Certificate& certificate)
      : history_(history), certificate_(certificate) {}

  /// Which transactions are in the set?
  Status choose();
  /// Every event of these is in the order once, and sessions and times do not contradict it.
  Status place();

  bool is_taken(TransactionId t) const {
    ISOSCOPE_REQUIRE(t.index() < taken_.size());  // choose() comes first
    return taken_[t.index()];
  }
  /// From 1.
  std::size_t begin(TransactionId t) const {
    ISOSCOPE_REQUIRE(t.index() < begins_.size());  // place() comes first
    return begins_[t.index()];
  }
  std::size_t commit(TransactionId t) const {
    ISOSCOPE_REQUIRE(t.index() < commits_.size());
    return commits_[t.index()];
  }
  /// The same of a number in a certificate; 0 for the initial state.
  std::size_t commit_of(std::uint32_t t) const { return t == 0 ? 0 : commits_[t - 1]; }

 private:
  Status place_events();
  Status require_before(TransactionId first, TransactionId second, const char* why) const;
  Status check_sessions() const;
  Status check_times() const;

  const History& history_;
  const Certificate& certificate_;
  std::vector<bool> taken_;           // by transaction
  std::vector<std::size_t> begins_;   // by transaction
  std::vector<std::size_t> commits_;  // the same; with one event the same places
};

}  // namespace isoscope::verifier
