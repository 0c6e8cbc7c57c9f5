#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isoscope {

/// "31,022"
std::string with_commas(std::uint64_t number);
/// "1 operation", "31,022 operations"
std::string counted(std::uint64_t number, std::string_view one);
/// A duration as --clock-skew takes it, in the largest unit in which it is whole: "5ms", "0s".
std::string duration_text(std::int64_t nanoseconds);

}  // namespace isoscope
