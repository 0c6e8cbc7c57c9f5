#include "base/unpack.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/unpacker.h"

namespace isoscope {

namespace {

using namespace std::string_view_literals;

/// A way to compress: how to recognise it, by bytes that no history begins with, and how to undo
/// it.
struct Packing {
  std::string_view name;
  std::string_view part;
  bool (*begins)(std::string_view head);
  std::unique_ptr<Unpacker> (*unpacker)();
};

constexpr std::size_t longest_beginning = 10;

/// A frame, or one to be skipped, with which pzstd begins.
bool begins_zstd(std::string_view head) {
  return head.starts_with("\x28\xb5\x2f\xfd"sv) ||
         (head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18"sv);
}

/// Deflate is the only method there is.
bool begins_gzip(std::string_view head) { return head.starts_with("\x1f\x8b\x08"sv); }

bool begins_xz(std::string_view head) { return head.starts_with("\xfd\x37zXZ\0"sv); }

/// BZh1 to BZh9 alone could be a session's name in litmus notation: then comes a block, or the end.
bool begins_bzip2(std::string_view head) {
  if (!head.starts_with("BZh") || head.size() < 4 || head[3] < '1' || head[3] > '9') return false;
  const std::string_view next = head.substr(4);
  // As far as the input goes.
  return !next.empty() && ("\x31\x41\x59\x26\x53\x59"sv.starts_with(next) ||
                           "\x17\x72\x45\x38\x50\x90"sv.starts_with(next));
}

constexpr Packing packings[] = {
    {"zstd", "frame", begins_zstd, zstd_unpacker},
    {"gzip", "member", begins_gzip, gzip_unpacker},
    {"xz", "stream", begins_xz, xz_unpacker},
    {"bzip2", "stream", begins_bzip2, bzip2_unpacker},
};

class UnpackedStream : public ByteStream {
 public:
  UnpackedStream(const Packing& packing, std::unique_ptr<ByteStream> packed)
      : packing_(packing),
        unpacker_(packing.unpacker()),
        packed_(std::move(packed)),
        block_(std::make_unique_for_overwrite<char[]>(block_size)) {}

  std::size_t read(char* into, std::size_t size) override {
    Unpacker::Buffers buffers{in_, in_size_, into, size};
    while (buffers.out == into && !failure_) {
      if (buffers.in_size == 0 && !has_ended_) refill(buffers);
      if (buffers.in_size == 0 && has_ended_ && !is_inside_) break;
      // Also without input: the decompressor may still hold some of the output.
      step(buffers);
    }
    in_ = buffers.in;
    in_size_ = buffers.in_size;
    return static_cast<std::size_t>(buffers.out - into);
  }
  std::optional<Error> failure() const override { return failure_; }

 private:
  static constexpr std::size_t block_size = std::size_t{128} << 10;

  void refill(Unpacker::Buffers& buffers) {
    buffers.in = block_.get();
    buffers.in_size = packed_->read(block_.get(), block_size);
    has_ended_ = buffers.in_size == 0;
    if (has_ended_) failure_ = packed_->failure();
  }
  void step(Unpacker::Buffers& buffers) {
    if (failure_) return;
    const Unpacker::Buffers before = buffers;
    const Result<bool> inside = unpacker_->step(buffers, has_ended_);
    const std::string name(packing_.name);
    if (!inside) {
      failure_ = Error{"corrupt " + name + " data: " + inside.error().what};
      return;
    }
    is_inside_ = *inside;
    if (!is_inside_ || buffers.in != before.in || buffers.out != before.out) return;
    failure_ = Error{before.in_size == 0 ? "the " + name + " data ends in the middle of a " +
                                               std::string(packing_.part)
                                         : "corrupt " + name + " data"};
  }

  const Packing& packing_;
  std::unique_ptr<Unpacker> unpacker_;
  std::unique_ptr<ByteStream> packed_;
  std::unique_ptr<char[]> block_;
  const char* in_ = nullptr;
  std::size_t in_size_ = 0;
  bool has_ended_ = false;
  bool is_inside_ = true;
  std::optional<Error> failure_;
};

/// The same bytes again, with those already taken off the front put back.
class PrefixedStream : public ByteStream {
 public:
  PrefixedStream(std::string prefix, std::unique_ptr<ByteStream> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  std::size_t read(char* into, std::size_t size) override {
    if (at_ == prefix_.size()) return rest_->read(into, size);
    const std::size_t got = prefix_.copy(into, size, at_);
    at_ += got;
    return got;
  }
  std::optional<Error> failure() const override { return rest_->failure(); }

 private:
  std::string prefix_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

}  // namespace

std::unique_ptr<ByteStream> unpack_if_packed(std::unique_ptr<ByteStream> stream) {
  std::string prefix(longest_beginning, '\0');
  std::size_t have = 0;
  while (have < prefix.size()) {
    const std::size_t got = stream->read(prefix.data() + have, prefix.size() - have);
    if (got == 0) break;
    have += got;
  }
  prefix.resize(have);
  const auto packing = std::ranges::find_if(
      packings, [&](const Packing& candidate) { return candidate.begins(prefix); });
  stream = std::make_unique<PrefixedStream>(std::move(prefix), std::move(stream));
  if (packing == std::end(packings)) return stream;
  return std::make_unique<UnpackedStream>(*packing, std::move(stream));
}

}  // namespace isoscope
