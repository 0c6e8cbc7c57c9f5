#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/reads/accesses.h"
#include "isoscope/certificate/version_assumption.h"
#include "isoscope/check/check_options.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// What is assumed of the order of versions beyond what the history shows: of some pairs of writers
/// of a key, which one's version comes first. docs/assumptions.md says which pairs each assumption
/// orders. All engines take these pairs as they take the order that lists show.
///
/// Every pair holds in every execution in which both transactions take part, and the earlier one
/// takes part in every execution: it committed, or a committed transaction can have read only from
/// it. So no pair depends on a choice.
///
///   sessions.cpp           sequential-keys
///   times.cpp              linearizable-keys
///   stamps.cpp             commit-stamps
///   key_users.cpp          which versions of a key a transaction certainly saw or left
///
/// Only pairs from which all others follow are kept. Cost: linear, times the transactions that use
/// one key at the same time.
class KnownVersionOrder {
 public:
  struct Pair {
    KeyId key;
    TransactionId earlier;
    TransactionId later;
    VersionAssumption why = VersionAssumption::sequential_keys;
  };

  /// Versions of transactions that do not take part (by TransactionId) are not looked at.
  KnownVersionOrder(const History& history, const KeyAccesses& accesses,
                    const std::vector<std::uint8_t>& takes_part, const CheckOptions& options);

  std::span<const Pair> pairs() const { return pairs_; }
  /// Why no order of versions is as assumed, in a sentence; empty if there is one.
  const std::string& contradiction() const { return contradiction_; }

 private:
  std::vector<Pair> pairs_;
  std::string contradiction_;
};

}  // namespace isoscope
