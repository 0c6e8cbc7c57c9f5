#include <algorithm>

#include "history/format/format_table.h"

namespace isoscope::format {

namespace {

using namespace std::string_view_literals;

/// What people give by mistake. The first row that fits counts.
struct Cause {
  std::string_view words;
  bool (*fits)(std::string_view bytes);
};

std::string_view first_line(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(start, text.find('\n', start) - start);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_json(std::string_view bytes) {
  const std::string_view line = first_line(bytes);
  return line.starts_with('{') || line.starts_with('[');
}

bool is_headless_native(std::string_view bytes) {
  const std::string_view line = first_line(bytes);
  return line.starts_with('{') && has(line, "\"ops\"") && has(line, "[[\"");
}

bool are_chronos_lines(std::string_view bytes) {
  const std::string_view line = first_line(bytes);
  return line.starts_with('{') && has(line, "\"ops\"") && has(line, "\"sts\"");
}

/// A line for each operation: 0, tab, :invoke, tab, :txn, tab, [[:r 1 nil]].
bool is_jepsen_text(std::string_view bytes) {
  const std::string_view line = first_line(bytes);
  return has(line, "\t:invoke\t") || has(line, "\t:info\t") || has(line, "\t:ok\t");
}

constexpr Cause causes[] = {
    {"native without its header line {\"isoscope-history\":1}", is_headless_native},
    {"Chronos without the brackets of its array", are_chronos_lines},
    {"a certificate of isoscope, where the history is expected",
     [](std::string_view bytes) { return bytes.starts_with("isoscope-certificate"); }},
    {"Jepsen's history.txt: history.edn beside it says the same in EDN", is_jepsen_text},
    {"Jepsen's test.jepsen: history.edn beside it has the history",
     [](std::string_view bytes) { return bytes.starts_with("JEPSEN"); }},
    {"text in UTF-16: UTF-8 is expected",
     [](std::string_view bytes) {
       return bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv);
     }},
    {"a zip archive: unpack it first",
     [](std::string_view bytes) { return bytes.starts_with("PK\x03\x04"sv); }},
    {"a tar archive: unpack it first", is_tar_archive},
    {"data compressed with lz4: unpack it first",
     [](std::string_view bytes) { return bytes.starts_with("\x04\x22\x4d\x18"sv); }},
    {"an HTML page", [](std::string_view bytes) { return first_line(bytes).starts_with('<'); }},
    {"JSON of another layout than those of docs/formats", is_json},
};

}  // namespace

std::string_view likely_cause(std::string_view bytes) {
  const auto cause =
      std::ranges::find_if(causes, [&](const Cause& candidate) { return candidate.fits(bytes); });
  return cause == std::end(causes) ? std::string_view() : cause->words;
}

}  // namespace isoscope::format
