#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/certificate/verdict.h"
#include "isoscope/protocol/describe.h"

namespace isoscope {

/// What an exploration says about the levels in question. These are the level that was asked for,
/// else those that the model claims, else all.
struct ExploreVerdict {
  /// `violated`: a level in question, or an invariant of the model, is broken; this counts even if
  /// not all states were seen. `holds`: all states of this size were seen, and nothing in them
  /// speaks against a level in question, or makes the answer say little.
  Answer answer = Answer::unknown;
  /// What a reader has to know about the answer: why it says little, and why it is unknown.
  std::vector<std::string> remarks = {};
  /// The first counterexample of a level in question, else of any.
  std::optional<std::size_t> counterexample = {};
};

/// This is what `isoscope protocol explore` answers.
ExploreVerdict explore_verdict(const protocol::ExplorationReport& report);

}  // namespace isoscope
