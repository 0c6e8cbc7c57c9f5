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
// The formats are in rooms by family. The formats.h of a room declares them for the table:
//
//   shared/     what readers of several families need: reading.cpp (which files, when to stop),
//               line_scanner.cpp (text by lines), json_value.cpp, operation_buffer.cpp
//   native/     JSON Lines: native_reader.cpp, native_writer.cpp; read_in_parts.cpp reads on
//               several threads, shaped_operations.cpp reads operations that look alike fast
//   litmus/     the one-line notation: litmus_reader.cpp, litmus_writer.cpp
//   jepsen/     Jepsen and Elle: edn_history.cpp and elle_json.cpp read the two notations,
//               jepsen.cpp and micro_operation.cpp what both say; edn_writer.cpp
//   dbcop/      dbcop_bincode.cpp with its writer, dbcop_json.cpp, dbcop_hist.cpp
//   checkers/   other checkers: cobra.cpp, plume.cpp with its writer, awdit.cpp, viper.cpp,
//               chronos.cpp
//
// A new format is a Format in isoscope/history/format.h, a file for its reader in the room of its
// family, a declaration in the formats.h of that room, a row in format_table.cpp, a fuzz target
// beside it, a page in docs/formats/, and tests in tests/history/.
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

#include <span>
#include <string>
#include <string_view>

#include "history/format/shared/reading.h"

namespace isoscope::format {

/// What of a format is the same for all its files. A recogniser may be generous, since the reader
/// checks everything: it must only not take what belongs to a later row of the table
/// (format_table.cpp).
struct FormatRow {
  FormatInfo info;
  bool (*looks_like)(const Head&);
  Result<History> (*read)(const Source&, const ReadOptions&);
  /// Null: not written.
  Status (*write)(const History&, ByteSink&) = nullptr;
  /// Whether it has words for updates.
  bool says_updates = false;
  /// Whether a folder may be one history.
  bool takes_folders = false;
  /// Whether a text from which no transaction was read says that there are none. Null: it never
  /// does, so that whatever was in it is lost.
  bool (*says_empty)(std::string_view text) = nullptr;
};

/// Every format, in the order in which they are tried.
std::span<const FormatRow> format_rows();
const FormatRow& row_of(Format format);
/// All names, separated by commas; or those of formats that are written.
std::string format_names(bool only_writable = false);

/// What a text that is in no format at all probably is, such as "native without its header line";
/// empty if nobody knows (likely_cause.cpp).
std::string_view likely_cause(std::string_view text);

}  // namespace isoscope::format
