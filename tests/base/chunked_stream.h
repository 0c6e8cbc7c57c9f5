#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "isoscope/base/byte_reader.h"

namespace isoscope {

/// A stream of given bytes that hands out at most `chunk` at a time, and perhaps fails at the end.
class ChunkedStream : public ByteStream {
 public:
  ChunkedStream(std::string bytes, std::size_t chunk, std::optional<Error> failure = {})
      : bytes_(std::move(bytes)), chunk_(chunk), failure_at_end_(std::move(failure)) {}

  std::size_t read(char* into, std::size_t size) override {
    const std::size_t got = bytes_.copy(into, std::min(size, chunk_), at_);
    at_ += got;
    if (got == 0) failure_ = failure_at_end_;
    return got;
  }
  std::optional<Error> failure() const override { return failure_; }

 private:
  std::string bytes_;
  std::size_t chunk_;
  std::size_t at_ = 0;
  std::optional<Error> failure_at_end_;
  std::optional<Error> failure_;
};

inline ByteReader chunked_reader(std::string bytes, std::size_t chunk = 1 << 20,
                                 std::optional<Error> failure = {}) {
  return ByteReader("test",
                    std::make_unique<ChunkedStream>(std::move(bytes), chunk, std::move(failure)));
}

}  // namespace isoscope
