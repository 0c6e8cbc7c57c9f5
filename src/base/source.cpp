#include "isoscope/base/source.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/read_once.h"
#include "base/unpack.h"

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
      failure_ = Error{std::string("cannot read: ") + std::strerror(errno)};
    return got;
  }
  std::optional<Error> failure() const override { return failure_; }

 private:
  std::FILE* file_;
  std::optional<Error> failure_;
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

Error cannot_open(const std::string& path, const std::string& why) {
  return Error{"cannot open " + path + ": " + why};
}

/// Editors, version control and desktops leave such files in folders of recordings.
bool is_hidden(const std::filesystem::path& path) {
  return path.filename().string().starts_with('.');
}

}  // namespace

Result<Source> Source::open(const std::string& path, const Limits& limits) {
  namespace fs = std::filesystem;
  Source source;
  source.name_ = path == "-" ? "standard input" : path;
  std::error_code failed;
  const fs::file_status status = path == "-" ? fs::file_status() : fs::status(path, failed);
  if (failed) return cannot_open(path, failed.message());
  if (fs::is_regular_file(status)) {
    std::error_code no_size;
    const auto size = fs::file_size(path, no_size);
    source.files_.push_back({path, path, nullptr, nullptr, no_size ? 0 : size});
    return source;
  }
  if (!fs::is_directory(status)) {
    ISOSCOPE_TRY(once, ReadOnce::open(path, limits));
    source.files_.push_back({source.name_, {}, nullptr, std::move(once), 0});
    return source;
  }
  source.is_folder_ = true;
  for (auto entry = fs::recursive_directory_iterator(path, failed);
       !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code skip;
    if (is_hidden(entry->path())) {
      entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file(skip)) continue;
    const auto size = entry->file_size(skip);
    source.files_.push_back(
        {entry->path().string(), entry->path().string(), nullptr, nullptr, skip ? 0 : size});
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
      {std::move(name), {}, std::make_shared<const std::string>(std::move(bytes)), nullptr, size});
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
                             nullptr,
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
  } else if (entry.once) {
    stream = stream_of(entry.once);
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
