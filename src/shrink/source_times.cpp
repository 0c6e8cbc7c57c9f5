#include "shrink/source_times.h"

#include <algorithm>

namespace isoscope::shrinking {

bool SourceTimes::is_later(std::int64_t begin, std::int64_t end) const {
  // Without overflow: begin - end > skew.
  return end<begin&& static_cast<std::uint64_t>(begin) - static_cast<std::uint64_t>(end)>
      clock_skew_;
}

bool SourceTimes::is_before(TransactionId first, TransactionId second) const {
  if (history_.outcome(first) != Outcome::committed) return false;
  const auto end = history_.end_time(first);
  const auto begin = history_.begin_time(second);
  return end && begin && is_later(*begin, *end);
}

bool SourceTimes::rules_out(TransactionId source, TransactionId reader, KeyId key) const {
  if (history_.outcome(reader) != Outcome::committed) return false;
  if (is_before(reader, source)) return true;
  if (history_.outcome(source) != Outcome::committed) return false;
  const auto end = history_.end_time(source);
  const auto overwritten = overwritten_at(reader, key);
  return end && overwritten && is_later(*overwritten, *end);
}

bool SourceTimes::rules_out_initial(TransactionId reader, KeyId key) const {
  return history_.outcome(reader) == Outcome::committed && overwritten_at(reader, key).has_value();
}

std::optional<std::int64_t> SourceTimes::overwritten_at(TransactionId reader, KeyId key) const {
  const auto begin = history_.begin_time(reader);
  if (!begin) return std::nullopt;
  const std::vector<Writers>& writers = writers_of(key);
  const auto after = std::ranges::partition_point(
      writers, [&](const Writers& one) { return is_later(*begin, one.last_end); });
  if (after == writers.begin()) return std::nullopt;
  return std::prev(after)->latest_begin;
}

const std::vector<SourceTimes::Writers>& SourceTimes::writers_of(KeyId key) const {
  const auto [at, is_new] = writers_.try_emplace(key.value);
  std::vector<Writers>& writers = at->second;
  if (!is_new) return writers;
  for (const WriteIndex::Write& write : index_.of(key)) {
    const auto begin = history_.begin_time(write.transaction);
    const auto end = history_.end_time(write.transaction);
    const bool committed = history_.outcome(write.transaction) == Outcome::committed;
    if (committed && begin && end && *begin <= *end) writers.push_back({*end, *begin});
  }
  std::ranges::sort(writers, {}, &Writers::last_end);
  for (std::size_t i = 1; i < writers.size(); ++i) {
    writers[i].latest_begin = std::max(writers[i].latest_begin, writers[i - 1].latest_begin);
  }
  return writers;
}

}  // namespace isoscope::shrinking
