#include "history/format/format_table.h"

#include <algorithm>
#include <array>

namespace isoscope {

namespace format {

namespace {

struct Row {
  FormatInfo info;
  bool (*looks_like)(const Head&);
  Result<History> (*read)(const Source&, const ReadOptions&);
  Status (*write)(const History&, ByteSink&);
};

constexpr std::array table = {
    Row{{Format::native, "native", "Isoscope's JSON Lines", true},
        looks_like_native,
        read_native,
        write_native},
    Row{{Format::cobra, "cobra", "Cobra log folder", false}, looks_like_cobra, read_cobra, nullptr},
    Row{{Format::viper, "viper", "Viper JSON logs", false}, looks_like_viper, read_viper, nullptr},
    Row{{Format::dbcop_json, "dbcop-json", "dbcop JSON", false},
        looks_like_dbcop_json,
        read_dbcop_json,
        nullptr},
    Row{{Format::chronos, "chronos", "Chronos and Aion JSON", false},
        looks_like_chronos,
        read_chronos,
        nullptr},
    Row{{Format::elle_json, "elle-json", "elle-cli JSON", false},
        looks_like_elle_json,
        read_elle_json,
        nullptr},
    Row{{Format::edn, "edn", "Jepsen and Elle EDN", true}, looks_like_edn, read_edn, write_edn},
    Row{{Format::plume, "plume", "PolySI, Plume and IsoVista text", true},
        looks_like_plume,
        read_plume,
        write_plume},
    Row{{Format::awdit, "awdit", "AWDIT test text", false}, looks_like_awdit, read_awdit, nullptr},
    Row{{Format::dbcop_hist, "dbcop-hist", "dbcop .hist text", false},
        looks_like_dbcop_hist,
        read_dbcop_hist,
        nullptr},
    Row{{Format::litmus, "litmus", "litmus notation", true},
        looks_like_litmus,
        read_litmus,
        write_litmus},
    // Last: any bytes that fit its layout could be one.
    Row{{Format::dbcop_bincode, "dbcop", "dbcop bincode", true},
        looks_like_dbcop_bincode,
        read_dbcop_bincode,
        write_dbcop_bincode},
};

constexpr auto infos = [] {
  std::array<FormatInfo, table.size()> result{};
  for (std::size_t i = 0; i < table.size(); ++i) result[i] = table[i].info;
  return result;
}();

const Row& row_of(Format format) {
  return *std::ranges::find(table, format, [](const Row& row) { return row.info.format; });
}

constexpr Position first_byte{0, 1, 1};

std::string format_names() {
  std::string names;
  for (const FormatInfo& info : infos)
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

}  // namespace

std::string_view Head::text() const {
  std::string_view rest = bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return rest;
}

Result<ByteReader> open_single_file(const Source& source) {
  if (source.is_folder()) return Error{"expected a file, found a folder: " + source.name()};
  return source.open_file(0);
}

Status keep_going(const ReadOptions& options, const ByteReader& reader) {
  if (options.progress != nullptr) options.progress->advance(reader.offset());
  if (options.limits != nullptr) {
    if (const auto reason = options.limits->reached()) {
      return reader.error("stopped while reading: " + std::string(name_of(*reason)));
    }
  }
  return Done{};
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

Result<Format> recognise_format(const Source& source) {
  if (source.file_count() == 0)
    return Error{"expected a history, found an empty folder: " + source.name()};
  ISOSCOPE_TRY(bytes, source.head(0, format::head_size));
  const format::Head head{bytes, source};
  if (head.text().empty() && !source.is_folder()) {
    return Error{"expected a history, found an empty file", source.name(), format::first_byte};
  }
  for (const format::Row& row : format::table) {
    if (row.looks_like(head)) return row.info.format;
  }
  std::string what =
      "expected a history in one of the formats " + format::format_names() + ", found none of them";
  if (source.is_folder()) return Error{source.name() + ": " + what};
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
  if (options.progress != nullptr) {
    options.progress->phase("reading", source.file_count() == 1 ? source.file_size(0) : 0);
  }
  return format::row_of(format).read(source, options);
}

Status write_history(const History& history, Format format, ByteSink& sink) {
  const format::Row& row = format::row_of(format);
  if (row.write == nullptr) {
    std::string names;
    for (const FormatInfo& info : format::infos) {
      if (info.writable) names += (names.empty() ? "" : ", ") + std::string(info.name);
    }
    return Error{"cannot write " + std::string(row.info.name) + "; expected one of " + names};
  }
  return row.write(history, sink);
}

Result<std::string> format_history(const History& history, Format format) {
  StringSink sink;
  ISOSCOPE_TRY_STATUS(write_history(history, format, sink));
  return sink.text();
}

}  // namespace isoscope
