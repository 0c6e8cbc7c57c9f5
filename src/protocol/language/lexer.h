#pragma once

#include <string>
#include <string_view>

#include "isoscope/base/tokens.h"

namespace isoscope::protocol {

/// Splits a protocol, which must outlive the tokens; `name` is the text's, for errors. Linear.
Result<Tokens> split_into_tokens(const std::string& name, std::string_view text);

/// Words that mean something in formulas or start statements, and cannot be names.
bool is_reserved(std::string_view word);

}  // namespace isoscope::protocol
