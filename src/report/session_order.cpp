#include "report/session_order.h"

#include <algorithm>

namespace isoscope::report {

bool in_session_order(const History& history, Level level, TransactionId a, TransactionId b) {
  if (!level.session_order || history.session_of(a) != history.session_of(b)) return false;
  const auto session = history.session(history.session_of(a));
  const auto first = std::ranges::find(session, a);
  const auto second = std::find(first, session.end(), b);
  return second != session.end() && std::all_of(first, second, [&](TransactionId t) {
           return history.outcome(t) != Outcome::indeterminate;
         });
}

}  // namespace isoscope::report
