#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "isoscope/report/fact_kind.h"
#include "report/proof/propagation.h"

namespace isoscope::report {

/// What a refutation knows about the order of events, as a graph. An edge is a fact that is not
/// merely put together from others: paths of the refutation are found again here, as short as the
/// facts allow.
class OrderFacts {
 public:
  using Literal = ProofClauses::Literal;

  struct Edge {
    Event from;
    Event to;
    Literal literal = 0;
    std::uint32_t step = 0;  ///< that says so; Propagation::none where it is supposed
    FactKind kind = FactKind::supposed;
    std::uint64_t cost = 1;  ///< how many facts there are to tell, roughly
  };

  OrderFacts(const History& history, const Certificate& certificate, const ProofClauses& proof,
             const Propagation& facts);

  /// The cheapest way from one event to another (or from an event back to it) by facts that were
  /// found before that place of the trail. Beginnings and ends of one transaction are left out.
  std::optional<std::vector<Edge>> chain(Event from, Event to, std::uint32_t before) const;

  /// The edge that a step makes of one of its order literals when its other literals are false.
  Edge edge(Literal literal, std::uint32_t step) const;

 private:
  FactKind kind_of(const ProofLiteral& literal, std::uint32_t step) const;
  std::uint64_t cost_of(Literal literal, std::uint32_t step) const;

  const History& history_;
  const Certificate& certificate_;
  const ProofClauses& proof_;
  const Propagation& facts_;
  bool one_event_;
  std::vector<std::uint64_t> costs_;  // by statement, of those that are known
  std::map<Event, std::vector<Edge>> edges_;
};

/// An edge between transactions as it is told: two edges of session order in a row, or of real
/// time, are told as one.
struct FoldedEdge {
  OrderFacts::Edge first;
  Event to;

  std::uint32_t from_transaction() const { return first.from.transaction; }
  std::uint32_t to_transaction() const { return to.transaction; }
};
std::vector<FoldedEdge> folded(const std::vector<OrderFacts::Edge>& chain);

}  // namespace isoscope::report
