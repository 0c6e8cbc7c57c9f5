#pragma once

#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/history/history.h"
#include "isoscope/synth/synthesize.h"

namespace isoscope::synth {

/// An answer as it is shown: transactions numbered session by session, and what stands behind it
/// confirmed by other means than found it. The definitions are those of the question.
struct Example {
  Question question;
  spec::Structure history;  ///< just what the recorded history says, the order of reads included
  std::vector<spec::Execution> executions;   ///< of the allowing levels
  std::vector<std::vector<Demand>> reasons;  ///< of the forbidding ones, see explain()
  bool is_timed = false;                     ///< some level looks at real time
};

/// The Example of what was found. The evaluator judges each allowing level's execution; a new
/// search looks for an execution of each forbidding level, and where there are few enough, all are
/// tried one by one. All that on the history as it would be read back from a file. An Error of
/// kind `internal` if anything disagrees, and of kind `stopped` if a limit was reached.
Result<Example> confirmed(const Question& question, const Found& found, const Limits& limits);

/// Adds why each forbidding level forbids it. A reason is empty if a limit was reached.
void explain(Example& example, const Limits& limits);

/// Is session order a set of sessions, or (Scope::any_session_order) another order?
bool has_sessions(const spec::Structure& history);

/// The history to write to a file or to show; without sessions, each transaction has one of its
/// own.
History recorded(const Example& example);

}  // namespace isoscope::synth
