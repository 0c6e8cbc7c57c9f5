#pragma once

#include <cstdint>

#include "isoscope/history/history.h"

namespace isoscope {

/// What a transaction counts as while its reads are judged.
enum class PresumedOutcome : std::uint8_t {
  committed,
  assumed,  ///< indeterminate, counted as committed as long as nothing speaks against it
  aborted,  ///< aborted, or indeterminate and ruled out
};

inline bool counts(PresumedOutcome presumed) { return presumed != PresumedOutcome::aborted; }

/// Up to two different transactions: enough to say whether there is one other than a given one.
struct TwoTransactions {
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::uint32_t initial_state = 0xFFFFFFFE;

  std::uint32_t first = none;
  std::uint32_t second = none;

  void add(std::uint32_t transaction) {
    if (first == none) {
      first = transaction;
    } else if (second == none && first != transaction) {
      second = transaction;
    }
  }
  bool has_other_than(TransactionId t) const {
    return first != none && (first != t.value || second != none);
  }
};

}  // namespace isoscope
