#include "history/format/format_table.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "history/format/checkers/formats.h"
#include "history/format/dbcop/formats.h"
#include "history/format/jepsen/formats.h"
#include "history/format/litmus/formats.h"
#include "history/format/native/formats.h"
#include "isoscope/base/words.h"
#include "isoscope/history/litmus_text.h"

namespace isoscope {

namespace format {

namespace {

/// There is a header, a directive, or a pair of brackets around the transactions: where there is
/// nothing of the kind the reader has complained.
bool always_says_empty(std::string_view) { return true; }

constexpr std::array table = {
    FormatRow{.info = {Format::native, "native", "Isoscope's JSON Lines", true},
              .looks_like = looks_like_native,
              .read = read_native,
              .write = write_native,
              .says_updates = true,
              .says_empty = always_says_empty},
    FormatRow{.info = {Format::cobra, "cobra", "Cobra log folder", false},
              .looks_like = looks_like_cobra,
              .read = read_cobra,
              .takes_folders = true},
    FormatRow{.info = {Format::viper, "viper", "Viper JSON logs", false},
              .looks_like = looks_like_viper,
              .read = read_viper,
              .takes_folders = true},
    FormatRow{.info = {Format::dbcop_json, "dbcop-json", "dbcop JSON", false},
              .looks_like = looks_like_dbcop_json,
              .read = read_dbcop_json,
              .says_empty = always_says_empty},
    FormatRow{.info = {Format::chronos, "chronos", "Chronos and Aion JSON", false},
              .looks_like = looks_like_chronos,
              .read = read_chronos,
              .says_empty = always_says_empty},
    FormatRow{.info = {Format::elle_json, "elle-json", "elle-cli JSON", false},
              .looks_like = looks_like_elle_json,
              .read = read_elle_json,
              .says_empty = are_empty_brackets},
    FormatRow{.info = {Format::edn, "edn", "Jepsen and Elle EDN", true},
              .looks_like = looks_like_edn,
              .read = read_edn,
              .write = write_edn,
              .says_empty = are_empty_brackets},
    FormatRow{.info = {Format::plume, "plume", "PolySI, Plume and IsoVista text", true},
              .looks_like = looks_like_plume,
              .read = read_plume,
              .write = write_plume,
              .takes_folders = true},
    FormatRow{.info = {Format::awdit, "awdit", "AWDIT test text", false},
              .looks_like = looks_like_awdit,
              .read = read_awdit},
    FormatRow{.info = {Format::dbcop_hist, "dbcop-hist", "dbcop .hist text", false},
              .looks_like = looks_like_dbcop_hist,
              .read = read_dbcop_hist},
    FormatRow{.info = {Format::litmus, "litmus", "litmus notation", true},
              .looks_like = looks_like_litmus,
              .read = read_litmus,
              .write = write_litmus,
              .says_updates = true,
              .says_empty = always_says_empty},
    // Last: any bytes that fit its layout could be one.
    FormatRow{.info = {Format::dbcop_bincode, "dbcop", "dbcop bincode", true},
              .looks_like = looks_like_dbcop_bincode,
              .read = read_dbcop_bincode,
              .write = write_dbcop_bincode,
              .takes_folders = true,
              .says_empty = always_says_empty},
};

constexpr auto infos = [] {
  std::array<FormatInfo, table.size()> result{};
  for (std::size_t i = 0; i < table.size(); ++i) result[i] = table[i].info;
  return result;
}();

}  // namespace

std::span<const FormatRow> format_rows() { return table; }

const FormatRow& row_of(Format format) {
  return *std::ranges::find(table, format, [](const FormatRow& row) { return row.info.format; });
}

std::string format_names(bool only_writable) {
  return joined(infos | std::views::filter([&](const FormatInfo& info) {
                  return info.writable || !only_writable;
                }),
                &FormatInfo::name);
}

}  // namespace format

std::span<const FormatInfo> formats() { return format::infos; }

std::string_view name_of(Format format) { return format::row_of(format).info.name; }

Result<Format> find_format(std::string_view name) {
  for (const FormatInfo& info : format::infos) {
    if (info.name == name) return info.format;
  }
  return Error{"unknown format '" + std::string(name) + "'; expected one of " +
               format::format_names()};
}

Status write_history(const History& history, Format format, ByteSink& sink) {
  const format::FormatRow& row = format::row_of(format);
  const std::string cannot = "cannot write " + std::string(row.info.name);
  if (row.write == nullptr)
    return Error{cannot + "; expected one of " + format::format_names(true)};
  if (history.transaction_count() == 0 && row.says_empty == nullptr)
    return Error{cannot + ": it cannot say that there are no transactions"};
  if (history.has_updates() && !row.says_updates) {
    const Update& first = history.updates().front();
    return Error{cannot + ": it cannot say updates such as " + update_text(history, first)};
  }
  return row.write(history, sink);
}

Result<std::string> format_history(const History& history, Format format) {
  StringSink sink;
  ISOSCOPE_TRY_STATUS(write_history(history, format, sink));
  return sink.text();
}

}  // namespace isoscope
