#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "isoscope/base/contract.h"

namespace isoscope {

/// A list of at most `capacity` elements that a constant table can hold by value, so that one row
/// of the catalogue is one expression. Too many elements do not compile in a constant.
template <class T, std::size_t capacity>
class ShortList {
 public:
  constexpr ShortList() = default;
  constexpr ShortList(std::initializer_list<T> elements) {
    ISOSCOPE_REQUIRE(elements.size() <= capacity);
    for (const T& element : elements) elements_[count_++] = element;
  }

  constexpr const T* begin() const { return elements_.data(); }
  constexpr const T* end() const { return elements_.data() + count_; }
  constexpr std::size_t size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }

 private:
  std::array<T, capacity> elements_{};
  std::size_t count_ = 0;
};

}  // namespace isoscope
