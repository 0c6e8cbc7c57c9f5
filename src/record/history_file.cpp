#include "record/history_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace isoscope::record {

namespace {

Error cannot_write(const std::string& path, int problem) {
  if (problem == EEXIST)
    return Error{"cannot write " + path + ": it exists, and a recording never writes over a file"};
  return Error{"cannot write " + path + ": " + std::strerror(problem)};
}

/// Nothing in errno means that the device took less and gave no reason.
bool write_all(int descriptor, std::uint64_t offset, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written =
        ::pwrite(descriptor, text.data(), text.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return true;
}

/// Gives the file its name unless something has it; an errno, or 0.
int publish(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system cannot do both at once: a second name, then without the first.
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  ::unlink(from.c_str());
  return 0;
}

}  // namespace

Result<HistoryFile> HistoryFile::create(const std::string& path, std::string_view header) {
  const std::string unfinished = path + ".unfinished-" + std::to_string(::getpid());
  const int descriptor = ::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return cannot_write(path, errno);
  HistoryFile file(path, descriptor, header.size());
  int problem = write_all(descriptor, 0, header) ? 0 : errno;
  if (problem == 0) problem = publish(unfinished, path);
  if (problem == 0) return file;
  ::unlink(unfinished.c_str());
  return cannot_write(path, problem);
}

HistoryFile::HistoryFile(HistoryFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      end_(other.end_) {}

HistoryFile::~HistoryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::uint64_t> HistoryFile::append(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!write_all(descriptor_, end_, line)) {
    const int problem = errno;
    // Half a line must not stay in the middle, should there be room again later.
    if (::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) return cannot_write(path_, errno);
    return cannot_write(path_, problem);
  }
  return std::exchange(end_, end_ + line.size());
}

Status HistoryFile::replace(std::uint64_t offset, std::string_view text) {
  if (!write_all(descriptor_, offset, text)) return cannot_write(path_, errno);
  return Done{};
}

}  // namespace isoscope::record
