#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope {

/// "31,022"
std::string with_commas(std::uint64_t number);
/// "1 operation", "31,022 operations"
std::string counted(std::uint64_t number, std::string_view one);
/// A duration as --clock-skew takes it, in the largest unit in which it is whole: "5ms", "0s".
std::string duration_text(std::int64_t nanoseconds);
/// "a, b, c"
std::string joined(const std::vector<std::string>& words, std::string_view between = ", ");

}  // namespace isoscope
