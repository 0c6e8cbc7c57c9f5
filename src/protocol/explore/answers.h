#pragma once

#include <span>
#include <string>
#include <vector>

#include "protocol/explore/monitor.h"
#include "protocol/explore/packing.h"

namespace isoscope::protocol {

/// Finds out for which transactions the clients get an answer in some run, and for which in none.
///
/// In a single run a client may never hear of its transaction: it crashes. But suppose that no run
/// has an answer for a transaction with these constants that reads, writes or does both as this one
/// does. Then the text has forgotten when its client is told. There is then no time before which
/// the transaction must have taken effect, and real time is kept whatever it does. For example,
/// `answer ... when no k: key. writes(k, t)` forgets all writers.
///
/// This is looked at only where answers have events of their own; events that commit and answer at
/// once are checked in the text (static_checks.h). The result is exact once all states were seen:
/// it has, for each start, the transactions that commit and those that are answered in some run, up
/// to renaming.
class Answers {
 public:
  Answers(const System& system, const Packing& packing, const std::vector<Renaming>& renamings);

  /// A step after which these transactions are committed, as far as the step concerns them.
  struct Step {
    std::uint32_t root = 0;
    KindsOfCommitted committed = {}, answered = {};
  };
  bool are_asked_for() const { return !by_root_.empty(); }
  /// Does it tell anything that is not known? For threads that all look at the same.
  bool is_new(const Step& step) const;
  void add(std::span<const Step> steps);

  /// What is never answered, or "".
  std::string never_answered() const;

 private:
  struct Known {
    KindsOfCommitted committed = {}, answered = {};
  };
  /// With those that a renaming which keeps the start takes them to.
  Bits renamed(Bits transactions, const Root& root) const;

  const System& system_;
  const Packing& packing_;
  const std::vector<Renaming>& renamings_;
  std::vector<Known> by_root_;
};

}  // namespace isoscope::protocol
