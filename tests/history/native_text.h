#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "isoscope/history/format.h"
#include "isoscope/history/history.h"
#include "isoscope/history/history_builder.h"

// Native histories as texts, for the tests of what is read and written.

namespace isoscope::test {

inline const std::string header = "{\"isoscope-history\":1,\"initial\":\"nil\"}\n";

inline Result<History> read(std::string text, ReadOptions options = {}) {
  options.format = Format::native;
  return read_history(Source::from_memory("h", std::move(text)), options);
}

/// The history of a text that must be right.
inline History good(const std::string& text) {
  auto history = read(text);
  EXPECT_TRUE(history) << text << '\n' << (history ? "" : history.error().text());
  return history ? *std::move(history) : HistoryBuilder().finish();
}

inline std::string written(const History& history) {
  const auto text = format_history(history, Format::native);
  EXPECT_TRUE(text) << (text ? "" : text.error().text());
  return text ? *text : "";
}

inline std::string error_of(const std::string& text) {
  const auto history = read(text);
  return history ? "" : history.error().text();
}

/// The error of a file whose second line is this.
inline std::string line_error(const std::string& line) { return error_of(header + line); }

/// The error of a transaction with this one operation; the operation starts at column 22.
inline std::string operation_error(const std::string& operation) {
  return line_error("{\"session\":1,\"ops\":[" + operation + "]}");
}

}  // namespace isoscope::test
