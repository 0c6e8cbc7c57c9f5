#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope::verifier {

/// What comes before what by sessions and by time, as the claim of a certificate has it.
class Sessions {
 public:
  Sessions(const History& history, const Certificate& claim);

  /// Does `t` come before `u` in the session? Nothing comes after an indeterminate transaction.
  bool before(TransactionId t, TransactionId u) const;
  /// The same by time, at levels that look at it.
  bool before_in_time(TransactionId t, TransactionId u) const;

  /// The part of a session, up to a cut, that the transaction is in.
  std::uint32_t part(TransactionId t) const {
    ISOSCOPE_REQUIRE(t.index() < places_.size());
    return places_[t.index()].part;
  }
  std::uint32_t place(TransactionId t) const { return places_[t.index()].place; }

 private:
  struct Place {
    std::uint32_t part = 0;
    std::uint32_t place = 0;
  };

  const History& history_;
  const Level level_;
  const std::int64_t clock_skew_;
  std::vector<Place> places_;  // by transaction
};

}  // namespace isoscope::verifier
