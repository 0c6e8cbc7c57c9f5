#pragma once

#include <string>
#include <string_view>

#include "isoscope/base/result.h"

namespace isoscope {

/// The error with the line it is in and a caret below the place:
///   my.level:4:9: expected ...
///     axiom session: so in co in
///                             ^
std::string caret_text(const Error& error, std::string_view text);

}  // namespace isoscope
