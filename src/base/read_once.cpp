#include "base/read_once.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace isoscope {

namespace {

/// How long a limit may go unnoticed while nothing comes. A signal is noticed at once.
constexpr int milliseconds_between_looks = 50;

class ReadOnceStream : public ByteStream {
 public:
  explicit ReadOnceStream(std::shared_ptr<ReadOnce> bytes) : bytes_(std::move(bytes)) {}

  std::size_t read(char* into, std::size_t size) override {
    const std::size_t got = bytes_->read(at_, into, size);
    at_ += got;
    has_ended_ = got == 0;
    return got;
  }
  // What failed behind the bytes that this stream has seen is not its failure.
  std::optional<Error> failure() const override {
    return has_ended_ ? bytes_->failure() : std::nullopt;
  }

 private:
  std::shared_ptr<ReadOnce> bytes_;
  std::uint64_t at_ = 0;
  bool has_ended_ = false;
};

}  // namespace

Result<std::shared_ptr<ReadOnce>> ReadOnce::open(const std::string& path, const Limits& limits) {
  const bool is_standard_input = path == "-";
  // Not blocking, because opening a named pipe waits for a writer, and no limit would end that.
  const int descriptor =
      is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return Error{"cannot open " + path + ": " + std::strerror(errno)};
  return std::shared_ptr<ReadOnce>(new ReadOnce(descriptor, !is_standard_input, limits));
}

ReadOnce::~ReadOnce() {
  if (is_ours_) ::close(descriptor_);
}

std::size_t ReadOnce::read(std::uint64_t at, char* into, std::size_t size) {
  if (at == size_) fetch();
  const std::size_t offset = at % block_size;
  const std::size_t got =
      static_cast<std::size_t>(std::min<std::uint64_t>({size, block_size - offset, size_ - at}));
  if (got != 0) std::memcpy(into, blocks_[at / block_size].get() + offset, got);
  return got;
}

bool ReadOnce::wait() {
  for (;;) {
    if (const auto reason = limits_.reached_now()) {
      failure_ = stopped_while_reading(*reason);
      return false;
    }
    // A named pipe that no writer has opened yet would read as one that has ended: only poll()
    // knows the difference.
    pollfd wanted{descriptor_, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, milliseconds_between_looks);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
}

void ReadOnce::fetch() {
  const std::size_t used = size_ % block_size;
  while (!ended_) {
    if (!wait()) {
      ended_ = true;
      return;
    }
    if (used == 0 && blocks_.size() == size_ / block_size) {
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size));
    }
    const ssize_t got = ::read(descriptor_, blocks_.back().get() + used, block_size - used);
    if (got > 0) {
      size_ += static_cast<std::uint64_t>(got);
      return;
    }
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) failure_ = Error{std::string("cannot read: ") + std::strerror(errno)};
    ended_ = true;
  }
}

std::unique_ptr<ByteStream> stream_of(std::shared_ptr<ReadOnce> bytes) {
  return std::make_unique<ReadOnceStream>(std::move(bytes));
}

}  // namespace isoscope
