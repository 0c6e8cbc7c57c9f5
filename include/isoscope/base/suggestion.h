#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope {

/// The known name that one would take `wrong` for a misspelling of: few letters away, and half of
/// it is left. The first of several that are as near; none if nothing is.
std::optional<std::string> nearest_name(std::string_view wrong,
                                        const std::vector<std::string>& known);

/// "; did you mean `NAME`?" for that name, or "".
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace isoscope
