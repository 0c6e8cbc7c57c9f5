#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace isoscope {

/// A dense index that only compares with its own kind: a KeyId is no ValueId.
///
///   struct KeyTag;
///   using KeyId = Id<KeyTag>;
template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
  constexpr std::size_t index() const { return value; }
  constexpr auto operator<=>(const Id&) const = default;
};

/// The ids first, first+1, ... last-1, for range-based loops.
template <class Tag>
class IdRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint32_t value) : value_(value) {}
    constexpr Id<Tag> operator*() const { return Id<Tag>(value_); }
    constexpr Iterator& operator++() {
      ++value_;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::uint32_t value_;
  };

  constexpr explicit IdRange(std::size_t count) : last_(static_cast<std::uint32_t>(count)) {}
  constexpr IdRange(Id<Tag> first, Id<Tag> last) : first_(first.value), last_(last.value) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(last_); }
  constexpr std::size_t size() const { return last_ - first_; }
  constexpr bool empty() const { return first_ == last_; }
  constexpr bool contains(Id<Tag> id) const { return id.value >= first_ && id.value < last_; }

 private:
  std::uint32_t first_ = 0;
  std::uint32_t last_;
};

}  // namespace isoscope

template <class Tag>
struct std::hash<isoscope::Id<Tag>> {
  std::size_t operator()(isoscope::Id<Tag> id) const noexcept { return id.value; }
};
