#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isoscope/certificate/coverage.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/history/history.h"
#include "isoscope/synth/synthesize.h"

namespace isoscope::synth {

/// What a level text says of a recorded history. For small ones: every execution is searched for
/// at once.
struct RecordedVerdict {
  Answer answer = Answer::unknown;
  std::string reason;                ///< only when unknown: a sentence without a full stop
  spec::Structure history;           ///< empty when that is what is unknown
  spec::Execution execution;         ///< when it holds; the evaluator agrees
  std::vector<Demand> why;           ///< when it is violated; empty if a limit was reached
  std::optional<Coverage> coverage;  ///< nothing if there was no history to look at
  std::vector<Remark> remarks;       ///< what the answer leaves out, unless it is violated
};

/// Unknown are histories that spec::structure_of() refuses, levels about real time where some
/// transaction has no times, levels about the order of reads where a key was read from two writers,
/// and what takes too long. The level must outlive the verdict.
RecordedVerdict check_recorded(const History& history, const spec::Definition& level,
                               const Limits& limits);
/// A `holds` that leaves something out becomes unknown, as for levels of the catalogue.
RecordedVerdict strictly(RecordedVerdict verdict);

}  // namespace isoscope::synth
