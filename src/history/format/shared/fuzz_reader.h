#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "isoscope/history/format.h"

/// What the fuzz targets of readers have in common; each ends in abort() when what it says does not
/// hold.
namespace isoscope::format {

inline void fuzz_require(bool holds) {
  if (!holds) std::abort();
}

/// Whatever the input was, reading it gave a history, which then has a native text, or a complaint
/// of one line.
inline void require_history_or_complaint(const Result<History>& history) {
  if (history) {
    fuzz_require(bool(format_history(*history, Format::native)));
  } else {
    fuzz_require(!history.error().what.empty() &&
                 history.error().text().find('\n') == std::string::npos);
  }
}

inline Result<History> read_fuzzed(Format format, std::string bytes) {
  ReadOptions options;
  options.format = format;
  return read_history(Source::from_memory("fuzz", std::move(bytes)), options);
}

inline void require_history_or_complaint(Format format, const std::uint8_t* data,
                                         std::size_t size) {
  require_history_or_complaint(
      read_fuzzed(format, std::string(reinterpret_cast<const char*>(data), size)));
}

/// For formats we also write: a history must come back as the same one after it was written. The
/// native text, which has room for everything, tells whether it is the same.
inline void require_round_trip(Format format, const std::uint8_t* data, std::size_t size) {
  const Result<History> first =
      read_fuzzed(format, std::string(reinterpret_cast<const char*>(data), size));
  require_history_or_complaint(first);
  if (!first) return;
  const Result<std::string> written = format_history(*first, format);
  fuzz_require(bool(written));
  const Result<History> second = read_fuzzed(format, *written);
  fuzz_require(bool(second));
  const Result<std::string> before = format_history(*first, Format::native);
  const Result<std::string> after = format_history(*second, Format::native);
  fuzz_require(before && after && *before == *after);
}

}  // namespace isoscope::format
