#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/history/format.h"

namespace isoscope::test {

/// Puts binary files together, field by field.
class Bytes {
 public:
  Bytes& little(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) byte(number >> shift & 0xFF);
    return *this;
  }
  Bytes& big(std::uint64_t number) {
    for (int shift = 56; shift >= 0; shift -= 8) byte(number >> shift & 0xFF);
    return *this;
  }
  Bytes& byte(std::uint64_t value) {
    text_.push_back(static_cast<char>(value));
    return *this;
  }
  Bytes& text(std::string_view text) {
    text_ += text;
    return *this;
  }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

/// Reads bytes of the given format. The file is called "f".
inline Result<History> read_bytes(Format format, std::string bytes) {
  ReadOptions options;
  options.format = format;
  return read_history(Source::from_memory("f", std::move(bytes)), options);
}

/// The message of reading what must not be readable; "read" if it was.
inline std::string error_of(const Result<History>& history) {
  return history ? "read" : history.error().text();
}
inline std::string error_of(Format format, std::string bytes) {
  return error_of(read_bytes(format, std::move(bytes)));
}

}  // namespace isoscope::test
