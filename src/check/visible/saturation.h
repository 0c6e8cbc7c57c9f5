#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "check/visible/known_clocks.h"
#include "check/visible/problem.h"
#include "isoscope/base/limits.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::visible {

/// Finds out what follows about an execution without any choice, if it is to fit a row.
///
/// The idea. Suppose that S is visible to a read of x by a way that is known. Then a candidate that
/// comes before S is none. If one candidate U is left, the read is from it: U comes before the
/// reader, S comes before U, and more ways are known. At levels of prefixes what a statement sees
/// is an event, and it comes before all that overwrite what the statement read.
///
/// Where values repeat, most candidates are from another time. This rules them out beforehand,
/// which would take the solver a conflict for each of them.
///
/// Cost: each sweep takes chains times reads, and chains squared for each read of a key with
/// several writers. Some ten sweeps are made.
class Saturation {
 public:
  /// `known`: the order so far, of transactions and points in time. All must outlive the object.
  Saturation(const Problem& problem, const Row& row, const Digraph& known, const Limits& limits);

  /// Whether it is worth trying: there are reads with several candidates, and not too many chains.
  static bool is_worth_trying(const Problem& problem);

  enum class Result : std::uint8_t { done, contradiction, stopped };
  Result run();

  /// What is known of the order besides what was known before.
  std::span<const DirectedEdge> edges() const { return order_; }
  /// All that is known of the order. Events stand behind the other nodes.
  Digraph graph() const;
  /// The reads of which candidates were ruled out.
  struct Narrowed {
    std::uint32_t read = 0;
    std::vector<Txn> candidates = {};  ///< those that are left, ascending
  };
  std::vector<Narrowed> narrowed() const;

 private:
  void number_events();
  bool sweep();
  void visit(Txn t);
  void visit_event(std::uint32_t node);
  void judge_group(Txn t, std::span<const std::uint32_t> reads);
  void judge(std::uint32_t r);
  bool narrow(std::uint32_t r, bool is_looked_at);
  void order_versions(std::uint32_t r);
  void come_before_overwriters(std::uint32_t r);
  void see_directly(Txn t, std::uint32_t operation);
  void see(Txn t);
  void see_overwritten(Txn t, KeyId key);
  template <class Visit>
  void for_each_last_writer(KnownClocks::Clock clock, KeyId key, Txn except,
                            const Visit& visit) const;
  void find_last_writers(const Read& read);
  void add_last_writer(Txn writer);
  void follow_hops(Txn t);
  bool is_looked_at(const Read& read) const;
  bool is_certain(Txn t) const { return t == 0 || p_.sources().certain(t); }
  void add_edge(std::uint32_t from, std::uint32_t to);

  const Problem& p_;
  const Row& row_;
  const Digraph& known_;
  const Limits& limits_;
  KnownClocks before_;   // what comes before a node, and a transaction itself
  KnownClocks reached_;  // what reaches a transaction by inner hops, and itself
  bool has_events_;
  std::vector<std::uint32_t> event_;         // by read: the node of its statement
  std::vector<std::uint32_t> event_starts_;  // by event: its first read among events_reads_
  std::vector<std::uint32_t> event_reads_;
  std::vector<std::vector<Txn>> writers_;  // by key, ascending
  std::vector<std::vector<Txn>> left_;     // by read: its candidates; empty: as in the problem
  std::vector<Txn> source_;                // by read; none: it is open
  std::vector<DirectedEdge> order_;        // among transactions
  std::vector<DirectedEdge> of_events_;
  std::unordered_set<std::uint64_t> added_;
  std::vector<std::uint32_t> position_;  // by node, in the order of this sweep
  bool is_new_ = false;
  bool contradicts_ = false;

  // This is about the transaction or the statement that is looked at.
  std::vector<std::uint32_t> reads_;
  KnownClocks::Own visible_;
  std::vector<Txn> directly_;     // where there are no inner hops
  KnownClocks::Own overwritten_;  // what comes before some visible writer of a key
  std::vector<Txn> last_writers_;
};

}  // namespace isoscope::visible
