#include "isoscope/base/words.h"

namespace isoscope {

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string counted(std::uint64_t number, std::string_view one) {
  return with_commas(number) + " " + std::string(one) + (number == 1 ? "" : "s");
}

std::string duration_text(std::int64_t nanoseconds) {
  constexpr std::string_view units[] = {"ns", "us", "ms", "s"};
  std::size_t unit = 0;
  while (unit + 1 < std::size(units) && nanoseconds % 1'000 == 0) {
    nanoseconds /= 1'000;
    ++unit;
  }
  return std::to_string(nanoseconds) + std::string(units[unit]);
}

}  // namespace isoscope
