#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::strong {

/// Which versions of a key hold a value.
///
/// Versions are put together by their value, not by their key: values that are written at about the
/// same time have numbers close to each other, so a caller that goes through the reads as they
/// happened finds most answers in the processor's caches, however long the history is. The versions
/// of a value that was written more than once are spread over as many buckets, by key.
///
/// Cost: linear to make, but for sorting the versions of different keys that share a bucket.
class VersionsByValue {
 public:
  /// The problem has all its versions; `values` is how many values there are.
  VersionsByValue(const OrderProblem& problem, std::size_t values);

  /// The key's versions that hold the value, ascending; see version_of().
  std::span<const std::uint64_t> find(KeyId key, ValueId value) const;

  static VersionId version_of(std::uint64_t found) {
    return VersionId(static_cast<std::uint32_t>(found));
  }

  // What find() will need soon, the second one a little later than the first.
  void prefetch_start(ValueId value) const { prefetch(&starts_[value.index()]); }
  void prefetch_entry(KeyId key, ValueId value) const {
    if (count(value.index()) > 1) {
      prefetch(&bucket_starts_[bucket(key, value.index())]);
    } else {
      prefetch(entries_.data() + starts_[value.index()]);
    }
  }

 private:
  static std::uint64_t entry(KeyId key, VersionId version) {
    return std::uint64_t{key.value} << 32 | version.value;
  }
  /// How many versions hold the value.
  std::uint32_t count(std::size_t value) const { return starts_[value + 1] - starts_[value]; }
  /// The bucket of the key, for a value that some version holds.
  std::uint32_t bucket(KeyId key, std::size_t value) const {
    const std::uint32_t mixed = key.value * 0x9E3779B1u;
    return starts_[value] + static_cast<std::uint32_t>(std::uint64_t{mixed} * count(value) >> 32);
  }

  std::vector<std::uint32_t> starts_;         // by value
  std::vector<std::uint32_t> bucket_starts_;  // by bucket, and the end
  std::vector<std::uint64_t> entries_;        // by value and bucket, then key and version
};

}  // namespace isoscope::strong
