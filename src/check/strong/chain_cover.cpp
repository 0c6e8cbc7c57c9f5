#include <algorithm>

#include "check/strong/problem.h"

namespace isoscope::strong {

ChainCover session_chains(const History& history, const std::vector<std::uint8_t>& takes_part,
                          bool session_order) {
  ChainCover cover;
  cover.members.reserve(history.transaction_count());
  for (const SessionId session : history.sessions()) {
    bool cut = true;
    for (const TransactionId t : history.session(session)) {
      if (takes_part[t.index()] != 0) {
        const bool follows = session_order && !cut;
        if (!follows) cover.starts.push_back(cover.members.size());
        cover.members.push_back({t, follows});
        cut = false;
      }
      if (history.outcome(t) == Outcome::indeterminate) cut = true;
    }
  }
  cover.tracked = cover.starts.size();
  return cover;
}

}  // namespace isoscope::strong
