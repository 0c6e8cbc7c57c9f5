#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope {

/// The known name of which `wrong` is probably a misspelling: it is few letters away, and half of
/// it is left. If several are equally near, it is the first; if no name is near, there is none.
std::optional<std::string> nearest_name(std::string_view wrong,
                                        const std::vector<std::string>& known);

/// "; did you mean `NAME`?" for that name, or "".
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace isoscope
