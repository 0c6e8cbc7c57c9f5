#include <zstd.h>

#include <string>

#include "base/unpacker.h"

namespace isoscope {

namespace {

class ZstdUnpacker : public Unpacker {
 public:
  ZstdUnpacker() : context_(ZSTD_createDCtx()) {
    // A frame may ask for a window of up to 2 GiB; 128 MiB is what every ordinary compressor stays
    // under.
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, 27);
  }
  ~ZstdUnpacker() override { ZSTD_freeDCtx(context_); }
  ZstdUnpacker(const ZstdUnpacker&) = delete;
  ZstdUnpacker& operator=(const ZstdUnpacker&) = delete;

  Result<bool> step(Buffers& buffers, bool) override {
    ZSTD_inBuffer in{buffers.in, buffers.in_size, 0};
    ZSTD_outBuffer out{buffers.out, buffers.out_size, 0};
    const std::size_t left = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_isError(left)) return Error{ZSTD_getErrorName(left)};
    buffers = {buffers.in + in.pos, in.size - in.pos, buffers.out + out.pos, out.size - out.pos};
    return left != 0;
  }

 private:
  ZSTD_DCtx* context_;
};

}  // namespace

std::unique_ptr<Unpacker> zstd_unpacker() { return std::make_unique<ZstdUnpacker>(); }

}  // namespace isoscope
