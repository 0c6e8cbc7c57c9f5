#pragma once  // Part of the API: docs/api.md.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/certificate/verdict.h"

namespace isoscope {

/// The answer at one level, and where it comes from.
struct LevelAnswer {
  Level level;
  Answer answer = Answer::unknown;
  /// Which of Frontier::verdicts settled it. If it is unknown: the verdict on the level itself, or
  /// nothing if a limit was reached before the level was asked.
  std::optional<std::size_t> verdict = {};
  /// Why the verdict, which is on another level, settles it: "serializable holds, and implies
  /// causal". Empty if the level was asked, or is unknown.
  std::string why = {};
  /// Why it is unknown, otherwise empty.
  std::string reason = {};
  /// If it is violated: all verdicts that show it, also by what violates another level.
  std::vector<std::size_t> shown_by = {};
};

/// Which levels a history satisfies, and which it violates.
struct Frontier {
  /// All levels that were in question, in the order of the catalogue.
  std::vector<LevelAnswer> levels = {};
  /// Levels about real time that were left out.
  std::vector<LevelId> left_out = {};
  std::optional<LevelAnswer> expected = {};
  /// At the levels that transactions ran at, if the history says so.
  std::optional<LevelAnswer> recorded = {};
  /// What was asked, in that order, and refutations of a strong level by small anomalies.
  std::vector<Verdict> verdicts = {};
  /// The bad reads of committed transactions, all kinds, sorted by transaction and operation.
  std::vector<BadRead> findings = {};
  /// How many anomalies of two or three transactions there are, by kind, as in Verdict.
  std::vector<AnomalyCount> anomalies = {};
  /// As in Verdict, as are the next two.
  std::optional<Coverage> coverage = {};
  bool indeterminate_cuts = true;
  std::int64_t clock_skew = 0;
  std::vector<Remark> remarks = {};

  std::vector<LevelId> with(Answer answer) const;
  /// The levels that hold and that no other one that holds implies.
  std::vector<LevelId> strongest_that_hold() const;
  /// The levels that are violated and imply no other one that is.
  std::vector<LevelId> weakest_violated() const;
  /// Whether no level is unknown.
  bool is_decided() const;
};

}  // namespace isoscope
