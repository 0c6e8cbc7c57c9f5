#pragma once

#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope::report {

/// Does session order count for the certificate, and does `a` come before `b` in a session? Nothing
/// comes after a transaction of unknown outcome, and it may cut its session.
bool in_session_order(const History& history, const Certificate& certificate, TransactionId a,
                      TransactionId b);

}  // namespace isoscope::report
