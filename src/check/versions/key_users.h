#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/reads/accesses.h"
#include "isoscope/history/history.h"

namespace isoscope::versions {

/// The version that a transaction left at a key, by the number of a certificate: 0 is the initial
/// one.
using VersionNumber = std::uint32_t;
inline constexpr VersionNumber initial_version = 0;

/// A transaction that took part, and the versions of one key that it certainly saw or left.
struct KeyUser {
  TransactionId transaction;
  /// Its outcome is unknown: it may take effect at any later time, so nothing comes after it.
  bool is_open = false;
  std::vector<VersionNumber> seen = {};  ///< before it wrote to the key, each once
  std::optional<VersionNumber> left = {};

  template <class Visit>
  void for_each_version(const Visit& visit) const {
    for (const VersionNumber version : seen) visit(version);
    if (left) visit(*left);
  }
};

/// The transactions that used the key, in the order of the history.
///
/// A read shows a version if nobody else can have left what it returned: the value was written by
/// one transaction only, whatever became of that, it is the last that this transaction wrote to the
/// key, and the key did not hold it initially. Or the key held it initially, and nobody wrote it.
/// Reads of transactions of unknown outcome show nothing, and neither do lists.
std::vector<KeyUser> users_of_key(const History& history, const KeyAccesses& accesses,
                                  const std::vector<std::uint8_t>& takes_part, KeyId key);

}  // namespace isoscope::versions
