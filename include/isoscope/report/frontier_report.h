#pragma once  // Part of the API: docs/api.md.

#include <string>
#include <string_view>

#include "isoscope/certificate/frontier.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope::report {

/// "snapshot-isolation, not repeatable-read, not update-serializable"
std::string frontier_words(const Frontier& frontier);
/// "FILE: snapshot-isolation, not repeatable-read (2 committed transactions, 6 operations)", a
/// line.
std::string frontier_line(std::string_view file, const Frontier& frontier);
/// The same line, a table of the strongest levels that hold and the weakest that are violated, and
/// for each of the latter the shortest story that shows it. All bad reads are counted.
std::string frontier_text(std::string_view file, const History& history, const Frontier& frontier,
                          const Telling& telling = {});
/// All of it as one JSON object on a line (docs/json.md).
std::string frontier_json(std::string_view file, const History& history, const Frontier& frontier,
                          const Limits& limits = Limits::none());

}  // namespace isoscope::report
