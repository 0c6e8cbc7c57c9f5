#include <algorithm>

#include "history/format/format_table.h"
#include "history/format/jepsen/formats.h"
#include "history/format/jepsen/locate.h"

namespace isoscope {

namespace format {

namespace {

constexpr Position first_byte{0, 1, 1};

Error empty_file(const Source& source) {
  return Error{"expected a history, found an empty file", source.name(), first_byte};
}

/// No Error if the input itself says that it has no transactions. Otherwise what was in it would be
/// lost, and every level would hold for what is left.
Status expect_said_empty(const Source& source, const FormatRow& row) {
  std::string bytes;
  if (source.file_count() != 0) {
    ISOSCOPE_TRY(head, source.head(0, head_size));
    bytes = std::move(head);
  }
  const std::string_view text = Head{bytes, source}.text();
  if (row.says_empty != nullptr && row.says_empty(text)) return Done{};
  if (text.empty() && source.file_count() == 1) return empty_file(source);
  const std::string what = "expected at least one transaction, found none";
  if (source.is_folder()) return Error{source.name() + ": " + what};
  return Error{what, source.name(), first_byte};
}

/// The error, with the format in which the input would be good if it is not in the one that the
/// user named.
Error with_other_format(Error error, const Source& source, ReadOptions options) {
  // The wrong format is noticed at once, and a good beginning is enough to believe the user.
  constexpr std::uint64_t beginning = 64;
  if (error.source.empty() || error.position.byte >= beginning) return error;
  const Result<Format> seen = recognise_format(source);
  if (!seen || *seen == *options.format) return error;
  options.format = *seen;
  options.progress = Progress::silent();
  const Result<History> other = read_history(source, options);
  if (other && other->transaction_count() != 0)
    error.what += "; it is " + std::string(name_of(*seen));
  return error;
}

}  // namespace

}  // namespace format

Result<Format> recognise_format(const Source& source) {
  if (source.file_count() == 0)
    return Error{"expected a history, found an empty folder: " + source.name()};
  ISOSCOPE_TRY(bytes, source.head(0, format::head_size));
  const format::Head head{bytes, source};
  if (head.text().empty() && !source.is_folder()) return format::empty_file(source);
  for (const format::FormatRow& row : format::format_rows()) {
    if (source.is_folder() && !row.takes_folders) continue;
    if (row.looks_like(head)) return row.info.format;
  }
  if (source.is_folder()) {
    return Error{
        "expected a file, or a folder that is one history (Cobra, Viper), found a folder of "
        "other files: " +
        source.name()};
  }
  std::string what =
      "expected a history in one of the formats " + format::format_names() + ", found none of them";
  const std::string_view cause = format::likely_cause(head.bytes);
  if (!cause.empty()) what += "; it looks like " + std::string(cause);
  return Error{std::move(what), source.name(), format::first_byte};
}

Result<History> read_history(const Source& source, const ReadOptions& options) {
  Format format;
  if (options.format) {
    format = *options.format;
  } else {
    ISOSCOPE_TRY(recognised, recognise_format(source));
    format = recognised;
  }
  if (options.time_from == TimeSource::lines && format != Format::edn &&
      format != Format::elle_json) {
    return Error{source.name() +
                 ": only Jepsen and Elle histories have an order of lines to take as time, this "
                 "is " +
                 std::string(name_of(format))};
  }
  options.progress.get().phase("reading", source.file_count() == 1 ? source.file_size(0) : 0);
  const format::FormatRow& row = format::row_of(format);
  Result<History> history = row.read(source, options);
  Status usable = history ? Status(Done{}) : Status(history.error());
  if (history && history->transaction_count() == 0) usable = format::expect_said_empty(source, row);
  if (usable) return history;
  if (usable.error().kind == ErrorKind::stopped || !options.format)
    return std::move(usable).error();
  return format::with_other_format(std::move(usable).error(), source, options);
}

Result<OperationLog> read_operation_log(const Source& source, const ReadOptions& options) {
  Format format;
  if (options.format) {
    format = *options.format;
  } else {
    ISOSCOPE_TRY(recognised, recognise_format(source));
    format = recognised;
  }
  options.progress.get().phase("reading", source.file_count() == 1 ? source.file_size(0) : 0);
  if (format == Format::edn) return format::read_edn_log(source, options);
  if (format == Format::elle_json) return format::read_elle_json_log(source, options);
  return Error{source.name() +
               ": expected a log of operations, which only edn and elle-json are, " + "found " +
               std::string(name_of(format))};
}

Error with_line(const Source& source, Error error) {
  return format::located(source, std::move(error));
}

}  // namespace isoscope
