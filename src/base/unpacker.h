#pragma once

#include <cstddef>
#include <memory>

#include "isoscope/base/result.h"

namespace isoscope {

/// One decompressor, as all of them are driven (unpack.cpp). Compressed data consists of one or
/// more parts that follow each other: gzip calls them members, zstd frames, xz and bzip2 streams.
class Unpacker {
 public:
  /// What is left to unpack, and the room that is left for it. step() moves both on.
  struct Buffers {
    const char* in;
    std::size_t in_size;
    char* out;
    std::size_t out_size;
  };

  virtual ~Unpacker() = default;
  /// Takes some of the input, makes some of the output. `is_last`: nothing comes after this input,
  /// which may be empty. True while inside of a part, so that the data must not end here; an Error
  /// says why the data is corrupt.
  virtual Result<bool> step(Buffers& buffers, bool is_last) = 0;
};

std::unique_ptr<Unpacker> zstd_unpacker();
std::unique_ptr<Unpacker> gzip_unpacker();
std::unique_ptr<Unpacker> xz_unpacker();
std::unique_ptr<Unpacker> bzip2_unpacker();

}  // namespace isoscope
