#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "check/weak/known_sources.h"

namespace isoscope::weak {

/// Clocks of transactions: how many of each chain come before by sessions and reads-from. A clock
/// lives until the last transaction that needs it has passed, so few are alive at a time.
///
/// `Count` is an integer that holds the number of transactions of the longest chain. Clocks are
/// most of what is read and written, so a narrow one is faster.
template <class Count>
class ClocksOf {
 public:
  /// `sources` must outlive the object, and have no cycle.
  explicit ClocksOf(const KnownSources& sources);
  static bool fits(const KnownSources& sources);

  /// Makes the clock of a transaction from those of its predecessors, which must have been made and
  /// not passed. The transaction itself is not in it before made() is called.
  void make(Txn t);
  void made(Txn t) { clock_of(t)[sources_.chain(t)] = static_cast<Count>(place_in_chain(t) + 1); }
  /// To be called when nothing more is asked about t and its predecessors on behalf of t.
  void pass(Txn t);

  /// Whether `t` is in the clock of `by`.
  bool knows(Txn by, Txn t) const {
    return by != 0 && place_in_chain(t) < clock_of(by)[sources_.chain(t)];
  }
  /// How many of the chain are in the clock of `by`.
  std::uint32_t known(Txn by, std::uint32_t chain) const { return clock_of(by)[chain]; }
  /// Adds what the clock of `t` has to `clock`, by chain; nothing if t is the initial state.
  void join_into(std::vector<std::uint32_t>& clock, Txn t) const {
    if (t == 0) return;
    for (std::size_t i = 0; i < clock.size(); ++i)
      clock[i] = std::max<std::uint32_t>(clock[i], clock_of(t)[i]);
  }
  void prefetch(Txn t) const;

 private:
  std::uint32_t place_in_chain(Txn t) const {
    return t - sources_.first_of_chain(sources_.chain(t));
  }
  Count* clock_of(Txn t) const {
    return blocks_[slots_[t] / per_block].get() + slots_[t] % per_block * width_;
  }
  void take_slot(Txn t);
  void release(Txn t) {
    if (--uses_[t] == 0) free_.push_back(slots_[t]);
  }
  void join(Txn t, Txn before);

  static constexpr std::uint32_t per_block = 1024;
  static constexpr std::size_t per_line = 64 / sizeof(Count);  // of the processor's caches

  const KnownSources& sources_;
  std::size_t width_;
  std::vector<std::uint32_t> uses_;   // by transaction: how many still need its clock
  std::vector<std::uint32_t> slots_;  // by transaction
  std::vector<Txn> after_;            // of leaves: what they come after
  std::vector<std::uint32_t> free_;
  std::vector<std::unique_ptr<Count[]>> blocks_;
};

extern template class ClocksOf<std::uint8_t>;
extern template class ClocksOf<std::uint16_t>;
extern template class ClocksOf<std::uint32_t>;
using CausalClocks = ClocksOf<std::uint32_t>;

}  // namespace isoscope::weak
