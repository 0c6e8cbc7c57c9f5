#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isoscope/protocol/coverage.h"
#include "protocol/explore/system.h"

namespace isoscope::protocol {

/// A bit for each level.
using Levels = std::uint32_t;
constexpr Levels level_bit(AbstractLevel level) { return 1u << static_cast<unsigned>(level); }

/// Committed transactions, by what clients see of them: nothing, reads, writes, or both.
using KindsOfCommitted = std::array<Bits, 4>;

/// What a step is held against: for each action, which facts it can change. Most steps change
/// none, and cost nothing.
class Watchlist {
 public:
  explicit Watchlist(const System& system);

  struct Watched {
    std::vector<Diagram> store;  ///< of the mapped store
    std::vector<Fact> views;
    bool observation = false;               ///< what clients see, or the witness's orders
    std::vector<std::uint8_t> seen;         ///< transactions of which clients may see more then
    std::vector<std::uint32_t> invariants;  ///< of the model, by number
  };
  const Watched& of(std::size_t action) const { return watched_[action]; }

 private:
  std::vector<Watched> watched_;
};

/// Checks whether steps are steps of the abstract model, or whether they keep the witness's axioms.
/// Each thread has its own Monitor.
class Monitor {
 public:
  Monitor(const System& system, const Watchlist& watchlist);

  struct Report {
    Levels broken = 0;
    Findings findings = {};
    std::string_view axiom;   ///< of a witness: one that is broken
    bool map_broken = false;  ///< the mapped store is no longer what the model's commits make it
  };
  /// `asked`: which levels matter.
  Report check(std::size_t action, Values before, Values after, Levels asked);

  /// Counts what clients see for the first time by this step, and gives the transactions that
  /// they see committed after it, among those of which it may change what clients see.
  KindsOfCommitted cover(std::size_t action, Values before, Values after, Coverage& coverage);
  /// The transaction alone, or nothing if clients do not see it committed.
  KindsOfCommitted committed(std::size_t transaction, Values values);
  /// Never true for the initial transaction.
  bool is_seen_committed(std::size_t transaction, Values values) const {
    return transaction != 0 && system_.diagrams().holds(is_committed_[transaction], values);
  }

  /// A number for what clients see in a state. Different observations nearly always have different
  /// numbers.
  std::uint64_t observation_hash(Values values) const;

 private:
  /// Does what clients see of a committed transaction change, or do they see one commit, though it
  /// is not the one that commits here?
  bool changes_observation(const Action& action, const Watchlist::Watched& watched, Values before,
                           Values after);
  Report check_commit(const Action& action, const Watchlist::Watched& watched, Values before,
                      Values after, Levels asked);
  Report check_witness(Values after, Levels asked);
  /// What of a transaction counts for coverage, if it is committed.
  Coverage seen_of(std::size_t transaction, Values values);
  bool keeps_real_time(Values after) const;
  void read_store(Values values, AbstractStore& store) const;
  void read_fingerprint(std::size_t transaction, Values values, Fingerprint& fingerprint) const;
  Bits view_of(std::size_t client, Values values) const;

  const System& system_;
  const Watchlist& watchlist_;
  bool has_begins_ = false;
  AbstractStore before_, after_;
  CommitCheck commits_;
  std::vector<Diagram> is_committed_;  ///< by transaction
  Fingerprint fingerprint_, later_fingerprint_;
  WitnessedRun run_;
};

}  // namespace isoscope::protocol
