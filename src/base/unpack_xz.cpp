#include <lzma.h>

#include <new>

#include "base/unpacker.h"

namespace isoscope {

namespace {

/// `xz -9` needs 65 MiB; a dictionary may have 4 GiB.
constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;

class XzUnpacker : public Unpacker {
 public:
  XzUnpacker() {
    if (lzma_stream_decoder(&state_, most_memory, LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~XzUnpacker() override { lzma_end(&state_); }
  XzUnpacker(const XzUnpacker&) = delete;
  XzUnpacker& operator=(const XzUnpacker&) = delete;

  Result<bool> step(Buffers& buffers, bool is_last) override {
    state_.next_in = reinterpret_cast<const std::uint8_t*>(buffers.in);
    state_.avail_in = buffers.in_size;
    state_.next_out = reinterpret_cast<std::uint8_t*>(buffers.out);
    state_.avail_out = buffers.out_size;
    const lzma_ret outcome = lzma_code(&state_, is_last ? LZMA_FINISH : LZMA_RUN);
    buffers = {reinterpret_cast<const char*>(state_.next_in), state_.avail_in,
               reinterpret_cast<char*>(state_.next_out), state_.avail_out};
    switch (outcome) {
      case LZMA_OK:
      case LZMA_BUF_ERROR:  // no way on without more input
        return true;
      case LZMA_STREAM_END:
        return false;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        return Error{"unpacking needs more than 256 MiB"};
      case LZMA_FORMAT_ERROR:
        return Error{"expected the beginning of a stream"};
      case LZMA_OPTIONS_ERROR:
        return Error{"it uses what this version of liblzma does not know"};
      default:
        return Error{"a checksum or a code is wrong"};
    }
  }

 private:
  lzma_stream state_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Unpacker> xz_unpacker() { return std::make_unique<XzUnpacker>(); }

}  // namespace isoscope
