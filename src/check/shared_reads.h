#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "check/reads/accesses.h"
#include "check/weak/known_sources.h"
#include "isoscope/certificate/coverage.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// What checks of one history at several levels have in common: its accesses by key, the first pass
/// and its size. Each is made when it is first asked for, and once.
///
/// Thread-safe but for forget_rows().
class SharedReads {
 public:
  /// The history must outlive the object.
  explicit SharedReads(const History& history);

  const History& history() const { return history_; }
  const Coverage& coverage();

  /// The first pass for a level that forbids these findings; `stopped` is set in it if a limit was
  /// reached. Levels with the same findings share one, and without indeterminate transactions all
  /// levels do: the findings only say which of those cannot have committed.
  const FirstPassResult& first_pass(ReadFindings forbidden, const CheckOptions& options);
  /// Fills accesses(), unless they are there already. Returns the limit that was reached, if so.
  std::optional<StopReason> collect_accesses(const CheckOptions& options);
  /// Requires that they have been collected. A first pass does that, but for a history that is
  /// known to be plain.
  const KeyAccesses& accesses() const { return accesses_; }
  /// The sources of a plain history; null if it is not plain (see KnownSources::if_plain). What is
  /// asked for here spares later first passes their work.
  weak::KnownSources* plain_sources(bool session_order, const CheckOptions& options);

  /// Notes that the level did not hold, or that this number of conflicts (0: any number) did not
  /// tell, so that no attempt at the same level is made twice.
  void note_in_vain(Level level, std::uint64_t most_conflicts);
  bool is_in_vain(Level level, std::uint64_t most_conflicts);

  /// For a caller that asks for no further level: frees what is no longer needed if the history has
  /// only registers. Should somebody ask for a first pass again, all is made anew.
  void forget_rows();

 private:
  std::optional<StopReason> collect(const CheckOptions& options);

  const History& history_;
  bool has_indeterminate_;
  std::mutex mutex_;
  bool is_collected_ = false;
  KeyAccesses accesses_;
  std::deque<std::pair<ReadFindings, FirstPassResult>> passes_;
  bool is_not_plain_ = false;                                         // that is known
  std::array<std::unique_ptr<weak::KnownSources>, 2> plain_sources_;  // without and with sessions
  std::vector<std::pair<Level, std::uint64_t>> in_vain_;  // and the largest number of conflicts
  std::optional<Coverage> coverage_;
};

/// The verdict of check() with what other checks of this history have made. `is_last`: no further
/// level is asked, so that memory may be freed early.
Verdict check(SharedReads& reads, Level level, const CheckOptions& options, bool is_last);

}  // namespace isoscope
