#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/certificate/verdict.h"
#include "isoscope/level/level.h"

namespace isoscope::report {

/// `true`, `false` or `unknown`: Elle's word for an answer.
std::string_view elle_word(Answer answer);

/// `holds` if all of them do, `violated` if any is violated, otherwise `unknown`. Without any
/// verdict nothing was asked, and that holds.
Answer answer_to_all(std::span<const Verdict> verdicts);

/// What Elle tells of a history as JSON, on one line: `valid?`, `anomaly-types`, `anomalies`, `not`
/// and `also-not`, in Elle's names. The verdicts are about the levels that were asked for.
///
/// `not` has the weakest of Elle's consistency models that the history is known to violate, and
/// `also-not` all stronger ones. Members that Elle does not have say why an answer is unknown, and
/// what it leaves out (docs/elle.md).
std::string elle_json(std::string_view file, const History& history,
                      std::span<const Verdict> verdicts);

/// The levels that Elle's consistency models are, each once.
std::vector<Level> levels_of_elle();

/// The anomalies that the verdicts show, by the names that elle_json() has for them.
std::vector<Anomaly> anomalies_shown(const History& history, std::span<const Verdict> verdicts);

}  // namespace isoscope::report
