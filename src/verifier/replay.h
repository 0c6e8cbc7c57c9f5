#pragma once

#include "isoscope/base/result.h"
#include "isoscope/certificate/certificate.h"

namespace isoscope::verifier {

/// Is the certificate's order of events an execution at the level in which the clients see the
/// history?
Status check_order(const History& history, const Certificate& certificate);

}  // namespace isoscope::verifier
