#pragma once

#include <functional>

#include "check/shared_reads.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/check/check_options.h"

namespace isoscope {

/// Decides whether each transaction got what the level promises that it ran at
/// (docs/mixed-levels.md).
///
/// If all ran at one level, that level is asked. A large history is first asked about levels that
/// settle the question: the strongest one that all recorded levels imply, which is decided fast if
/// it is a weak one, and the weakest one that implies them all. The rest is done by the engine with
/// choices, with a row for each reader.
class RecordedCheck {
 public:
  /// Gives the verdict on a level of the catalogue.
  using Ask = std::function<Verdict(Level level, const CheckOptions& options)>;

  /// All must outlive the object.
  RecordedCheck(SharedReads& reads, const CheckOptions& options, const Ask& ask)
      : reads_(reads), options_(options), ask_(ask) {}

  /// The verdict on `recorded`, with session order or without.
  Verdict run(Level level);

 private:
  bool refuse();
  bool settle_by_other_levels();
  bool settle_by(Level other, Answer answer, const CheckOptions& options);
  void decide();

  SharedReads& reads_;
  const CheckOptions& options_;
  const Ask& ask_;
  Verdict verdict_;
  std::vector<LevelId> levels_;  // that some transaction ran at
};

}  // namespace isoscope
