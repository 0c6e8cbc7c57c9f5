#include "record/shared_run.h"

namespace isoscope::record {

void SharedRun::stop_because(Error error) {
  const std::lock_guard lock(mutex_);
  if (!ended_by_) ended_by_ = std::move(error);
  stop();
}

void SharedRun::keep_example(const Completion& trouble) {
  const std::lock_guard lock(mutex_);
  std::string& example = examples_[static_cast<std::size_t>(trouble.trouble)];
  if (example.empty()) example = trouble.message;
}

Tally SharedRun::tally() const {
  Tally tally;
  tally.committed = committed_;
  tally.rolled_back = rolled_back_;
  tally.indeterminate = indeterminate_;
  tally.reconnected = reconnected_;
  for (std::size_t i = 0; i < trouble_count; ++i) tally.aborted[i] = aborted_[i];
  const std::lock_guard lock(mutex_);
  tally.examples = examples_;
  return tally;
}

std::optional<Error> SharedRun::ended_by() const {
  const std::lock_guard lock(mutex_);
  return ended_by_;
}

}  // namespace isoscope::record
