#pragma once  // Part of the API: docs/api.md.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/certificate/version_assumption.h"
#include "isoscope/check/check_statistics.h"
#include "isoscope/check/strong_techniques.h"
#include "isoscope/history/history.h"

namespace isoscope {

class KnownVersionOrder;

struct CheckOptions {
  /// Both must outlive what they are given to.
  std::reference_wrapper<const Limits> limits = Limits::none();
  std::reference_wrapper<Progress> progress = Progress::silent();
  /// How many threads to use; 0: as many as there are processors. The answer is the same for any
  /// number. One thread is used for a strong level of a history with fewer than `parallel_from`
  /// transactions, and for every other level. Hard questions are an exception: several attempts at
  /// them run at once, and with two threads or more it may be another order or another refutation
  /// that comes first. It is always the same one with one thread, with a limit of memory or of
  /// conflicts, or without StrongTechniques::race.
  unsigned threads = 1;
  std::size_t parallel_from = 10'000;
  /// Real-time levels: how much the clients' clocks may differ, in ns.
  std::int64_t clock_skew = 0;
  /// Whether an indeterminate transaction cuts its session. If it is not set, the history decides.
  std::optional<bool> indeterminate_cuts = {};
  /// Strong levels: whether an order is first looked for near what the clients' clocks say. It
  /// changes the time a check takes, never the answer.
  bool clocks_guide = true;
  /// Strong levels: the maximum number of conflicts of the solver. After that the answer is
  /// `unknown`; 0: no limit.
  std::uint64_t most_conflicts = 0;
  /// Whether an answer shall come with its certificate; `violated` at a strong level does anyway.
  bool certificate = false;
  /// Where a strong level is violated: how many anomalies of two or three transactions are wanted.
  /// The simplest ones are reported. 0: none is looked for, and the certificate is what the engine
  /// found.
  std::size_t anomalies = 0;
  /// Whether such anomalies are counted by kind, too. Otherwise the search ends with the simplest
  /// kind.
  bool count_anomalies = true;
  /// What is assumed of the order of versions. The verdict names what it rests on.
  std::vector<VersionAssumption> assumptions = {};
  /// What follows from these. It is for the engines, and check() sets it itself.
  const KnownVersionOrder* version_order = nullptr;
  StrongTechniques strong = {};
  /// Filled in if not null.
  CheckStatistics* statistics = nullptr;
};

/// Whether indeterminate transactions cut sessions in this check.
inline bool indeterminate_cuts(const History& history, const CheckOptions& options) {
  return options.indeterminate_cuts.value_or(history.indeterminate_cuts());
}

}  // namespace isoscope
