#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "check/visible/problem.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/limits.h"

namespace isoscope::visible {

/// A supposed execution: an order of commits, who takes part, and what reads are from. Where each
/// key's versions have an order of their own, the order of commits is a guess that binds nobody.
struct Execution {
  std::vector<Txn> order = {};            ///< without the initial state
  std::vector<std::uint32_t> place = {};  ///< by transaction, from 1; the initial state's is 0
  /// By version, from 1, where each key's versions have an order of their own; otherwise empty.
  std::vector<std::uint32_t> version_place = {};
  std::vector<std::uint8_t> takes_part = {};
  /// By read. For a read that nobody chose the source of, replay() takes the latest candidate
  /// before the reader.
  std::vector<Txn> source = {};
  std::vector<std::uint8_t> is_chosen = {};
};

/// The nodes of the graph that has no cycle: transactions, and then points in time; or, where each
/// key's versions have an order of their own, transactions and then versions.
class OrderNodes {
 public:
  enum class Of : std::uint8_t { commits, versions };

  /// `reads_lead_on`: a transaction comes after what it read from. The problem must outlive the
  /// object.
  OrderNodes(const Problem& problem, Of of, bool reads_lead_on)
      : p_(problem), has_versions_(of == Of::versions), reads_lead_on_(reads_lead_on) {}

  bool has_versions() const { return has_versions_; }
  bool reads_lead_on() const { return reads_lead_on_; }
  /// What stands for the version of the key that t left.
  std::uint32_t of(Txn t, KeyId key) const {
    return has_versions_ ? static_cast<std::uint32_t>(p_.size()) + p_.version(t, key) : t;
  }
  /// The place of that version in an execution.
  std::uint32_t place(const Execution& execution, Txn t, KeyId key) const {
    ISOSCOPE_REQUIRE(t < execution.place.size());
    if (!has_versions_ || t == 0) return execution.place[t];
    return execution.version_place[p_.version(t, key)];
  }
  /// Makes the order of an execution that of the nodes.
  void set_order(std::span<const std::uint32_t> nodes, Execution& execution) const;

 private:
  const Problem& p_;
  bool has_versions_;
  bool reads_lead_on_;
};

/// Makes the order that of the transactions among the nodes.
inline void set_order(std::span<const std::uint32_t> nodes, std::size_t transactions,
                      Execution& execution) {
  execution.order.clear();
  execution.place.assign(transactions, 0);
  for (const std::uint32_t node : nodes) {
    if (node == 0 || node >= transactions) continue;
    execution.order.push_back(node);
    ISOSCOPE_REQUIRE(execution.place[node] == 0);  // none is there twice
    execution.place[node] = static_cast<std::uint32_t>(execution.order.size());
  }
}

inline void OrderNodes::set_order(std::span<const std::uint32_t> nodes,
                                  Execution& execution) const {
  visible::set_order(nodes, p_.size(), execution);
  if (!has_versions_) return;
  execution.version_place.assign(p_.version_count(), 0);
  std::uint32_t place = 0;
  for (const std::uint32_t node : nodes) {
    if (node >= p_.size()) execution.version_place[node - p_.size()] = ++place;
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
/// by the way. Or there is no candidate before the reader, and `source` is none. Or, if `follows`,
/// the reader, or its session afterwards, wrote `newer`, but that is older than the source.
struct Misfit {
  std::uint32_t read = 0;
  Txn source = none;
  Txn newer = 0;
  std::vector<Hop> way = {};  ///< from `newer` to the reader
  bool follows = false;
};

/// Finds what is wrong in executions.
class Judge {
 public:
  virtual ~Judge() = default;

  struct Result {
    bool made_reads = false;
    std::optional<StopReason> stopped = {};
  };
  /// Fills in the sources of the execution that nobody chose. Adds what is wrong to `misfits`, and
  /// makes the reads of rows that are wrong; if there were some, it is to be called again. Returns
  /// the limit that was reached, if so.
  virtual Result run(Execution& execution, std::vector<Misfit>& misfits) = 0;

  /// What a read of a row is from that was not made.
  using TellRow = std::function<void(Txn reader, std::uint32_t operation, KeyId key, Txn source)>;
  /// For an execution in which nothing is wrong: tells the sources of the reads of rows that were
  /// not made, but for those that a certificate need not list. False if there are more than `most`
  /// such reads, or if a limit was reached.
  virtual bool tell_rows(Execution& execution, const TellRow& tell, std::size_t most) = 0;
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
