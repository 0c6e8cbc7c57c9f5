#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isoscope::protocol {

/// "; did you mean `NAME`?" for the name one would take `wrong` for a misspelling of, or "".
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace isoscope::protocol
