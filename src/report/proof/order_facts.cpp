#include "report/proof/order_facts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "report/proof/session_order.h"

namespace isoscope::report {

namespace {

using Step = ProofStep::Kind;
constexpr std::uint64_t most_cost = std::uint64_t{1} << 40;

}  // namespace

OrderFacts::OrderFacts(const History& history, const Certificate& certificate,
                       const ProofClauses& proof, const Propagation& facts)
    : history_(history),
      certificate_(certificate),
      proof_(proof),
      facts_(facts),
      one_event_(has_one_event(certificate.level.id)),
      costs_(proof.statement_count(), 0) {
  // What a fact rests on stands before it in the trail.
  for (const Literal literal : facts.trail()) {
    const std::uint32_t step = facts.reason(literal);
    costs_[literal >> 1] = cost_of(literal, step);
    if (proof.meaning(literal).kind != ProofLiteral::Kind::order) continue;
    if (step != Propagation::none && proof.step(step).kind == Step::path) continue;
    const Edge edge = this->edge(literal, step);
    if (edge.from.transaction != edge.to.transaction) edges_[edge.from].push_back(edge);
  }
}

OrderFacts::Edge OrderFacts::edge(Literal literal, std::uint32_t step) const {
  const ProofLiteral meaning = proof_.meaning(literal);
  return {meaning.before, meaning.after,          literal,
          step,           kind_of(meaning, step), cost_of(literal, step)};
}

std::uint64_t OrderFacts::cost_of(Literal literal, std::uint32_t step) const {
  if (step == Propagation::none) return 1;
  // A fact that the refutation itself does not use makes a story shorter, but adds to what it rests
  // on.
  if (step < proof_.added_steps()) return 2;
  std::uint64_t cost = proof_.step(step).kind == Step::path ? 0 : 1;
  // A read that only one transaction can have served is no fact of its own.
  if (proof_.step(step).kind == Step::read && proof_.clause(step).size() == 1) cost = 0;
  for (const Literal premise : facts_.premises(step, literal)) cost += costs_[premise >> 1];
  return std::min(cost, most_cost);
}

FactKind OrderFacts::kind_of(const ProofLiteral& literal, std::uint32_t step) const {
  if (step == Propagation::none) return FactKind::supposed;
  const ProofStep& its = proof_.step(step);
  const std::uint32_t from = literal.before.transaction;
  const std::uint32_t to = literal.after.transaction;
  switch (its.kind) {
    case Step::order:
      if (from == 0) return FactKind::initial_state;
      return from != to && in_session_order(history_, certificate_, TransactionId(from - 1),
                                            TransactionId(to - 1))
                 ? FactKind::session_order
                 : FactKind::real_time;
    case Step::from:
      return FactKind::read_dependency;
    case Step::between:
      return from == its.other ? FactKind::overwrite : FactKind::anti_dependency;
    default:
      return FactKind::overwrite;
  }
}

std::optional<std::vector<OrderFacts::Edge>> OrderFacts::chain(Event from, Event to,
                                                               std::uint32_t before) const {
  if (one_event_) from.is_commit = to.is_commit = true;
  struct Reached {
    std::uint64_t cost = 0;
    const Edge* by = nullptr;  // null: as the commit of a transaction that began there
    Event previous;
  };
  std::map<Event, Reached> reached;
  std::set<std::pair<std::uint64_t, Event>> open;
  // The start is not marked as reached, so that a way back to it can be found.
  const auto reach = [&](Event event, std::uint64_t cost, const Edge* by, Event previous) {
    const auto at = reached.find(event);
    if (at != reached.end()) {
      if (at->second.cost <= cost) return;
      open.erase({at->second.cost, event});
    }
    reached[event] = {cost, by, previous};
    open.emplace(cost, event);
  };
  const auto leave = [&](Event event, std::uint64_t cost) {
    if (!one_event_ && !event.is_commit) {
      reach(Event::commit(event.transaction), cost, nullptr, event);
    }
    const auto at = edges_.find(event);
    if (at == edges_.end()) return;
    for (const Edge& edge : at->second) {
      const bool known = facts_.place(edge.literal) < before;
      if (known) reach(edge.to, std::min(cost + edge.cost, most_cost), &edge, event);
    }
  };
  leave(from, 0);
  while (!open.empty()) {
    const auto [cost, event] = *open.begin();
    open.erase(open.begin());
    if (event == to) {
      std::vector<Edge> edges;
      Event at = to;
      do {
        const Reached& how = reached[at];
        if (how.by != nullptr) edges.push_back(*how.by);
        at = how.previous;
      } while (at != from);
      std::ranges::reverse(edges);
      return edges;
    }
    leave(event, cost);
  }
  return std::nullopt;
}

std::vector<FoldedEdge> folded(const std::vector<OrderFacts::Edge>& chain) {
  std::vector<FoldedEdge> result;
  for (const OrderFacts::Edge& edge : chain) {
    const bool transitive =
        edge.kind == FactKind::session_order || edge.kind == FactKind::real_time;
    if (transitive && !result.empty() && result.back().first.kind == edge.kind) {
      result.back().to = edge.to;
    } else {
      result.push_back({edge, edge.to});
    }
  }
  return result;
}

}  // namespace isoscope::report
