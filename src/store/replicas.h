#pragma once

#include <vector>

#include "isoscope/base/random.h"
#include "store/view.h"

namespace isoscope {

/// Copies of the database. A commit shows at once where it was made and later elsewhere, never
/// before what its transaction had seen: causal delivery (Birman, Schiper, Stephenson: Lightweight
/// causal and atomic group multicast, TOCS 1991), with the view in the place of a vector clock.
class Replicas {
 public:
  static constexpr std::size_t count = 3;

  /// What a transaction that begins now at the replica sees; `now` is the last commit.
  View view_at(std::size_t replica, Sequence now) const;
  /// A transaction that saw `seen` has committed at the replica.
  void commit(std::size_t replica, Sequence commit, const View& seen);
  /// Some time passes: commits may arrive where they are not known yet. At most `max_hidden` are
  /// on their way to a replica.
  void deliver(Random& random, std::size_t max_hidden);

 private:
  struct Underway {
    Sequence commit;
    View seen;
  };

  /// Has the replica all that the transaction saw?
  bool can_arrive(const std::vector<Underway>& underway, const Underway& next) const;

  std::vector<Underway> underway_[count];  // to each replica, in the order of commits
};

}  // namespace isoscope
