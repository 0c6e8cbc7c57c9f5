#pragma once  // Part of the API: docs/api.md.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/byte_reader.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/result.h"

namespace isoscope {

class ReadOnce;

/// What a user names on the command line: one file, a folder of files, or (in tests and fuzz
/// targets) bytes in memory. Files compressed with zstd, gzip, xz or bzip2 are unpacked on the fly,
/// recognised by content.
class Source {
 public:
  /// A file, a folder (its files and those of its subfolders, sorted by name, without hidden ones),
  /// or "-" for standard input. Standard input, pipes and devices are read once, when their bytes
  /// are asked for, and kept in memory. Waiting for them ends when a limit is reached; the limits
  /// must outlive the source.
  static Result<Source> open(const std::string& path, const Limits& limits = Limits::none());
  static Source from_memory(std::string name, std::string bytes);
  struct NamedBytes {
    std::string name;
    std::string bytes;
  };
  static Source from_memory_folder(std::string name, std::vector<NamedBytes> files);

  const std::string& name() const { return name_; }
  bool is_folder() const { return is_folder_; }
  std::size_t file_count() const { return files_.size(); }
  /// The file's name for messages: the path for real files.
  const std::string& file_name(std::size_t file) const { return files_[file].name; }
  /// Stored size in bytes; 0 if not known.
  std::uint64_t file_size(std::size_t file) const { return files_[file].size; }

  /// Readers borrow what the source holds: keep the source alive.
  Result<ByteReader> open_file(std::size_t file) const;
  /// The first bytes of the (unpacked) file, at most `count`: what format detection looks at.
  Result<std::string> head(std::size_t file, std::size_t count) const;

 private:
  struct File {
    std::string name;
    std::string path;                          // empty: in memory
    std::shared_ptr<const std::string> bytes;  // only in memory
    std::shared_ptr<ReadOnce> once;            // only of what is no regular file
    std::uint64_t size = 0;
  };

  std::string name_;
  bool is_folder_ = false;
  std::vector<File> files_;
};

}  // namespace isoscope
