#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isoscope/synth/compare.h"
#include "isoscope/synth/confirm.h"

namespace isoscope::synth {

/// The order among levels: which of them allows only what another allows, up to a scope. Every
/// arrow is a bounded check, every missing one has a history.
///
/// If a limit was reached, the lattice is what is known so far: some pairs of levels are undecided,
/// a group may stand between two groups of which one covers the other, and histories need not be
/// the smallest.
struct Lattice {
  using Pair = std::pair<std::size_t, std::size_t>;
  /// A history that tells levels apart.
  struct Separator {
    Example example;            ///< of the pair for which it was found: none of that is smaller
    std::vector<bool> allowed;  ///< by each level
  };
  /// Levels with the same histories, numbers in `levels`.
  using Group = std::vector<std::size_t>;
  /// `upper` allows less than `lower`, and no group is between them.
  struct Cover {
    std::size_t upper = 0;
    std::size_t lower = 0;
    std::size_t separator = 0;  ///< a smallest history that `lower` allows and `upper` does not
  };

  std::vector<const spec::Definition*> levels;
  std::vector<std::vector<bool>> implies;  ///< [i][j]: what i allows, j allows
  /// No group implies an earlier one. Levels that allow nothing are in none: they imply all others.
  std::vector<Group> groups;
  std::vector<Cover> covers;          ///< by upper group, then lower
  std::vector<Separator> separators;  ///< for all that is not implied there is one
  std::vector<Extent> extents;        ///< by level
  std::uint64_t checks = 0;           ///< searches that found nothing: what arrows rest on
  bool is_complete = true;            ///< no limit was reached
  std::vector<Pair> undecided;        ///< levels: does the first imply the second?

  /// A history that level i allows and level j does not.
  std::optional<std::size_t> separator(std::size_t i, std::size_t j) const;
};

/// Asks about pairs of levels until all are decided. A history found for one pair is judged by all
/// levels, and so decides others; what is implied in two steps is not asked. Pairs of levels that
/// agree on all but a few of the histories so far come first, since they are likely neighbours.
///
/// The definitions must outlive the result. An Error is one of confirmed(), or two answers that
/// contradict each other.
Result<Lattice> lattice(const std::vector<const spec::Definition*>& levels, const Scope& scope,
                        const Strategy& strategy, const Limits& limits, Progress& progress);

}  // namespace isoscope::synth
