#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/certificate/frontier.h"
#include "isoscope/level/anomaly.h"
#include "isoscope/report/explanation.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope::report {

/// Whether a history has an anomaly.
struct AnomalySearch {
  enum class Answer : std::uint8_t {
    found,     ///< there is an example
    absent,    ///< a level holds that forbids it
    unseen,    ///< none was found, but nothing excludes that there is one
    unseeable  ///< histories of this kind do not show it
  };

  Anomaly anomaly = Anomaly::internal;
  Answer answer = Answer::unseen;
  /// How many are plain to see. There may be others that take more reasoning.
  std::uint64_t count = 0;
  /// Why it was not found.
  std::string reason = {};
  /// The shortest example: a bad read, or a story.
  std::optional<BadRead> bad_read = {};
  std::optional<Explanation> explanation = {};
};

std::string_view name_of(AnomalySearch::Answer answer);

/// Looks for an anomaly in what is known of the history at every level.
///
/// A bad read and the cycle of a story have names. An example is one whose name is that of the
/// anomaly, or implies it in the catalogue: a lost update is a G-cursor. So what is found is what
/// the catalogue says it is. An anomaly is absent if a level holds that forbids it.
AnomalySearch find_anomaly_in(const History& history, const Frontier& frontier, Anomaly anomaly,
                              const Limits& limits = Limits::none());

/// "FILE: lost-update: 15 found: T2 -> T3 -> T2" with the shortest example below it, or why there
/// is none.
std::string anomaly_search_text(std::string_view file, const History& history,
                                const AnomalySearch& search, const Telling& telling = {});
/// The same as one JSON object on a line (docs/json.md).
std::string anomaly_search_json(std::string_view file, const History& history,
                                const AnomalySearch& search);

}  // namespace isoscope::report
