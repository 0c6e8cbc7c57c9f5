#pragma once

#include "isoscope/base/result.h"
#include "isoscope/record/connection_string.h"

namespace isoscope::record {

/// Takes it apart. Never fails on what has no scheme: that is the name of a store, known or not.
/// No Error has a password in it.
Result<ConnectionString> parse_connection_string(std::string_view text);

}  // namespace isoscope::record
