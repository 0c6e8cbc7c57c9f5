#pragma once

#include "check/reads/accesses.h"
#include "check/strong/problem/rules.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"

namespace isoscope::strong {

/// Decides a strong level for a history whose reads the first pass found in order; `verdict` comes
/// with what that pass said about indeterminate transactions.
void check_strong(const History& history, const KeyAccesses& accesses, const Rules& rules,
                  const CheckOptions& options, Verdict& verdict, std::uint64_t most_conflicts = 0);

}  // namespace isoscope::strong
