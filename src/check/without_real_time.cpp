#include "isoscope/check/without_real_time.h"

namespace isoscope {

std::optional<Verdict> check_without_real_time(const History& history, const Verdict& verdict,
                                               const CheckOptions& options) {
  const auto untimed = without_real_time(verdict.level.id);
  if (verdict.answer != Answer::violated || !untimed) return std::nullopt;
  return check(history, {*untimed, verdict.level.session_order}, options);
}

}  // namespace isoscope
