#pragma once

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

namespace isoscope::test {

/// The same text as each of these programs compresses it.
inline std::string zstd_packed(std::string_view text, bool checksum = true) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum ? 1 : 0);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

inline std::string gzip_packed(std::string_view text) {
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&state, text.size()) + 32, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  deflate(&state, Z_FINISH);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

inline std::string xz_packed(std::string_view text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  const auto* in = reinterpret_cast<const std::uint8_t*>(text.data());
  auto* out = reinterpret_cast<std::uint8_t*>(packed.data());
  static_cast<void>(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, in, text.size(), out,
                                            &size, packed.size()));
  packed.resize(size);
  return packed;
}

inline std::string bzip2_packed(std::string_view text) {
  std::string packed(text.size() + text.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(packed.size());
  BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                           static_cast<unsigned>(text.size()), 1, 0, 0);
  packed.resize(size);
  return packed;
}

struct Packer {
  const char* name;
  const char* part;
  std::string (*pack)(std::string_view text);
};

inline constexpr Packer packers[] = {
    {"zstd", "frame", [](std::string_view text) { return zstd_packed(text); }},
    {"gzip", "member", gzip_packed},
    {"xz", "stream", xz_packed},
    {"bzip2", "stream", bzip2_packed},
};

}  // namespace isoscope::test
