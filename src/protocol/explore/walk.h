#pragma once

#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/protocol/coverage.h"
#include "protocol/explore/system.h"

namespace isoscope::protocol {

/// Random runs of a compiled model: each possible step equally likely, until there is none or there
/// were many. What happens in them is added to a coverage. That includes what only a whole run can
/// tell: whether two committed transactions that used the same key, one of them writing it,
/// overlapped in time. States do not tell that, because they forget what came first.
///
/// Cost: for every step, the guards of all actions.
class Walk {
 public:
  explicit Walk(const System& system);

  /// A start with constants and orders at random; orders keep session order, which most protocols
  /// demand of timestamps.
  std::vector<std::uint8_t> random_start(Random& random) const;
  void run(std::vector<std::uint8_t> start, Random& random, Coverage& coverage);

 private:
  /// The step at which a transaction began, and the step at which its client knew that it was over.
  struct Times {
    std::size_t begin = 0, end = 0;  ///< 0: not yet
  };
  /// What clients see of a committed transaction in the end.
  struct Seen {
    bool is_committed = false, has_read = false, has_read_others = false;
    Bits read_keys = 0, written_keys = 0;
  };
  void note_times(const Action& action, std::size_t now);
  std::vector<Seen> what_clients_see() const;
  bool overlap(std::size_t t, std::size_t u) const;

  const System& system_;
  bool has_begins_ = false, has_answers_ = false;
  std::vector<std::uint8_t> values_, next_;
  std::vector<const Action*> enabled_;
  std::vector<Times> times_;
};

}  // namespace isoscope::protocol
