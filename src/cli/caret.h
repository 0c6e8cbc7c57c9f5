#pragma once

#include <string_view>

#include "isoscope/base/result.h"

namespace isoscope::cli {

/// The same Error, with the line of the text that it is about and a caret below its place. Such an
/// Error has several lines, and no place apart from them: it is only good to be shown.
Error with_caret(const Error& error, std::string_view text);

}  // namespace isoscope::cli
