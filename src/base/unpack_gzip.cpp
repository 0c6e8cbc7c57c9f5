#define ZLIB_CONST  // zlib's input is then const
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/unpacker.h"

namespace isoscope {

namespace {

constexpr int largest_window_of_gzip_only = 15 + 16;

class GzipUnpacker : public Unpacker {
 public:
  GzipUnpacker() {
    if (inflateInit2(&state_, largest_window_of_gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~GzipUnpacker() override { inflateEnd(&state_); }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  Result<bool> step(Buffers& buffers, bool) override {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    const auto in_size = static_cast<uInt>(std::min(buffers.in_size, most));
    const auto out_size = static_cast<uInt>(std::min(buffers.out_size, most));
    state_.next_in = reinterpret_cast<const Bytef*>(buffers.in);
    state_.avail_in = in_size;
    state_.next_out = reinterpret_cast<Bytef*>(buffers.out);
    state_.avail_out = out_size;
    const int outcome = inflate(&state_, Z_NO_FLUSH);
    buffers.in += in_size - state_.avail_in;
    buffers.in_size -= in_size - state_.avail_in;
    buffers.out += out_size - state_.avail_out;
    buffers.out_size -= out_size - state_.avail_out;
    switch (outcome) {
      case Z_OK:
      case Z_BUF_ERROR:  // neither input nor room: not an error
        return true;
      case Z_STREAM_END:
        inflateReset(&state_);
        return false;
      case Z_MEM_ERROR:
        throw std::bad_alloc();
      default:
        return Error{state_.msg != nullptr ? state_.msg : "not what gzip writes"};
    }
  }

 private:
  z_stream state_{};
};

}  // namespace

std::unique_ptr<Unpacker> gzip_unpacker() { return std::make_unique<GzipUnpacker>(); }

}  // namespace isoscope
