#include "verifier/sessions.h"

#include "isoscope/base/contract.h"
#include "verifier/levels.h"

namespace isoscope::verifier {

Sessions::Sessions(const History& history, const Certificate& claim)
    : history_(history),
      level_(claim.level),
      clock_skew_(claim.clock_skew),
      places_(history.transaction_count()) {
  Place next;
  for (const SessionId session : history.sessions()) {
    ++next.part;
    for (const TransactionId t : history.session(session)) {
      places_[t.index()] = next;
      ++next.place;
      if (history.outcome(t) == Outcome::indeterminate && claim.indeterminate_cuts) ++next.part;
    }
  }
}

bool Sessions::before(TransactionId t, TransactionId u) const {
  ISOSCOPE_REQUIRE(t.index() < places_.size() && u.index() < places_.size());
  const Place a = places_[t.index()];
  const Place b = places_[u.index()];
  return level_.session_order && history_.outcome(t) != Outcome::indeterminate &&
         a.part == b.part && a.place < b.place;
}

bool Sessions::before_in_time(TransactionId t, TransactionId u) const {
  ISOSCOPE_REQUIRE(t.index() < places_.size() && u.index() < places_.size());
  if (!keeps_real_time(level_, history_, u)) return false;
  if (history_.outcome(t) == Outcome::indeterminate) return false;
  const auto end = history_.end_time(t);
  const auto begin = history_.begin_time(u);
  __extension__ using Wide = __int128;
  return end && begin && Wide{*end} + clock_skew_ < Wide{*begin};
}

}  // namespace isoscope::verifier
