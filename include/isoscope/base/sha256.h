#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace isoscope {

/// The SHA-256 digest of a sequence of bytes, given in pieces of any size (FIPS 180-4). About 200
/// MB a second.
///
///   Sha256 hash;
///   hash.add("abc");
///   hash.hex()  // "ba7816bf 8f01cfea 414140de ...", without the blanks
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 lower-case digits; the end: nothing can be added any more.
  std::string hex();

 private:
  void compress(const unsigned char* block);

  static constexpr std::size_t block_size = 64;

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, block_size> rest_{};
  std::size_t rest_size_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace isoscope
