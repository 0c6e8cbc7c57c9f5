#include "check/strong/problem/versions_by_value.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// Places are prefetched this many versions ahead.
constexpr std::size_t far_ahead = 16;

bool is_known(const Version& version) { return version.value != ValuePool::unreported; }

/// Turns counts into starts.
void sum_up(std::vector<std::uint32_t>& counts) {
  std::uint32_t sum = 0;
  for (std::uint32_t& count : counts) sum += std::exchange(count, sum);
}

}  // namespace

VersionsByValue::VersionsByValue(const OrderProblem& p, std::size_t values)
    : starts_(values + 1, 0) {
  for (const Version& version : p.versions) {
    if (is_known(version)) ++starts_[version.value.index()];
  }
  sum_up(starts_);
  entries_.resize(starts_.back());
  bucket_starts_.assign(entries_.size() + 1, 0);
  for (std::size_t value = 0; value < values; ++value) {
    if (count(value) == 1) bucket_starts_[starts_[value]] = 1;
  }
  // Calls visit(version, value) where the value is known. What it looks at is prefetched.
  const auto for_each_version = [&](const auto& visit) {
    for (const VersionId v : p.versions.ids()) {
      if (v.index() + far_ahead < p.versions.size()) {
        prefetch(&starts_[p.versions[VersionId(v.index() + far_ahead)].value.index()]);
      }
      if (is_known(p.versions[v])) visit(v, p.versions[v].value.index());
    }
  };
  for_each_version([&](VersionId v, std::size_t value) {
    if (count(value) > 1) ++bucket_starts_[bucket(p.versions[v].key, value)];
  });
  sum_up(bucket_starts_);
  ISOSCOPE_ENSURE(bucket_starts_.back() == entries_.size());  // each version has its place
  std::vector<std::uint32_t> next = bucket_starts_;           // by bucket, where the next one goes
  for_each_version([&](VersionId v, std::size_t value) {
    const KeyId key = p.versions[v].key;
    const std::uint32_t at = count(value) == 1 ? starts_[value] : next[bucket(key, value)]++;
    entries_[at] = entry(key, v);
  });
  for (std::size_t i = 0; i + 1 < bucket_starts_.size(); ++i) {
    const auto first = entries_.begin() + bucket_starts_[i];
    const auto last = entries_.begin() + bucket_starts_[i + 1];
    if (last - first > 1 && !std::is_sorted(first, last)) std::sort(first, last);
  }
}

std::span<const std::uint64_t> VersionsByValue::find(KeyId key, ValueId value) const {
  ISOSCOPE_REQUIRE(value.index() + 1 < starts_.size());
  std::span<const std::uint64_t> all;
  if (count(value.index()) == 1) {
    all = std::span(entries_).subspan(starts_[value.index()], 1);
  } else if (count(value.index()) > 1) {
    const std::uint32_t* start = &bucket_starts_[bucket(key, value.index())];
    all = std::span(entries_).subspan(start[0], start[1] - start[0]);
  }
  const auto first = std::ranges::lower_bound(all, entry(key, VersionId(0)));
  const auto last = std::ranges::upper_bound(first, all.end(), entry(key, none));
  return {first, last};
}

}  // namespace isoscope::strong
