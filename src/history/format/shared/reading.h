#pragma once

// What every reader needs before it looks at its own format: the beginning of a file, by which
// formats are recognised; which files of a folder belong together; and when to stop.

#include <cstddef>
#include <span>
#include <string_view>

#include "isoscope/history/format.h"

namespace isoscope::format {

/// How much of a file recognition looks at.
inline constexpr std::size_t head_size = std::size_t{64} << 10;

/// What recognition looks at: the beginning of the only file, or of the first file of a folder.
struct Head {
  std::string_view bytes;
  const Source& source;
  /// White space and a byte order mark skipped.
  std::string_view text() const;
};

/// Whether these files of a folder stand in the folder itself, or all in that subfolder of it.
/// Files further down are histories of their own, beside others perhaps.
bool stand_in(const Source& folder, std::span<const std::size_t> files,
              std::string_view subfolder = {});

/// Files in one archive are no history, however their names read as numbers.
bool is_tar_archive(std::string_view bytes);

/// The one file of a source that must have exactly one; an Error for folders.
Result<ByteReader> open_single_file(const Source& source);

/// For the loops of readers: reports progress, and an Error when a limit was reached. Cheap.
Status keep_going(const ReadOptions& options, const ByteReader& reader);

}  // namespace isoscope::format
