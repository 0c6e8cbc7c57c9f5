#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/byte_reader.h"
#include "isoscope/base/limits.h"

namespace isoscope {

/// A pipe, a named pipe, a device or standard input: bytes that come once, kept as they come, so
/// that any number of readers can start from the front.
///
///   recognition    reads bytes 0..64K            the pipe gives them, and they are kept
///   the reader     starts again at byte 0        the first 64K out of memory, then from the pipe
///
/// Nothing is read before a reader asks for it. Cost: the memory of all bytes read so far, as they
/// come (a compressed input is kept compressed). One thread at a time.
class ReadOnce {
 public:
  /// What is at `path`, which is not a regular file, or standard input where `path` is "-". A named
  /// pipe without a writer waits for one when it is read, not here. The limits end any waiting;
  /// they must outlive this.
  static Result<std::shared_ptr<ReadOnce>> open(const std::string& path, const Limits& limits);
  ~ReadOnce();
  ReadOnce(const ReadOnce&) = delete;
  ReadOnce& operator=(const ReadOnce&) = delete;

  /// Copies up to `size` bytes that start at byte `at`; 0 at the end, or on failure.
  std::size_t read(std::uint64_t at, char* into, std::size_t size);
  const std::optional<Error>& failure() const { return failure_; }

 private:
  static constexpr std::size_t block_size = std::size_t{256} << 10;

  ReadOnce(int descriptor, bool is_ours, const Limits& limits)
      : descriptor_(descriptor), is_ours_(is_ours), limits_(limits) {}
  /// Gets more bytes, unless there are no more.
  void fetch();
  /// Until there are bytes, or the end; false if a limit was reached before.
  bool wait();

  int descriptor_;
  bool is_ours_;
  const Limits& limits_;
  std::vector<std::unique_ptr<char[]>> blocks_;  // all full but the last
  std::uint64_t size_ = 0;
  bool ended_ = false;
  std::optional<Error> failure_;
};

/// All bytes from the front. Streams of one ReadOnce may be read in turns.
std::unique_ptr<ByteStream> stream_of(std::shared_ptr<ReadOnce> bytes);

}  // namespace isoscope
