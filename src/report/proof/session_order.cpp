#include "report/proof/session_order.h"

#include <algorithm>

namespace isoscope::report {

bool in_session_order(const History& history, const Certificate& certificate, TransactionId a,
                      TransactionId b) {
  if (!certificate.level.session_order) return false;
  if (history.session_of(a) != history.session_of(b)) return false;
  const auto session = history.session(history.session_of(a));
  const auto first = std::ranges::find(session, a);
  const auto second = std::find(first, session.end(), b);
  if (second == session.end() || history.outcome(a) == Outcome::indeterminate) return false;
  return !certificate.indeterminate_cuts || std::all_of(first, second, [&](TransactionId t) {
    return history.outcome(t) != Outcome::indeterminate;
  });
}

}  // namespace isoscope::report
