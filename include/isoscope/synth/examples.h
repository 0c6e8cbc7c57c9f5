#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "isoscope/synth/confirm.h"

namespace isoscope::synth {

/// What was found for a question: smallest histories, each confirmed and explained.
struct Examples {
  std::vector<Example> examples;
  /// These are known to be all smallest histories, or there is known to be none in the scope.
  bool is_complete = false;
  /// The limit that was reached, if one was: there may be smaller histories, or more.
  std::optional<StopReason> stopped = {};
  Effort effort = {};
};

/// The maximum number of histories that are looked for; hardly any question has as many.
inline constexpr std::size_t most_examples = 1000;

enum class Wanted : std::uint8_t { one, all };

/// A smallest history for the question, or all of them up to renaming. This is what
/// `isoscope synth` does. No history is given that confirmed() did not confirm. What was found
/// before a limit was reached is still confirmed and explained, for which there are five seconds;
/// what cannot be confirmed in that time is not given.
///
/// An Error of kind `internal` if a history that was found turns out to be none.
Result<Examples> find_examples(const Question& question, const Scope& scope,
                               const Strategy& strategy, Wanted wanted, const Limits& limits,
                               Progress& progress);

}  // namespace isoscope::synth
