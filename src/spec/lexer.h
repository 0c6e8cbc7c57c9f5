#pragma once

#include <string_view>

#include "isoscope/base/tokens.h"
#include "isoscope/spec/level_text.h"

namespace isoscope::spec {

/// Splits a level text, which must outlive the tokens. Linear.
Result<Tokens> split_into_tokens(const LevelText& text);

/// Words that mean something in expressions or start statements, and cannot be names.
bool is_reserved(std::string_view word);

}  // namespace isoscope::spec
