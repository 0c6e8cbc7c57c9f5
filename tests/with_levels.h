#pragma once

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/history/format.h"
#include "isoscope/level/level.h"

namespace isoscope::test {

/// The levels that transactions of one history can have side by side.
inline constexpr std::array mixed_levels = {
    LevelId::adya_read_committed,
    LevelId::session_causal,
    LevelId::cursor_stability,
    LevelId::monotonic_atomic_view,
    LevelId::read_committed,
    LevelId::monotonic_view,
    LevelId::monotonic_snapshot_read,
    LevelId::repeatable_read,
    LevelId::read_atomic,
    LevelId::update_atomic,
    LevelId::causal,
    LevelId::prefix_consistency,
    LevelId::parallel_snapshot_isolation,
    LevelId::snapshot_isolation,
    LevelId::serializable,
    LevelId::strong_adya_read_committed,
    LevelId::strong_read_committed,
    LevelId::strict_serializable,
};
/// The number of those at the start that do not look at real time.
inline constexpr std::size_t mixed_levels_without_time = mixed_levels.size() - 3;

/// The same history, recorded at these levels. It must not have any yet, and the native format must
/// have words for it.
inline History with_levels(const History& history,
                           const std::function<LevelId(TransactionId)>& level_of) {
  const Result<std::string> text = format_history(history, Format::native);
  EXPECT_TRUE(text) << (text ? "" : text.error().text());
  if (!text) return {};
  std::string leveled;
  std::size_t line = 0;
  for (std::size_t start = 0; start < text->size(); ++line) {
    const std::size_t end = text->find('\n', start);
    leveled += text->substr(start, end - start);
    if (line > 0) {
      leveled.pop_back();
      const LevelId level = level_of(TransactionId(line - 1));
      ((leveled += ",\"level\":\"") += name_of(level)) += "\"}";
    }
    leveled += '\n';
    start = end + 1;
  }
  Result<History> result =
      read_history(Source::from_memory("leveled", leveled), {.format = Format::native});
  EXPECT_TRUE(result) << (result ? "" : result.error().text()) << "\n" << leveled;
  return result ? *std::move(result) : History();
}

/// One level for each transaction.
inline History with_levels(const History& history, const std::vector<LevelId>& levels) {
  return with_levels(history, [&](TransactionId t) { return levels[t.index()]; });
}

}  // namespace isoscope::test
