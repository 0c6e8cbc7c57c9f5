#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "check/reads/first_pass_of_keys.h"
#include "check/visible/check_visible.h"
#include "isoscope/check/check.h"

namespace isoscope::test {

/// What the engine with choices says by itself; nothing if the first pass has decided already.
inline std::optional<Verdict> asked_of_visible(const History& history, Level level,
                                               const CheckOptions& options) {
  Verdict verdict{.level = level};
  const bool is_recorded = level.id == LevelId::recorded;
  const ReadFindings forbidden =
      ReadFindings::forbidden_by(is_recorded ? Level{LevelId::adya_read_committed} : level);
  KeyAccesses accesses;
  EXPECT_FALSE(KeyAccesses::collect(history, Limits::none(), accesses));
  const FirstPassResult pass = first_pass(history, accesses, {.forbidden = forbidden});
  const auto refutes = [&](const BadRead& finding) { return finding.refutes(forbidden); };
  if (std::ranges::any_of(pass.findings, refutes) || !pass.undecided.empty()) return std::nullopt;
  verdict.counted_committed = pass.counted_committed;
  verdict.counted_aborted = pass.counted_aborted;
  verdict.ruled_out = pass.ruled_out;
  visible::check_visible(history, accesses, options, verdict);
  return verdict;
}

}  // namespace isoscope::test
