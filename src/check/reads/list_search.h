#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/history/value.h"

namespace isoscope {

/// Is a list made of whole blocks, each used at most once? The blocks are what each transaction
/// appended to a key. When no element is appended twice there is only one way to cut the list and
/// nobody needs this; otherwise the question is NP-hard (3-partition: numbers are blocks a..a, and
/// the list is a..a b a..a b ...), so this is a depth-first search with a budget of steps that
/// grows linearly with the list. Blocks with equal elements are one choice, so where every
/// transaction appends one element, it never has to go back.
class ListSearch {
 public:
  enum class Explained : std::uint8_t { yes, no, gave_up };
  static constexpr std::size_t no_block = static_cast<std::size_t>(-1);

  void clear();
  /// Adds a block (not empty) and returns its number: 0, 1, ...
  std::size_t add_block(std::span<const ValueId> elements);
  /// To be called when all blocks are there.
  void prepare();

  /// `excluded` is a block that may not be used, or no_block. Adds the steps taken to `work`.
  Explained explain(std::span<const ValueId> list, std::size_t excluded, std::uint64_t& work);

 private:
  /// Blocks with the same elements.
  struct Shape {
    std::size_t block;     // one of them
    std::size_t left = 0;  // how many are not used
  };
  struct Choice {
    std::size_t position;  // of the list, where the block starts
    std::size_t shape;
  };

  std::span<const ValueId> block(std::size_t number) const {
    return std::span(elements_).subspan(starts_[number], starts_[number + 1] - starts_[number]);
  }
  Explained search(std::span<const ValueId> list, std::uint64_t& work);

  std::vector<ValueId> elements_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<Shape> shapes_;          // sorted by elements
  std::vector<std::size_t> shape_of_;  // by block number
  std::vector<Choice> choices_;
};

}  // namespace isoscope
