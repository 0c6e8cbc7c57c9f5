#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope {

/// Commits are numbered 1, 2, 3, ...; 0 is the initial state. Versions are ordered by it.
using Sequence = std::uint32_t;

inline constexpr Sequence end_of_time = UINT32_MAX;

/// The committed transactions that a transaction sees: those up to a place in the order of commits,
/// except for a few. Which ones they are is the whole difference between the stores that keep
/// versions: an old `upto` is a prefix, an empty `hidden` a snapshot, and so on.
struct View {
  Sequence upto = end_of_time;
  std::vector<Sequence> hidden = {};  ///< ascending
  std::vector<Sequence> torn = {};    ///< only half of their keys are seen; always a mistake

  bool sees(Sequence commit) const {
    return commit <= upto && !std::ranges::binary_search(hidden, commit);
  }
  bool sees(Sequence commit, KeyId key) const {
    if (!sees(commit)) return false;
    if (torn.empty()) return true;
    return ((commit ^ key.value) & 1) == 0 || std::ranges::find(torn, commit) == torn.end();
  }
};

}  // namespace isoscope
