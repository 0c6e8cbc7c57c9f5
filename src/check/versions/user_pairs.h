#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "check/versions/key_users.h"
#include "isoscope/history/history.h"

namespace isoscope::versions {

/// Where a transaction stands in session order.
class SessionPlaces {
 public:
  SessionPlaces(const History& history, const std::vector<std::uint8_t>& takes_part,
                bool indeterminate_cuts);

  /// What is ordered has the same chain. A transaction of unknown outcome has the place right
  /// behind the one that it follows.
  struct Place {
    std::uint32_t chain = 0;
    std::uint32_t place = 0;
    auto operator<=>(const Place&) const = default;
  };
  Place of(TransactionId t) const { return places_[t.index()]; }

 private:
  std::vector<Place> places_;
};

/// Is told that all that the first one used comes before all that the second one used, or is the
/// same.
using TellPair = std::function<void(const KeyUser& earlier, const KeyUser& later)>;

// Pairs of users of one key from which all others follow.

/// One comes before the other in a session.
void pairs_of_sessions(std::span<const KeyUser> users, const SessionPlaces& places,
                       const TellPair& tell);

/// One ended before the other began, by more than the skew of clocks in ns.
void pairs_of_times(const History& history, std::span<const KeyUser> users, std::int64_t skew,
                    const TellPair& tell);

/// Tells of versions whose writers have stamps, the smaller stamp first.
void pairs_of_stamps(const History& history, std::span<const KeyUser> users,
                     const std::function<void(VersionNumber, VersionNumber)>& tell);

}  // namespace isoscope::versions
