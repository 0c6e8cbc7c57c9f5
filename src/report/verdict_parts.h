#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/report/explanation.h"
#include "isoscope/report/verdict_report.h"

// What reports on one level and on all levels have in common: bad reads, levels that are ruled out,
// and the story of a violation.

namespace isoscope::report {

/// "aborted read (G1a)"
std::string bad_read_words(const History& history, const BadRead& bad);
/// The first `most` of the bad reads, each with its operations, and how many there are of each
/// kind.
void append_findings(std::string& text, const History& history, std::span<const BadRead> findings,
                     std::size_t most);
/// Members of the array of bad reads (docs/json.md).
void findings_json(JsonWriter& json, const History& history, std::span<const BadRead> findings);

/// Whether the read speaks against a level that forbids these kinds. `ruled_out` says why
/// transactions of unknown outcome were taken as aborted. Where one of these reasons is allowed, a
/// read from such a transaction may be a good one.
bool speaks_against(const History& history, const BadRead& bad, std::span<const BadRead> ruled_out,
                    ReadFindings forbidden);
/// The levels with session order that one of the reads speaks against.
std::vector<LevelId> levels_ruled_out(const History& history, std::span<const BadRead> findings,
                                      std::span<const BadRead> ruled_out);
/// "  Rules out A and every level that implies it: ...", a line; nothing if there is none.
void append_ruled_out(std::string& text, std::span<const LevelId> out);
void level_names_json(JsonWriter& json, std::span<const LevelId> ids);

/// Evidence of single reads explains itself, whereas a refutation is told as a story.
std::optional<Explanation> explanation_of(const History& history, const Verdict& verdict,
                                          const Limits& limits);
/// The whole story if it is wanted or short, else the main part of it.
std::string story(const History& history, const Explanation& explanation, const Telling& telling,
                  std::size_t most_lines);
std::size_t lines_in(const std::string& text);

}  // namespace isoscope::report
