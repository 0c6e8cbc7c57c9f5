#pragma once

#include <cstddef>
#include <vector>

#include "shrink/part_history.h"

namespace isoscope::shrinking {

/// Parts around what is told of a violation, for when that alone violates nothing. What is missing
/// then is mostly that some source of a read came much later or earlier. Reads with only one
/// source, around it in time, show that together with sessions:
///
///   told:  R read x, of S or of S2    S2 is far away, in session c
///   near:  R -> T in session a, T -> U by a read in session c, U -> S2 in session c
///
/// Cost: a sort of the transactions by time; a part costs what is in it.
class Neighbours {
 public:
  explicit Neighbours(const PartMaker& maker);

  /// The part, and those reads with only one source that `width` transactions before and after its
  /// readers have.
  Part around(const Part& part, std::size_t width) const;

 private:
  const PartMaker& maker_;
  std::vector<TransactionId> in_time_;
  std::vector<std::size_t> place_;  // there, by transaction
};

}  // namespace isoscope::shrinking
