#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/unpacker.h"

namespace isoscope {

namespace {

class Bzip2Unpacker : public Unpacker {
 public:
  Bzip2Unpacker() { begin(); }
  ~Bzip2Unpacker() override { BZ2_bzDecompressEnd(&state_); }
  Bzip2Unpacker(const Bzip2Unpacker&) = delete;
  Bzip2Unpacker& operator=(const Bzip2Unpacker&) = delete;

  Result<bool> step(Buffers& buffers, bool) override {
    constexpr std::size_t most = std::numeric_limits<unsigned>::max();
    const auto in_size = static_cast<unsigned>(std::min(buffers.in_size, most));
    const auto out_size = static_cast<unsigned>(std::min(buffers.out_size, most));
    state_.next_in = const_cast<char*>(buffers.in);  // the library only reads it
    state_.avail_in = in_size;
    state_.next_out = buffers.out;
    state_.avail_out = out_size;
    const int outcome = BZ2_bzDecompress(&state_);
    buffers.in += in_size - state_.avail_in;
    buffers.in_size -= in_size - state_.avail_in;
    buffers.out += out_size - state_.avail_out;
    buffers.out_size -= out_size - state_.avail_out;
    switch (outcome) {
      case BZ_OK:
        return true;
      case BZ_STREAM_END:
        BZ2_bzDecompressEnd(&state_);
        begin();
        return false;
      case BZ_MEM_ERROR:
        throw std::bad_alloc();
      case BZ_DATA_ERROR_MAGIC:
        return Error{"expected the beginning of a stream"};
      default:
        return Error{"a checksum or a code is wrong"};
    }
  }

 private:
  void begin() {
    state_ = {};
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  bz_stream state_{};
};

}  // namespace

std::unique_ptr<Unpacker> bzip2_unpacker() { return std::make_unique<Bzip2Unpacker>(); }

}  // namespace isoscope
