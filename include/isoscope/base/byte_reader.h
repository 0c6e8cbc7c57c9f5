#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "isoscope/base/result.h"

namespace isoscope {

/// Where the bytes of a ByteReader come from: a file, memory, a decompressor.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Puts up to `size` bytes into `into`; 0 means the end. On failure 0, and failure() says why.
  virtual std::size_t read(char* into, std::size_t size) = 0;
  /// What failed, and what kind of failure it is, without a place. Nothing if nothing failed.
  virtual std::optional<Error> failure() const { return std::nullopt; }
};

/// Reads an input from front to back through one buffer, and always knows where it is.
///
/// The buffer is small (256 KiB) and grows only when a caller insists on seeing more at once, up to
/// `max_window`. Line numbers cost nothing per byte: newlines are counted when the buffer is
/// refilled, or when a position is asked for.
class ByteReader {
 public:
  /// No single record (a line, a string, a number) may be longer: longer input is an error, not a
  /// swap storm.
  static constexpr std::size_t max_window = std::size_t{64} << 20;

  ByteReader(std::string name, std::unique_ptr<ByteStream> stream);
  ByteReader(ByteReader&&) noexcept = default;
  ByteReader& operator=(ByteReader&&) noexcept = default;

  const std::string& name() const { return name_; }

  /// The next byte, 0..255, or -1 at the end; peek does not consume it.
  int peek() {
    if (cursor_ == limit_ && !refill()) return -1;
    return static_cast<unsigned char>(*cursor_);
  }
  int get() {
    if (cursor_ == limit_ && !refill()) return -1;
    return static_cast<unsigned char>(*cursor_++);
  }
  bool at_end() { return peek() < 0; }

  /// What is in the buffer right now: at least `count` bytes unless the input ends before (`count`
  /// at most max_window). Valid until the next call that reads.
  std::string_view window(std::size_t count) {
    if (static_cast<std::size_t>(limit_ - cursor_) < count) fill(count);
    return {cursor_, static_cast<std::size_t>(limit_ - cursor_)};
  }
  /// Moves past `count` bytes of the current window.
  void skip(std::size_t count) {
    ISOSCOPE_REQUIRE(count <= static_cast<std::size_t>(limit_ - cursor_));
    cursor_ += count;
  }

  /// The next line without its end ("\n" or "\r\n"), nothing at the end of the input. An Error when
  /// the line is longer than max_window or the stream failed.
  Result<std::optional<std::string_view>> next_line();

  /// Copies exactly `count` bytes; false when the input ends before.
  bool read_exact(void* into, std::size_t count);

  /// The position of the next byte, or of an earlier one. What is no longer in the buffer counts as
  /// the buffer's first byte.
  Position position() const { return position_of(offset()); }
  Position position_of(std::uint64_t offset) const;
  /// Bytes consumed so far.
  std::uint64_t offset() const {
    return base_offset_ + static_cast<std::uint64_t>(cursor_ - buffer_.get());
  }

  /// An Error of this input at the current position, at another one, or (binary inputs, where lines
  /// mean nothing) at a byte. When the stream itself failed, that is the reason for whatever looks
  /// wrong, and the Error says so instead.
  Error error(std::string what) const { return error_at(position(), std::move(what)); }
  Error error_at(Position position, std::string what) const {
    return located(Error{std::move(what)}, position);
  }
  Error error_at_byte(std::uint64_t byte, std::string what) const {
    return error_at(Position{byte, 0, 0}, std::move(what));
  }
  /// The same for an Error that has its kind already.
  Error located(Error error) const { return located(std::move(error), position()); }
  Error located(Error error, Position position) const;
  /// An Error when the stream failed (read error, corrupt compression): the end that was seen is
  /// not the end of the input. Readers that stop at at_end() or a false read_exact() must ask.
  Status stream_status() const;

 private:
  bool refill();
  /// Moves what is left to the front, keeping line counts, and reads until `count` bytes are there.
  void fill(std::size_t count);

  std::string name_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  char* cursor_ = nullptr;
  char* limit_ = nullptr;
  bool ended_ = false;
  std::uint64_t base_offset_ = 0;      // offset of buffer_[0]
  std::uint32_t base_line_ = 1;        // line of buffer_[0]
  std::uint64_t base_line_start_ = 0;  // offset where that line starts
};

}  // namespace isoscope
