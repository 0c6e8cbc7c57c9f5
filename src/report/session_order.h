#pragma once

#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope::report {

/// Does session order count, and does `a` come before `b` in a session? Sessions are cut after
/// transactions of unknown outcome.
bool in_session_order(const History& history, Level level, TransactionId a, TransactionId b);

}  // namespace isoscope::report
