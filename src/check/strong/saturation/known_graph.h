#pragma once

#include <cstdint>
#include <vector>

#include "check/strong/problem/order_problem.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

/// Why one event comes before another, beyond chains and points in time.
enum class Why : std::uint8_t {
  wr,        ///< the read returned what was committed
  ww,        ///< committed before the reader began, so before the version it returned
  rw,        ///< commits after the version that was read, so after the reader began
  conflict,  ///< writers of one key that would overlap otherwise
  list,      ///< appended earlier, as the read list shows
  time,      ///< to and from points in time
  session,   ///< session order that is not along a chain
  assumed,   ///< as is assumed of the order of versions
};

/// What is known about the order of events, in the order in which it was found out: every edge
/// follows from the history and the edges before it.
///
/// The graph does not contain the steps along chains (session order, a transaction's begin before
/// its commit, points in time), nor that the initial state comes first.
class KnownGraph {
 public:
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t next = none;  ///< an older edge that leaves `from`
    std::uint32_t why = 0;      ///< the read, and the rule in the lowest three bits

    Why rule() const { return static_cast<Why>(why & 7); }
    ReadId read() const { return ReadId(why >> 3); }
  };

  /// Room for `expected` edges is made beforehand.
  KnownGraph(std::size_t nodes, std::size_t expected) : first_out_(nodes, none) {
    edges_.reserve(expected);
  }

  std::uint32_t add(std::uint32_t from, std::uint32_t to, Why rule, ReadId read) {
    ISOSCOPE_REQUIRE(from < first_out_.size() && to < first_out_.size());
    ISOSCOPE_REQUIRE(read.value >> 29 == 0);
    edges_.push_back(
        {from, to, first_out_[from], read.value << 3 | static_cast<std::uint32_t>(rule)});
    return first_out_[from] = static_cast<std::uint32_t>(edges_.size() - 1);
  }

  std::uint32_t first_out(std::uint32_t node) const { return first_out_[node]; }
  const Edge& edge(std::uint32_t index) const {
    ISOSCOPE_REQUIRE(index < edges_.size());
    return edges_[index];
  }
  const std::vector<Edge>& edges() const { return edges_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(edges_.size()); }
  std::size_t node_count() const { return first_out_.size(); }

  template <class Visit>
  void for_each_out(std::uint32_t node, const Visit& visit) const {
    for (std::uint32_t e = first_out_[node]; e != none; e = edges_[e].next) visit(edges_[e]);
  }

 private:
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_out_;
};

/// The event that follows along the chain by session order, because it is the same transaction's
/// commit, or the next point in time; none otherwise. (Chains that were joined have an edge there.)
inline std::uint32_t next_in_chain(const OrderProblem& p, std::uint32_t event) {
  if (p.is_time(event)) {
    return event + 1 < p.node_count() ? event + 1 : none;
  }
  const Txn t = p.transaction_of(event);
  if (t == 0) return none;
  if (!p.rules.begin_is_commit && event == p.begin(t)) return p.commit(t);
  const Txn next = p.next_in_session[t];
  return next == none ? none : p.begin(next);
}

}  // namespace isoscope::strong
