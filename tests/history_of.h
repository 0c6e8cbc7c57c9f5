#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "isoscope/history/format.h"

namespace isoscope::test {

/// The history that this text in litmus notation is. A text that is none fails the test.
inline History history_of(const std::string& litmus) {
  const Source source = Source::from_memory("history", litmus);
  Result<History> history = read_history(source, {.format = Format::litmus});
  EXPECT_TRUE(history) << litmus << "\n" << (history ? "" : history.error().text());
  return history ? *std::move(history) : History();
}

}  // namespace isoscope::test
