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
  std::size_t with_begin = 0;  ///< transactions whose begin is known
  std::size_t with_end = 0;
  std::size_t with_both = 0;

  bool operator==(const Coverage&) const = default;
};

/// One look at every transaction.
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
  };

  Kind kind = Kind::nothing_committed;
  std::string text;  ///< a sentence

  bool operator==(const Remark&) const = default;
};

inline constexpr std::size_t remark_kind_count =
    static_cast<std::size_t>(Remark::Kind::reads_undecided) + 1;

/// "no-times"
std::string_view name_of(Remark::Kind kind);
/// Does an answer with this remark leave out something that was asked? Then `holds` is vacuous or
/// partial; who wants to be strict takes it as unknown.
bool is_gap(Remark::Kind kind);
/// Why that is unknown: to be followed by the remarks.
inline constexpr std::string_view reason_of_gap =
    "what could be looked at holds, but that is not all that was asked";

/// What an answer about the level leaves out on this history. Checker and verifier say the same.
std::vector<Remark> remarks_about(const Coverage& coverage, Level level);

/// "9,168 committed transactions, 31,022 operations"; of a real-time level also "; clock skew 5ms".
std::string coverage_words(const Coverage& coverage, Level level, std::int64_t clock_skew);
/// One line for each, as it stands below a verdict: "  Remark: ...".
std::string remark_lines(std::span<const Remark> remarks);
/// As members of the object that is being written (docs/json.md).
void write_coverage(JsonWriter& json, const std::optional<Coverage>& coverage,
                    std::span<const Remark> remarks);

}  // namespace isoscope
