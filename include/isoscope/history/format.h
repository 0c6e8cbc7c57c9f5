#pragma once  // Part of the API: docs/api.md.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isoscope/base/byte_sink.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/base/source.h"
#include "isoscope/history/history.h"
#include "isoscope/history/operation_log.h"

namespace isoscope {

/// The file formats histories come in. docs/formats/ has a page for each family.
enum class Format : std::uint8_t {
  native,         ///< our JSON Lines
  litmus,         ///< our one-line notation
  edn,            ///< Jepsen and Elle histories
  elle_json,      ///< elle-cli's JSON, array or lines
  dbcop_bincode,  ///< dbcop's binary histories
  dbcop_json,     ///< dbcop's JSON
  dbcop_hist,     ///< dbcop's text
  cobra,          ///< a folder of Cobra's client logs
  plume,          ///< PolySI, Plume and IsoVista text
  awdit,          ///< AWDIT's test text
  viper,          ///< Viper's JSON logs
  chronos,        ///< Chronos and Aion JSON
};

struct FormatInfo {
  Format format;
  std::string_view name;   ///< as --from and --to take it
  std::string_view title;  ///< for people
  bool writable;           ///< all are readable
};

/// Every format, in the order in which they are tried.
std::span<const FormatInfo> formats();
std::string_view name_of(Format format);
Result<Format> find_format(std::string_view name);

struct ReadOptions {
  /// Nothing: recognised by content.
  std::optional<Format> format;
  /// Cobra logs: a value stands for its writer (every write is unique), not for what was written.
  bool cobra_unique_values = false;
  /// Jepsen and Elle histories: begin and end are where a transaction's lines stand among all of
  /// the file, as Elle takes them; recorded times are not looked at. An Error in other formats,
  /// where the order of lines says nothing.
  TimeSource time_from = TimeSource::clocks;
  /// 0: as many as there are processors. The history, or the Error, is the same for any number.
  /// Large files of the native format are read by all of them, everything else by one.
  unsigned threads = 1;
  /// Both must outlive what they are given to.
  std::reference_wrapper<const Limits> limits = Limits::none();
  std::reference_wrapper<Progress> progress = Progress::silent();
};

/// By content, never by the file's name.
Result<Format> recognise_format(const Source& source);
Result<History> read_history(const Source& source, const ReadOptions& options = {});

/// Reads a Jepsen log (EDN, or elle-cli's JSON) whose operations need not be transactions. Times
/// that were recorded are not looked at: the order of lines is real time.
Result<OperationLog> read_operation_log(const Source& source, const ReadOptions& options = {});
/// The same error with its line and column, where it had only a byte of that source.
Error with_line(const Source& source, Error error);

/// Writes the history. An Error when the format cannot hold what the history has (a string key in
/// bincode): nothing is dropped silently.
Status write_history(const History& history, Format format, ByteSink& sink);
/// The same into a string.
Result<std::string> format_history(const History& history, Format format);

}  // namespace isoscope
