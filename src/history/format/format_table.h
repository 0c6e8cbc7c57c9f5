#pragma once

// The room of formats: from bytes to a History, and back.
//
// Idea: Every format is one row of a table: how it is recognised, read and written. A reader checks
// all that it reads and makes a History with a HistoryBuilder, so nothing behind this room knows
// which format a history was in.
//
//   histories_at.cpp   which files of a folder are histories of their own
//   read_history.cpp   recognise_format(), then the reader of that row; what an empty result means
//   format_table.cpp   the table, in the order in which formats are tried; write_history()
//   likely_cause.cpp   what a text probably is that is in no format
//
//   the readers        native_reader.cpp, litmus_reader.cpp, edn_history.cpp, elle_json.cpp,
//                      dbcop_bincode.cpp, dbcop_json.cpp, dbcop_hist.cpp, cobra.cpp, plume.cpp,
//                      awdit.cpp, viper.cpp, chronos.cpp
//   the writers        native_writer.cpp, litmus_writer.cpp, edn_writer.cpp,
//                      dbcop_bincode_writer.cpp, plume_writer.cpp
//   what they share    line_scanner.cpp (text by lines), edn.cpp and json_value.cpp (terms),
//                      jepsen.cpp and micro_operation.cpp (operations of Jepsen and Elle),
//                      read_in_parts.cpp (JSON lines on several threads)
//
// A new format is a Format in isoscope/history/format.h, a declaration here and a row in
// format_table.cpp, a file for its reader, a fuzz target beside it, a page in docs/formats/, and
// tests in tests/history/.
//
// Invariants: 1. A recogniser takes nothing that belongs to a later row of the table. dbcop's
// bincode is the last one, because any bytes that fit its layout could be one. 2. Text without any
// transaction is an error unless it says that there are none: otherwise every level would hold of
// what was lost. 3. An error about a text has a place: file, line, column. 4. The loops of readers
// ask keep_going(), so limits stop them. 5. Reading on several threads gives the history that
// reading in one go gives, or is given up for that. 6. A writer refuses what its format cannot say,
// but for names, which it may change.
//
// Cost: about linear in the input.
//
// Source: docs/formats/ has a page for each format, with the program that it comes from.

#include <cstddef>
#include <span>
#include <string>
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

/// What of a format is the same for all its files.
struct FormatRow {
  FormatInfo info;
  bool (*looks_like)(const Head&);
  Result<History> (*read)(const Source&, const ReadOptions&);
  /// Null: not written.
  Status (*write)(const History&, ByteSink&) = nullptr;
  /// Whether a folder may be one history.
  bool takes_folders = false;
  /// Whether a text from which no transaction was read says that there are none. Null: it never
  /// does, so that whatever was in it is lost.
  bool (*says_empty)(std::string_view text) = nullptr;
};

/// `[]` or `()`, what Jepsen's notations have for a history without operations. Operations that are
/// no transactions, such as a nemesis', do not say that there are none.
bool are_empty_brackets(std::string_view text);

/// Every format, in the order in which they are tried.
std::span<const FormatRow> format_rows();
const FormatRow& row_of(Format format);
/// All names, separated by commas; or those of formats that are written.
std::string format_names(bool only_writable = false);

/// What a text that is in no format at all probably is, such as "native without its header line";
/// empty if nobody knows (likely_cause.cpp).
std::string_view likely_cause(std::string_view text);

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
