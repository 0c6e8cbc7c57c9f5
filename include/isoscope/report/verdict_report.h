#pragma once  // Part of the API: docs/api.md.

#include <cstddef>
#include <string>
#include <string_view>

#include "isoscope/base/limits.h"
#include "isoscope/certificate/verdict.h"

namespace isoscope::report {

/// How much to tell of a violation as text; JSON has all that the verdict has.
struct Telling {
  /// Whether all facts are told. Otherwise a violation takes `most_lines` lines at most, and the
  /// others that are told with it (Verdict::direct) take a few lines each.
  bool full = true;
  std::size_t most_lines = 12;
  std::size_t most_bad_reads = 5;
  /// When one is reached, a refutation of many cases is told in less detail.
  const Limits& limits = Limits::none();
};

/// "FILE: LEVEL: holds (2 committed transactions, 6 operations)", or VIOLATED with the evidence
/// explained, or unknown with the reason.
std::string verdict_text(std::string_view file, const History& history, const Verdict& verdict,
                         const Telling& telling = {});
/// The same as one JSON object on a line (docs/json.md). Lists all the evidence.
std::string verdict_json(std::string_view file, const History& history, const Verdict& verdict,
                         const Limits& limits = Limits::none());

}  // namespace isoscope::report
