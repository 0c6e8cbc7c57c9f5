#include "check/visible/rows_of_readers.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::visible {

namespace {

/// A real-time level without an own row has that of the level that it adds real time to.
std::optional<Row> row_without_time(LevelId level) {
  if (const auto row = row_of(level)) return row;
  const auto without = without_real_time(level);
  return without ? row_of(*without) : std::nullopt;
}

}  // namespace

std::string_view why_not_mixed(LevelId level) {
  switch (level) {
    case LevelId::read_uncommitted:
    case LevelId::strong_read_uncommitted:
      return "its readers may see what was never committed, so that they come after nobody";
    case LevelId::valid_reads:
    case LevelId::cut_isolation:
      return "it knows no order of commits";
    case LevelId::update_serializable:
      return "it is a promise about all transactions that write, not about one of them";
    case LevelId::strong_snapshot_isolation:
      return "its snapshots have in them whatever had ended, which is not supported here";
    default:
      break;
  }
  return row_without_time(level) ? "" : "it orders each key's versions by themselves";
}

RowsOfReaders::RowsOfReaders(const Problem& problem) {
  number_.assign(problem.size(), 0);
  std::vector<std::uint8_t> number_of(level_count, 0xFF);
  for (Txn t = 1; t < problem.size(); ++t) {
    const auto level = problem.history().recorded_level(problem.sources().id(t));
    ISOSCOPE_REQUIRE(level && why_not_mixed(*level).empty());
    std::uint8_t& number = number_of[static_cast<std::size_t>(*level)];
    if (number == 0xFF) {
      number = static_cast<std::uint8_t>(rows_.size());
      levels_.push_back(*level);
      rows_.push_back(*row_without_time(*level));
      keeps_real_time_.push_back(without_real_time(*level) ? 1 : 0);
    }
    number_[t] = number;
  }
  // The initial state reads nothing, but may be asked for.
  if (rows_.empty()) {
    rows_.push_back(*visible::row_of(LevelId::adya_read_committed));
    keeps_real_time_.push_back(0);
  }
}

bool RowsOfReaders::any_keeps_real_time() const {
  return std::ranges::any_of(keeps_real_time_, [](std::uint8_t keeps) { return keeps != 0; });
}

bool RowsOfReaders::are_implied_by(LevelId level) const {
  return std::ranges::all_of(
      levels_, [&](LevelId its) { return implies(level, without_real_time(its).value_or(its)); });
}

}  // namespace isoscope::visible
