#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/json_writer.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// How much of a history an answer is about. Aborted transactions say nothing, and those of unknown
/// outcome need not have happened.
struct Coverage {
  std::size_t committed = 0;   ///< transactions
  std::size_t operations = 0;  ///< of committed transactions, as are all the following
  bool has_reads = false;      ///< that reported what they saw
  /// Some transaction ran at a level of real time, so that time matters to the recorded levels.
  bool has_timed_levels = false;
  std::size_t with_begin = 0;  ///< transactions whose begin is known
  std::size_t with_end = 0;
  std::size_t with_both = 0;
  TimeSource time_source = TimeSource::clocks;
  std::size_t cut_neighbours = 0;  ///< see isoscope/history/statistics.h

  bool operator==(const Coverage&) const = default;
};

/// Looks at every transaction once.
Coverage coverage_of(const History& history);

/// What somebody should know about an answer that the answer itself does not say.
struct Remark {
  enum class Kind : std::uint8_t {
    nothing_committed,  ///< so there was nothing to check
    nothing_read,       ///< so nothing can contradict the order of writes
    no_times,           ///< the level is about real time, and nobody recorded it
    times_missing,      ///< and some did not record it
    recorder_slip,      ///< a violation that a mistake of the recorder may explain
    reads_undecided,    ///< the analysis of single reads is not complete
    lines_as_time,      ///< the order of lines was taken as real time
    sessions_cut,       ///< transactions of unknown outcome cut session order
    sessions_go_on,     ///< session order goes on across them
    implied,            ///< the answer follows from that at another level
    assumption,         ///< the answer rests on what is assumed of the order of versions
  };

  Kind kind = Kind::nothing_committed;
  std::string text;  ///< a sentence

  bool operator==(const Remark&) const = default;
};

inline constexpr std::size_t remark_kind_count =
    static_cast<std::size_t>(Remark::Kind::assumption) + 1;

/// "no-times"
std::string_view name_of(Remark::Kind kind);
/// Does an answer with this remark leave out something that was asked? Then `holds` is vacuous or
/// partial. Callers that want to be strict take it as unknown.
bool is_gap(Remark::Kind kind);
/// Why a strict answer is unknown. The remarks follow this sentence.
inline constexpr std::string_view reason_of_gap =
    "what could be looked at holds, but that is not all that was asked";

/// The remarks that belong to an answer about the level on this history. The checker and the
/// verifier make the same ones. A violation gets no remarks about what was not looked at.
std::vector<Remark> remarks_about(const Coverage& coverage, Level level, bool indeterminate_cuts,
                                  bool violated);

/// "9,168 committed transactions, 31,022 operations". For a real-time level "; clock skew 5ms"
/// follows, unless lines stand for time.
std::string coverage_words(const Coverage& coverage, Level level, std::int64_t clock_skew);
/// One line for each, as it stands below a verdict: "  Remark: ...".
std::string remark_lines(std::span<const Remark> remarks);
/// Writes them as members of the object that is being written (docs/json.md).
void write_coverage(JsonWriter& json, const std::optional<Coverage>& coverage,
                    std::span<const Remark> remarks);

}  // namespace isoscope
