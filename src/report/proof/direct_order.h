#pragma once

#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope::report {

/// The refutation with steps in front of its own: what sessions and, where it counts, real time say
/// about any two of the transactions that it speaks of.
///
/// A proof may need T1 before T9 by way of six others, and people see at once that T1 ended before
/// T9 began. Nothing is added where many transactions are spoken of, because the number of pairs
/// grows with the square.
Certificate with_direct_order(const History& history, const Certificate& certificate);

}  // namespace isoscope::report
