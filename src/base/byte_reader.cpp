#include "isoscope/base/byte_reader.h"

#include <algorithm>
#include <cstring>

namespace isoscope {

namespace {

constexpr std::size_t first_capacity = std::size_t{256} << 10;

/// Blocks are small enough to be counted in a byte, so that many bytes are compared at once.
std::uint32_t newlines_in(std::string_view text) {
  constexpr std::size_t block = 128;
  std::uint32_t sum = 0;
  for (; text.size() >= block; text.remove_prefix(block)) {
    std::uint8_t count = 0;
    for (std::size_t i = 0; i < block; ++i) {
      count = static_cast<std::uint8_t>(count + (text[i] == '\n' ? 1 : 0));
    }
    sum += count;
  }
  return sum + static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

}  // namespace

ByteReader::ByteReader(std::string name, std::unique_ptr<ByteStream> stream)
    : name_(std::move(name)), stream_(std::move(stream)) {}

bool ByteReader::refill() {
  fill(1);
  return cursor_ != limit_;
}

void ByteReader::fill(std::size_t count) {
  ISOSCOPE_REQUIRE(count <= max_window);
  if (ended_) return;
  const auto left = static_cast<std::size_t>(limit_ - cursor_);
  const std::string_view consumed(buffer_.get(), static_cast<std::size_t>(cursor_ - buffer_.get()));
  if (const std::size_t newline = consumed.rfind('\n'); newline != std::string_view::npos) {
    base_line_ += newlines_in(consumed);
    base_line_start_ = base_offset_ + newline + 1;
  }
  base_offset_ = offset();
  if (count > capacity_) {
    const std::size_t capacity = std::max({first_capacity, capacity_ * 2, count});
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (left != 0) std::memcpy(larger.get(), cursor_, left);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  } else if (left != 0) {
    std::memmove(buffer_.get(), cursor_, left);
  }
  cursor_ = buffer_.get();
  limit_ = cursor_ + left;
  while (!ended_ && static_cast<std::size_t>(limit_ - cursor_) < count) {
    const std::size_t room = capacity_ - static_cast<std::size_t>(limit_ - cursor_);
    const std::size_t got = stream_->read(limit_, room);
    if (got == 0) ended_ = true;
    limit_ += got;
  }
}

Result<std::optional<std::string_view>> ByteReader::next_line() {
  if (at_end()) {
    ISOSCOPE_TRY_STATUS(stream_status());
    return std::optional<std::string_view>();
  }
  std::size_t searched = 0;
  std::string_view seen = window(1);
  std::size_t end;
  while ((end = seen.find('\n', searched)) == std::string_view::npos) {
    if (ended_) {
      end = seen.size();
      break;
    }
    if (seen.size() >= max_window) {
      return error("expected a line of at most 64 MiB, found a longer one");
    }
    searched = seen.size();
    seen = window(std::min(max_window, seen.size() * 2));
  }
  skip(std::min(end + 1, seen.size()));
  if (end > 0 && seen[end - 1] == '\r') --end;
  return std::optional<std::string_view>(seen.substr(0, end));
}

bool ByteReader::read_exact(void* into, std::size_t count) {
  auto* to = static_cast<char*>(into);
  while (count != 0) {
    if (cursor_ == limit_ && !refill()) return false;
    const std::size_t part = std::min(count, static_cast<std::size_t>(limit_ - cursor_));
    std::memcpy(to, cursor_, part);
    cursor_ += part;
    to += part;
    count -= part;
  }
  return true;
}

Position ByteReader::position_of(std::uint64_t offset) const {
  offset = std::clamp(offset, base_offset_, this->offset());
  const char* here = buffer_.get() + (offset - base_offset_);
  Position position{offset, base_line_, 0};
  std::uint64_t line_start = base_line_start_;
  for (const char* at = buffer_.get(); at != here;) {
    const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(here - at));
    if (newline == nullptr) break;
    at = static_cast<const char*>(newline) + 1;
    ++position.line;
    line_start = base_offset_ + static_cast<std::uint64_t>(at - buffer_.get());
  }
  position.column = static_cast<std::uint32_t>(position.byte - line_start + 1);
  return position;
}

Error ByteReader::located(Error error, Position position) const {
  if (std::optional<Error> failure = stream_->failure()) error = *std::move(failure);
  error.source = name_;
  error.position = position;
  return error;
}

Status ByteReader::stream_status() const {
  if (!stream_->failure()) return Done{};
  return error_at_byte(offset(), {});
}

}  // namespace isoscope
