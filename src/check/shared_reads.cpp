#include "check/shared_reads.h"

#include <algorithm>

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

std::optional<StopReason> SharedReads::collect_accesses(const CheckOptions& options) {
  const std::lock_guard lock(mutex_);
  return collect(options);
}

weak::KnownSources* SharedReads::plain_sources(bool session_order, const CheckOptions& options) {
  const std::lock_guard lock(mutex_);
  auto& sources = plain_sources_[session_order ? 1 : 0];
  if (!sources && !is_not_plain_) {
    options.progress.get().phase("finding sources", 0);
    sources = weak::KnownSources::if_plain(history_, session_order, options);
    is_not_plain_ = sources == nullptr;
  }
  return sources.get();
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
  const bool is_plain = plain_sources_[0] != nullptr || plain_sources_[1] != nullptr;
  if (!is_plain) pass.stopped = collect(options);
  if (!is_plain && !pass.stopped) {
    pass = isoscope::first_pass(history_, accesses_, {forbidden, options.limits, options.progress});
  }
  ISOSCOPE_ENSURE(pass.stopped || is_collected_ || is_plain);
  return passes_.emplace_back(forbidden, std::move(pass)).second;
}

void SharedReads::note_in_vain(Level level, std::uint64_t most_conflicts) {
  const std::lock_guard lock(mutex_);
  in_vain_.emplace_back(level, most_conflicts == 0 ? UINT64_MAX : most_conflicts);
}

bool SharedReads::is_in_vain(Level level, std::uint64_t most_conflicts) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t asked = most_conflicts == 0 ? UINT64_MAX : most_conflicts;
  return std::ranges::any_of(
      in_vain_, [&](const auto& tried) { return tried.first == level && tried.second >= asked; });
}

void SharedReads::forget_rows() {
  if (accesses_.has_lists()) return;
  accesses_.forget_rows();
  is_collected_ = false;
  passes_.clear();
}

}  // namespace isoscope
