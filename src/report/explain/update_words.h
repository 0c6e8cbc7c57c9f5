#pragma once

#include <optional>
#include <string>

#include "isoscope/history/history.h"

namespace isoscope::report {

/// What an update's client learned of what was there before, if the operation is an update's read:
///
///   T3 added 5 to x and got 12, so it was applied to x = 7
///   T3 did not set x from 1 to 2, since it saw x = 7
///
/// Nothing if it is a read by itself.
std::optional<std::string> update_words(const History& history, TransactionId reader,
                                        std::size_t place);

}  // namespace isoscope::report
