#pragma once

#include <deque>
#include <vector>

#include "check/visible/past.h"
#include "check/visible/version_replay.h"

namespace isoscope::visible {

/// Judges reads where what a seen writer had read counts, and what the writers of that had read,
/// and so on: the causal past of a seen writer. The order of commits must contain sessions and
/// reads-from.
class VersionReplay::Causes {
 public:
  Causes(const Problem& problem, const OrderNodes& nodes, const Execution& execution,
         const Limits& limits);

  /// Adds the reads that miss something. Ends early if a limit is reached.
  void judge(std::vector<Misfit>& misfits);

 private:
  /// A read of a key, and which one has read the newest version up to it in its chain.
  struct ReadSoFar {
    Txn reader = 0;
    std::uint32_t newest = none;
  };
  /// A transaction that was reached in a search backwards, with the hop that leads on.
  struct Reached {
    std::uint32_t stamp = 0;
    std::uint32_t cost = 0;
    Hop hop = {};
  };

  std::uint32_t place(std::uint32_t read) const {
    return nodes_.place(e_, e_.source[read], p_.read(read).key);
  }
  void collect_reads();
  /// The read of the newest version of the key among those in the clock; none if there is none.
  std::uint32_t newest_read(KeyId key, Past::Clock clock) const;
  std::vector<Hop> way(std::uint32_t read, std::uint32_t first);
  void reach(const Hop& hop, std::uint32_t cost, Txn target);

  const Problem& p_;
  const OrderNodes& nodes_;
  const Execution& e_;
  const Limits& limits_;
  Past past_;
  std::vector<std::vector<ReadSoFar>> reads_;  // by key, ascending
  std::vector<Reached> reached_;               // by transaction
  std::uint32_t stamp_ = 0;
  std::deque<std::pair<Txn, std::uint32_t>> queue_;
};

}  // namespace isoscope::visible
