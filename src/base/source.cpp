#include "isoscope/base/source.h"

#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace isoscope {

namespace {

class FileStream : public ByteStream {
 public:
  explicit FileStream(std::FILE* file) : file_(file) { std::setvbuf(file_, nullptr, _IONBF, 0); }
  ~FileStream() override { std::fclose(file_); }
  FileStream(const FileStream&) = delete;
  FileStream& operator=(const FileStream&) = delete;

  std::size_t read(char* into, std::size_t size) override {
    const std::size_t got = std::fread(into, 1, size, file_);
    if (got == 0 && std::ferror(file_))
      failure_ = std::string("cannot read: ") + std::strerror(errno);
    return got;
  }
  std::string failure() const override { return failure_; }

 private:
  std::FILE* file_;
  std::string failure_;
};

class MemoryStream : public ByteStream {
 public:
  explicit MemoryStream(std::shared_ptr<const std::string> bytes) : bytes_(std::move(bytes)) {}

  std::size_t read(char* into, std::size_t size) override {
    const std::size_t got = bytes_->copy(into, size, at_);
    at_ += got;
    return got;
  }

 private:
  std::shared_ptr<const std::string> bytes_;
  std::size_t at_ = 0;
};

class ZstdStream : public ByteStream {
 public:
  explicit ZstdStream(std::unique_ptr<ByteStream> packed)
      : packed_(std::move(packed)), context_(ZSTD_createDCtx()), in_(ZSTD_DStreamInSize(), '\0') {
    // A frame may ask for a window of up to 2 GiB; 128 MiB is what every ordinary compressor stays
    // under.
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, 27);
  }
  ~ZstdStream() override { ZSTD_freeDCtx(context_); }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  std::size_t read(char* into, std::size_t size) override {
    ZSTD_outBuffer out{into, size, 0};
    while (out.pos == 0 && failure_.empty()) {
      if (packed_bytes_.pos == packed_bytes_.size) {
        packed_bytes_ = {in_.data(), packed_->read(in_.data(), in_.size()), 0};
        if (packed_bytes_.size == 0) {
          failure_ = packed_->failure();
          if (failure_.empty() && inside_frame_)
            failure_ = "the zstd data ends in the middle of a frame";
          break;
        }
      }
      const std::size_t left = ZSTD_decompressStream(context_, &out, &packed_bytes_);
      if (ZSTD_isError(left)) {
        failure_ = std::string("corrupt zstd data: ") + ZSTD_getErrorName(left);
      }
      inside_frame_ = left != 0;
    }
    return out.pos;
  }
  std::string failure() const override { return failure_; }

 private:
  std::unique_ptr<ByteStream> packed_;
  ZSTD_DCtx* context_;
  std::string in_;
  ZSTD_inBuffer packed_bytes_{nullptr, 0, 0};
  bool inside_frame_ = false;
  std::string failure_;
};

constexpr char zstd_magic[4] = {'\x28', '\xb5', '\x2f', '\xfd'};

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
  std::string failure() const override { return rest_->failure(); }

 private:
  std::string prefix_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

std::unique_ptr<ByteStream> unpack_if_packed(std::unique_ptr<ByteStream> stream) {
  std::string prefix(sizeof zstd_magic, '\0');
  std::size_t have = 0;
  while (have < prefix.size()) {
    const std::size_t got = stream->read(prefix.data() + have, prefix.size() - have);
    if (got == 0) break;
    have += got;
  }
  prefix.resize(have);
  const bool packed = prefix == std::string_view(zstd_magic, sizeof zstd_magic);
  stream = std::make_unique<PrefixedStream>(std::move(prefix), std::move(stream));
  if (packed) stream = std::make_unique<ZstdStream>(std::move(stream));
  return stream;
}

Error cannot_open(const std::string& path, const std::string& why) {
  return Error{"cannot open " + path + ": " + why};
}

/// Standard input can be read only once, but a format is recognised before it is read: keep it all.
Result<std::string> read_standard_input() {
  std::string bytes;
  char block[65536];
  std::size_t got;
  while ((got = std::fread(block, 1, sizeof block, stdin)) != 0) bytes.append(block, got);
  if (std::ferror(stdin)) return cannot_open("standard input", std::strerror(errno));
  return bytes;
}

}  // namespace

Result<Source> Source::open(const std::string& path) {
  namespace fs = std::filesystem;
  if (path == "-") {
    ISOSCOPE_TRY(bytes, read_standard_input());
    return from_memory("standard input", std::move(bytes));
  }
  Source source;
  source.name_ = path;
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (failed) return cannot_open(path, failed.message());
  if (!fs::is_directory(status)) {
    std::error_code no_size;
    const auto size = fs::file_size(path, no_size);
    source.files_.push_back({path, path, nullptr, no_size ? 0 : size});
    return source;
  }
  source.is_folder_ = true;
  for (auto entry = fs::recursive_directory_iterator(path, failed);
       !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code skip;
    if (!entry->is_regular_file(skip)) continue;
    const auto size = entry->file_size(skip);
    source.files_.push_back(
        {entry->path().string(), entry->path().string(), nullptr, skip ? 0 : size});
  }
  if (failed) return cannot_open(path, failed.message());
  std::ranges::sort(source.files_, {}, &File::name);
  return source;
}

Source Source::from_memory(std::string name, std::string bytes) {
  Source source;
  source.name_ = name;
  const std::uint64_t size = bytes.size();
  source.files_.push_back(
      {std::move(name), {}, std::make_shared<const std::string>(std::move(bytes)), size});
  return source;
}

Source Source::from_memory_folder(std::string name, std::vector<NamedBytes> files) {
  Source source;
  source.name_ = std::move(name);
  source.is_folder_ = true;
  for (NamedBytes& file : files) {
    const std::uint64_t size = file.bytes.size();
    source.files_.push_back({std::move(file.name),
                             {},
                             std::make_shared<const std::string>(std::move(file.bytes)),
                             size});
  }
  return source;
}

Result<ByteReader> Source::open_file(std::size_t file) const {
  ISOSCOPE_REQUIRE(file < files_.size());
  const File& entry = files_[file];
  std::unique_ptr<ByteStream> stream;
  if (entry.bytes) {
    stream = std::make_unique<MemoryStream>(entry.bytes);
  } else {
    std::FILE* opened = std::fopen(entry.path.c_str(), "rb");
    if (opened == nullptr) return cannot_open(entry.path, std::strerror(errno));
    stream = std::make_unique<FileStream>(opened);
  }
  return ByteReader(entry.name, unpack_if_packed(std::move(stream)));
}

Result<std::string> Source::head(std::size_t file, std::size_t count) const {
  ISOSCOPE_TRY(reader, open_file(file));
  std::string head(reader.window(count));
  ISOSCOPE_TRY_STATUS(reader.stream_status());
  head.resize(std::min(head.size(), count));
  return head;
}

}  // namespace isoscope
