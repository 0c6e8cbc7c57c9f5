// What a story's cycle is called, and how much of the level's own reasoning is in its edges.

#include <algorithm>

#include "report/story.h"
#include "report/writes.h"

namespace isoscope::report {

using Step = ProofStep::Kind;

/// At snapshot isolation an overwrite that reads or lists show is followed by the rule that writers
/// do not overlap, to say that one committed before the other began. People need only the first.
OrderFacts::Edge Story::simplest(const Edge& edge) const {
  if (edge.step == Propagation::none || proof_.step(edge.step).kind != Step::conflict) return edge;
  const auto chain = order_.chain(Event::begin(edge.from.transaction),
                                  Event::commit(edge.to.transaction), place_of(edge));
  if (!chain || chain->size() != 1) return edge;
  const Edge& only = chain->front();
  const bool same = only.kind == FactKind::overwrite &&
                    only.from.transaction == edge.from.transaction &&
                    only.to.transaction == edge.to.transaction;
  return same && proof_.step(only.step).kind != Step::conflict ? only : edge;
}

bool Story::is_sole_source(ReadNumber read, std::uint32_t writer) const {
  for (std::uint32_t i = 0; i < proof_.step_count(); ++i) {
    const ProofStep& step = proof_.step(i);
    if (step.kind != Step::read || step.read != read) continue;
    const auto clause = proof_.clause(i);
    return clause.size() == 1 && proof_.meaning(clause[0]).writer == writer;
  }
  return false;
}

/// Whoever takes part surely committed.
bool Story::has_plain_outcomes(const Edge& edge) const {
  for (const Literal premise : facts_.premises(edge.step, edge.literal)) {
    if (proof_.meaning(premise).kind != ProofLiteral::Kind::committed) continue;
    if (!facts_.is_true(premise) || facts_.reason(premise) == Propagation::none) return false;
    const ProofStep& step = proof_.step(facts_.reason(premise));
    const bool plain = (step.kind == Step::took && is_sole_source(step.read, step.writer)) ||
                       (step.kind == Step::member && facts_.premises(premise).empty());
    if (!plain) return false;
  }
  return true;
}

Grounds Story::grounds_of_chain(Event from, Event to, KeyId key, std::uint32_t before) const {
  const auto chain = order_.chain(from, to, before);
  if (!chain) return Grounds::level;
  Grounds worst = chain->size() <= 1 ? Grounds::plain : Grounds::causal;
  for (const Edge& edge : *chain) {
    switch (edge.kind) {
      case FactKind::initial_state:
        break;
      case FactKind::session_order:
        worst = std::max(worst, Grounds::causal);
        break;
      case FactKind::read_dependency:
        worst = std::max({worst, Grounds::dependency, grounds_of(edge)});
        break;
      case FactKind::overwrite:
        if (proof_.step(edge.step).kind != Step::list || chain->size() != 1) return Grounds::level;
        worst = std::max(worst, grounds_of(edge));
        // Another key's versions are in this order too where write cycles are forbidden.
        if (reads_.key(proof_.step(edge.step).read) != key) {
          worst = std::max(worst, Grounds::dependency);
        }
        break;
      default:
        return Grounds::level;
    }
  }
  return worst;
}

Grounds Story::grounds_of(const Edge& edge) const {
  if (edge.kind == FactKind::session_order || edge.kind == FactKind::real_time) {
    return Grounds::plain;
  }
  if (edge.step == Propagation::none || !has_plain_outcomes(edge)) return Grounds::level;
  const ProofStep& step = proof_.step(edge.step);
  if (step.kind == Step::list) return Grounds::plain;
  if (step.kind != Step::from && step.kind != Step::between) return Grounds::level;
  if (!is_sole_source(step.read, step.writer)) return Grounds::level;
  switch (edge.kind) {
    case FactKind::read_dependency:
      return Grounds::plain;
    case FactKind::anti_dependency:
      return grounds_of_chain(Event::commit(step.writer), Event::commit(step.other),
                              reads_.key(step.read), place_of(edge));
    case FactKind::overwrite:
      return std::max(Grounds::causal, grounds_of_chain(Event::commit(step.other),
                                                        Event::begin(step.read.transaction),
                                                        reads_.key(step.read), place_of(edge)));
    default:
      return Grounds::level;
  }
}

/// Does the step order transactions by what a predicate selected, or did not?
bool Story::is_by_choice(std::uint32_t step) const {
  return step != Propagation::none && proof_.step(step).kind == Step::between &&
         !reads_.is_item(proof_.step(step).read);
}

/// Is it known that the transaction read, as an item, the version that the step is about? Who left
/// the first elements of a list that it read is another matter.
bool Story::has_read(std::uint32_t transaction, const ProofStep& step) const {
  const KeyId key = reads_.key(step.read);
  return std::ranges::any_of(facts_.trail(), [&](Literal literal) {
    const ProofLiteral meaning = proof_.meaning(literal);
    return meaning.kind == ProofLiteral::Kind::selection && !meaning.negated &&
           meaning.writer == step.writer && meaning.read.transaction == transaction &&
           meaning.read.elements == ReadNumber::whole && reads_.is_item(meaning.read) &&
           reads_.key(meaning.read) == key;
  });
}

NamedEdge Story::named(const FoldedEdge& folded_edge) const {
  const Edge& edge = folded_edge.first;
  NamedEdge named{.from = folded_edge.from_transaction(),
                  .to = folded_edge.to_transaction(),
                  .kind = edge.kind,
                  .grounds = grounds_of(edge)};
  if (edge.kind == FactKind::supposed) {
    // Two writers of a key in one order or the other: that is an overwrite.
    const bool commits = has_one_event(certificate_.level.id) || edge.from.is_commit;
    named.key = common_key(history_, named.from, named.to);
    if (commits && named.key) named.kind = FactKind::overwrite;
    return named;
  }
  const ProofStep& step = proof_.step(edge.step);
  if (step.kind == Step::conflict) {
    named.key = common_key(history_, named.from, named.to);
  } else if (step.read.transaction != 0) {
    named.key = reads_.key(step.read);
    named.read = step.read;
    named.value = reads_.value(step.read);
    named.sole_source = is_sole_source(step.read, step.writer);
    named.same_source = edge.kind == FactKind::anti_dependency && has_read(named.to, step);
  }
  return named;
}

void Story::name_cycle(const std::vector<FoldedEdge>& cycle, ExplainedCase& to) {
  std::vector<NamedEdge> edges;
  std::vector<bool> needed(facts_.trail().size(), false);
  bool uses_session_order = false;
  bool uses_real_time = false;
  bool uses_predicates = false;
  const auto need = [&](std::uint32_t step, Literal literal) {
    if (step == Propagation::none) return;
    for (const Literal premise : facts_.premises(step, literal)) {
      if (facts_.is_true(premise)) needed[facts_.place(premise)] = true;
    }
  };
  // What closes a cycle rests on an order that only a chain shows.
  const auto need_chains = [&](const Edge& edge) {
    if (edge.step == Propagation::none) return;
    for (const Literal premise : facts_.premises(edge.step, edge.literal)) {
      const ProofLiteral meaning = proof_.meaning(premise);
      if (facts_.is_true(premise) || meaning.kind != ProofLiteral::Kind::order) continue;
      const auto chain = order_.chain(meaning.before, meaning.after, place_of(edge));
      if (!chain) continue;
      for (const Edge& part : *chain) needed[facts_.place(part.literal)] = true;
    }
  };
  for (const FoldedEdge& edge : cycle) {
    edges.push_back(named(edge));
    uses_session_order = uses_session_order || edge.first.kind == FactKind::session_order;
    uses_real_time = uses_real_time || edge.first.kind == FactKind::real_time;
    uses_predicates = uses_predicates || is_by_choice(edge.first.step);
    need(edge.first.step, edge.first.literal);
    need_chains(edge.first);
  }
  for (const Literal excluded : excluded_) needed[facts_.place(excluded)] = true;
  for (std::size_t i = needed.size(); i-- > 0;) {
    const Literal literal = facts_.trail()[i];
    const std::uint32_t step = facts_.reason(literal);
    if (!needed[i] || step == Propagation::none) continue;
    need(step, literal);
    uses_predicates = uses_predicates || is_by_choice(step);
    if (proof_.step(step).kind != Step::order) continue;
    const Edge edge = order_.edge(literal, step);
    if (edge.from.transaction == edge.to.transaction) continue;
    uses_session_order = uses_session_order || edge.kind == FactKind::session_order;
    uses_real_time = uses_real_time || edge.kind == FactKind::real_time;
  }
  CycleName name = report::name_of(reads_, certificate_.level,
                                   {edges, uses_session_order, uses_real_time, uses_predicates});
  to.anomaly = name.anomaly;
  levels_ = std::move(name.levels);
}

}  // namespace isoscope::report
