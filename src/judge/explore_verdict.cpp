#include "isoscope/judge/explore_verdict.h"

#include <algorithm>
#include <utility>

#include "isoscope/protocol/unseen_records.h"

namespace isoscope {

namespace {

using protocol::AbstractLevel;
using protocol::LevelOutcome;

std::vector<AbstractLevel> levels_in_question(const protocol::ExplorationReport& report) {
  if (report.options.level) return {*report.options.level};
  std::vector<AbstractLevel> levels = protocol::claimed_levels(report.model);
  if (!levels.empty()) return levels;
  for (const protocol::AbstractLevelEntry& entry : protocol::abstract_levels())
    levels.push_back(entry.level);
  return levels;
}

std::optional<std::size_t> first_counterexample(const protocol::Exploration& found,
                                                const std::vector<AbstractLevel>& levels) {
  for (const AbstractLevel level : levels) {
    if (const auto number = found.at(level).counterexample) return number;
  }
  if (found.counterexamples.empty()) return std::nullopt;
  return 0;
}

}  // namespace

ExploreVerdict explore_verdict(const protocol::ExplorationReport& report) {
  const protocol::Exploration& found = report.exploration;
  const std::vector<AbstractLevel> levels = levels_in_question(report);
  const auto is_any = [&](LevelOutcome::Kind kind) {
    return std::ranges::any_of(
        levels, [&](const AbstractLevel level) { return found.at(level).kind == kind; });
  };
  ExploreVerdict verdict{.counterexample = first_counterexample(found, levels)};
  verdict.remarks = protocol::vacuities(report);
  const bool is_clear = verdict.remarks.empty() && found.complete &&
                        !is_any(LevelOutcome::Kind::violated_in_version_order);
  if (found.breaks_invariant() || is_any(LevelOutcome::Kind::violated)) {
    verdict.answer = Answer::violated;
  } else if (is_clear) {
    verdict.answer = Answer::holds;
  }
  for (const std::string& reason : protocol::left_out_by_shapes(report))
    verdict.remarks.push_back(reason + " with these sizes and shapes");
  for (std::string& reason : protocol::unseen_records(report.model))
    verdict.remarks.push_back(std::move(reason));
  if (verdict.answer != Answer::unknown) return verdict;
  for (const AbstractLevel level : levels) {
    if (found.at(level).kind != LevelOutcome::Kind::violated_in_version_order) continue;
    verdict.remarks.push_back("unknown: " + std::string(protocol::entry_of(level).name) +
                              " is violated only relative to version order");
  }
  if (!found.complete) verdict.remarks.push_back("unknown: stopped: " + found.stopped);
  return verdict;
}

}  // namespace isoscope
