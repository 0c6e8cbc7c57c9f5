#include "check/shared_reads.h"

#include "check/reads/first_pass_of_keys.h"
#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

bool has_indeterminate(const History& history) {
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::indeterminate) return true;
  }
  return false;
}

}  // namespace

SharedReads::SharedReads(const History& history)
    : history_(history), has_indeterminate_(has_indeterminate(history)) {}

const Coverage& SharedReads::coverage() {
  const std::lock_guard lock(mutex_);
  if (!coverage_) coverage_ = coverage_of(history_);
  return *coverage_;
}

std::optional<StopReason> SharedReads::collect(const CheckOptions& options) {
  if (is_collected_) return std::nullopt;
  options.progress.get().phase("reading keys", 0);
  const auto stopped = KeyAccesses::collect(history_, options.limits, accesses_);
  is_collected_ = !stopped;
  return stopped;
}

const FirstPassResult& SharedReads::first_pass(ReadFindings forbidden,
                                               const CheckOptions& options) {
  const std::lock_guard lock(mutex_);
  for (const auto& [findings, pass] : passes_) {
    if (findings == forbidden || !has_indeterminate_) return pass;
  }
  FirstPassResult pass;
  pass.stopped = collect(options);
  if (!pass.stopped) {
    pass = isoscope::first_pass(history_, accesses_, {forbidden, options.limits, options.progress});
  }
  ISOSCOPE_ENSURE(pass.stopped || is_collected_);
  return passes_.emplace_back(forbidden, std::move(pass)).second;
}

void SharedReads::forget_rows() {
  if (accesses_.has_lists()) return;
  accesses_.forget_rows();
  is_collected_ = false;
  passes_.clear();
}

}  // namespace isoscope
