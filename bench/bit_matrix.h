#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isoscope {

/// Which nodes of a graph reach which, a bit for each pair: what VeriStrong keeps (section 7). Here
/// only to be compared with vector clocks: it takes n * n / 8 bytes.
class BitMatrix {
 public:
  explicit BitMatrix(std::size_t nodes) : words_((nodes + 63) / 64), bits_(nodes * words_, 0) {}

  /// A node reaches itself.
  void start(std::uint32_t node) { row(node)[node / 64] |= std::uint64_t{1} << node % 64; }

  /// What reaches `from` also reaches `to`.
  void merge(std::uint32_t from, std::uint32_t to) {
    const std::uint64_t* source = row(from);
    std::uint64_t* target = row(to);
    for (std::size_t i = 0; i < words_; ++i) target[i] |= source[i];
  }

  bool reaches(std::uint32_t from, std::uint32_t to) const {
    return (bits_[to * words_ + from / 64] >> from % 64 & 1) != 0;
  }

 private:
  std::uint64_t* row(std::uint32_t node) { return &bits_[node * words_]; }

  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace isoscope
