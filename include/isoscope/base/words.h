#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace isoscope {

/// "31,022"
std::string with_commas(std::uint64_t number);
/// "1 operation", "31,022 operations"
std::string counted(std::uint64_t number, std::string_view one);
/// A duration as --clock-skew takes it, in the largest unit in which it is whole: "5ms", "0s".
std::string duration_text(std::int64_t nanoseconds);

/// "a, b, c": what `word` makes of each member of the range.
template <class Range, class Word>
  requires(!std::convertible_to<Word, std::string_view>)
std::string joined(Range&& range, Word word, std::string_view between = ", ") {
  std::string text;
  bool is_first = true;
  for (const auto& one : range) {
    if (!std::exchange(is_first, false)) text += between;
    text += std::invoke(word, one);
  }
  return text;
}
/// The same of words.
template <class Range>
std::string joined(Range&& words, std::string_view between = ", ") {
  return joined(words, std::identity{}, between);
}

/// "a", "a or b", "a, b or c" with " or " before the last one.
template <class Range, class Word = std::identity>
std::string listed(const Range& range, std::string_view before_last, Word word = {}) {
  std::string text;
  std::size_t left = std::size(range);
  for (const auto& one : range) {
    if (!text.empty()) text += left == 1 ? before_last : ", ";
    text += std::invoke(word, one);
    --left;
  }
  return text;
}

}  // namespace isoscope
