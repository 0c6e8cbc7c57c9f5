#pragma once

#include <optional>
#include <string>

#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// Why a certificate proves nothing: one line.
struct Refusal {
  std::string reason;
};

/// Does the certificate prove what it claims about this history? Nothing when it does.
///
/// Works from the definition of the level and the recorded operations alone (docs/certificates.md).
/// It shares no code with the checker but what reads histories and certificates and knows the
/// names of levels; so a user who doubts a verdict has to trust only these and this. It never
/// searches: an order is replayed, a refutation followed step by step. Linear in the history and
/// the certificate but for sorting and look-ups.
///
/// Whatever is in doubt is refused. A refusal says that this certificate is no proof, not that its
/// claim is wrong.
std::optional<Refusal> verify(const History& history, const Certificate& certificate);

}  // namespace isoscope
