#pragma once

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

/// One row per format; the reader and writer of each stand in a file of its own in this folder.
/// A recogniser may be generous, since the reader checks everything: it must only not take what
/// belongs to a later row of the table (format_table.cpp).
#define ISOSCOPE_FORMAT_READER(name)        \
  bool looks_like_##name(const Head& head); \
  Result<History> read_##name(const Source& source, const ReadOptions& options)

ISOSCOPE_FORMAT_READER(native);
ISOSCOPE_FORMAT_READER(litmus);
ISOSCOPE_FORMAT_READER(edn);
ISOSCOPE_FORMAT_READER(elle_json);
ISOSCOPE_FORMAT_READER(dbcop_bincode);
ISOSCOPE_FORMAT_READER(dbcop_json);
ISOSCOPE_FORMAT_READER(dbcop_hist);
ISOSCOPE_FORMAT_READER(cobra);
ISOSCOPE_FORMAT_READER(plume);
ISOSCOPE_FORMAT_READER(awdit);
ISOSCOPE_FORMAT_READER(viper);
ISOSCOPE_FORMAT_READER(chronos);

#undef ISOSCOPE_FORMAT_READER

Status write_native(const History& history, ByteSink& sink);
Status write_litmus(const History& history, ByteSink& sink);
Status write_edn(const History& history, ByteSink& sink);
Status write_dbcop_bincode(const History& history, ByteSink& sink);
Status write_plume(const History& history, ByteSink& sink);

/// The one file of a source that must have exactly one; an Error for folders.
Result<ByteReader> open_single_file(const Source& source);

/// For the loops of readers: reports progress, and an Error when a limit was reached. Cheap.
Status keep_going(const ReadOptions& options, const ByteReader& reader);

}  // namespace isoscope::format
