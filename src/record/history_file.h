#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "isoscope/base/result.h"

namespace isoscope::record {

/// A history in the native format that grows while it is recorded, by lines of many threads.
///
/// A transaction that wants to commit is written *before* COMMIT is sent, as one whose outcome
/// nobody knows; a few bytes inside its line are replaced when the answer is there. So the file
/// tells the truth at every moment. If the recorder is killed, the transactions whose COMMIT may
/// have arrived are there as indeterminate, and what others read of them has a writer. Those that
/// are missing never asked to commit.
///
/// Each line is handed to the kernel at once, which keeps it when the process dies (not when the
/// machine does). The kernel may be interrupted inside a line. It is then the last one, and the
/// header says by "cut-line" that readers ignore it.
///
/// Costs one system call a line, and one for each answer; no buffer.
class HistoryFile {
 public:
  /// A new file with this header line. What exists is never written over, nor is half a header ever
  /// seen under this name.
  static Result<HistoryFile> create(const std::string& path, std::string_view header);

  HistoryFile(HistoryFile&& other) noexcept;
  HistoryFile& operator=(HistoryFile&&) = delete;
  ~HistoryFile();

  const std::string& path() const { return path_; }

  /// Appends a line, with its end, and returns where it begins. If that fails, the file ends as it
  /// did before.
  Result<std::uint64_t> append(std::string_view line);
  /// Replaces bytes of a line that was appended.
  Status replace(std::uint64_t offset, std::string_view text);

 private:
  HistoryFile(std::string path, int descriptor, std::uint64_t end)
      : path_(std::move(path)), descriptor_(descriptor), end_(end) {}

  std::string path_;
  int descriptor_;
  std::mutex mutex_;
  std::uint64_t end_;
};

}  // namespace isoscope::record
