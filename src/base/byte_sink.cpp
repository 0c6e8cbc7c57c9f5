#include "isoscope/base/byte_sink.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace isoscope {

namespace {

Error cannot_write(const std::string& name) {
  return Error{"cannot write " + name + ": " + std::strerror(errno)};
}

}  // namespace

Result<FileSink> FileSink::create(const std::string& path) {
  std::FILE* stream = std::fopen(path.c_str(), "wb");
  if (stream == nullptr) return cannot_write(path);
  FileSink sink(stream, path);
  sink.owned_ = true;
  return sink;
}

FileSink::FileSink(FileSink&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)),
      name_(std::move(other.name_)),
      owned_(std::exchange(other.owned_, false)) {}

FileSink::~FileSink() {
  if (owned_ && stream_ != nullptr) std::fclose(stream_);
}

Status FileSink::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size())
    return cannot_write(name_);
  return Done{};
}

Status FileSink::close() {
  std::FILE* stream = std::exchange(stream_, nullptr);
  const int failed = owned_ ? std::fclose(stream) : std::fflush(stream);
  if (failed != 0) return cannot_write(name_);
  return Done{};
}

}  // namespace isoscope
