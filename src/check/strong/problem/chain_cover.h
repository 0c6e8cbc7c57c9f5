#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope::strong {

class OrderProblem;

/// The transactions of a problem, chain after chain; each reaches the next one of its chain.
struct ChainCover {
  struct Member {
    TransactionId id;
    bool after_previous = false;  ///< by session order
  };
  std::vector<Member> members;
  std::vector<std::size_t> starts;  ///< of each chain among the members
  /// Open transactions that stand within a session which goes on without them. Each begins after
  /// `after`, the last committed transaction before it, has committed.
  struct Leaf {
    TransactionId id;
    TransactionId after;
  };
  std::vector<Leaf> leaves;

  /// How many transactions the longest chain has.
  std::size_t longest() const;
};

/// What is known of the order within a session.
struct SessionRule {
  bool session_order = true;       ///< without, each transaction is a chain of its own
  bool indeterminate_cuts = true;  ///< after a transaction of unknown outcome a new chain begins
};

/// Each session is a chain. Nothing comes after a transaction of unknown outcome. Where it does not
/// cut the session, it is a leaf: `T1 ; T2? ; T3` is the chain T1 T3, and T2 after T1.
ChainCover session_chains(const History& history, const std::vector<std::uint8_t>& takes_part,
                          const SessionRule& rule);

/// Makes fewer and longer chains. A chain goes on with another one if the other's first transaction
/// read from this one's last, or began after it ended. The method is greedy. The longest chains
/// stand first.
ChainCover joined_chains(const OrderProblem& problem, const ChainCover& cover);

}  // namespace isoscope::strong
