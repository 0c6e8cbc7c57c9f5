#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "isoscope/history/format.h"

namespace isoscope::format {

/// For fuzz targets of formats we also write: the bytes, if they are a history, must come back as
/// the same one after it was written. The native text, which has room for everything, tells whether
/// it is the same.
inline void require_round_trip(Format format, const std::uint8_t* data, std::size_t size) {
  const auto read = [&](std::string bytes) {
    ReadOptions options;
    options.format = format;
    return read_history(Source::from_memory("fuzz", std::move(bytes)), options);
  };
  const auto require = [](bool holds) {
    if (!holds) std::abort();
  };
  const Result<History> first = read(std::string(reinterpret_cast<const char*>(data), size));
  if (!first) {
    require(!first.error().what.empty() && first.error().text().find('\n') == std::string::npos);
    return;
  }
  const Result<std::string> written = format_history(*first, format);
  require(bool(written));
  const Result<History> second = read(*written);
  require(bool(second));
  const Result<std::string> before = format_history(*first, Format::native);
  const Result<std::string> after = format_history(*second, Format::native);
  require(before && after && *before == *after);
}

}  // namespace isoscope::format
