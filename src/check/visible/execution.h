#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "check/visible/problem.h"

namespace isoscope::visible {

/// A supposed execution: an order of commits, who takes part, and what reads are from.
struct Execution {
  std::vector<Txn> order = {};            ///< without the initial state
  std::vector<std::uint32_t> place = {};  ///< by transaction, from 1; the initial state's is 0
  std::vector<std::uint8_t> takes_part = {};
  /// By read. For a read that nobody chose the source of, replay() takes the latest candidate
  /// before the reader.
  std::vector<Txn> source = {};
  std::vector<std::uint8_t> is_chosen = {};
};

/// Makes the order that of the transactions among the nodes.
inline void set_order(std::span<const std::uint32_t> nodes, std::size_t transactions,
                      Execution& execution) {
  execution.order.clear();
  execution.place.assign(transactions, 0);
  for (const std::uint32_t node : nodes) {
    if (node == 0 || node >= transactions) continue;
    execution.order.push_back(node);
    execution.place[node] = static_cast<std::uint32_t>(execution.order.size());
  }
}

/// A step of a way from a transaction to a reader that sees it.
struct Hop {
  enum class Kind : std::uint8_t {
    session,         ///< `to` follows in the session
    read,            ///< `read`, of `to`, is from `from`
    overwrite,       ///< `to` writes a key of `from` later
    antidependency,  ///< `read`, of `from`, is from `version`, and `to` writes the key later
    earlier,         ///< `to` is later in the commit order
  };
  Kind kind = Kind::session;
  Txn from = 0;
  Txn to = 0;
  std::uint32_t read = none;
  Txn version = 0;
};

/// What is wrong in an execution: `newer` wrote the key after `source`, and is visible to the read
/// by the way. Or there is no candidate before the reader, and `source` is none.
struct Misfit {
  std::uint32_t read = 0;
  Txn source = none;
  Txn newer = 0;
  std::vector<Hop> way = {};  ///< from `newer` to the reader
};

/// Pairs of transactions whose order does not depend on a choice.
class KnownOrders {
 public:
  void add(Txn earlier, Txn later) { pairs_.insert(pair(earlier, later)); }
  bool has(Txn earlier, Txn later) const { return pairs_.contains(pair(earlier, later)); }

 private:
  static std::uint64_t pair(Txn earlier, Txn later) { return std::uint64_t{earlier} << 32 | later; }

  std::unordered_set<std::uint64_t> pairs_;
};

}  // namespace isoscope::visible
