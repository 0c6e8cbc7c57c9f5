// What a story's cycle is called, and how much of the level's own reasoning is in its edges.

#include <algorithm>

#include "report/explain/story.h"
#include "report/proof/writes.h"

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

bool Story::is_plain_source(ReadNumber read, std::uint32_t writer) const {
  if (is_sole_source(read, writer)) return true;
  if (supposed_source_ && *supposed_source_ == ProofLiteral::selection(read, writer)) return true;
  const auto supposed = [&](Literal literal) {
    return facts_.is_true(literal) && facts_.reason(literal) == Propagation::none;
  };
  for (const Literal literal : facts_.trail()) {
    if (proof_.meaning(literal) != ProofLiteral::selection(read, writer)) continue;
    const std::uint32_t step = facts_.reason(literal);
    return step == Propagation::none || (proof_.step(step).kind == Step::read &&
                                         std::ranges::all_of(facts_.premises(literal), supposed));
  }
  return false;
}

/// Why a source is out of the question: it comes later, or was overwritten before.
Grounds Story::grounds_of_exclusion(Literal excluded) const {
  const std::uint32_t reason = facts_.reason(excluded);
  if (reason == Propagation::none) return Grounds::plain;
  const ProofStep& step = proof_.step(reason);
  const std::uint32_t before = facts_.place(excluded);
  const Event writer = Event::commit(step.writer);
  const Event reader = Event::begin(step.read.transaction);
  if (step.kind == Step::from) {
    return std::max(Grounds::dependency,
                    grounds_of_dependencies(reader, writer, reads_.key(step.read), before));
  }
  if (step.kind != Step::between || step.read.elements != ReadNumber::whole) return Grounds::level;
  const Event other = Event::commit(step.other);
  const Grounds older = step.writer == 0
                            ? Grounds::plain
                            : grounds_of_dependencies(writer, other, reads_.key(step.read), before);
  return std::max(older, grounds_of_causes(other, reader, before));
}

/// The grounds for saying that the read was from the writer.
Grounds Story::grounds_of_source(ReadNumber read, std::uint32_t writer) const {
  if (is_plain_source(read, writer)) return Grounds::plain;
  for (const Literal literal : facts_.trail()) {
    if (proof_.meaning(literal) != ProofLiteral::selection(read, writer)) continue;
    const std::uint32_t step = facts_.reason(literal);
    if (proof_.step(step).kind != Step::read) return Grounds::level;
    Grounds worst = Grounds::plain;
    for (const Literal premise : facts_.premises(literal)) {
      const bool outcome = proof_.meaning(premise).kind == ProofLiteral::Kind::committed;
      worst = std::max(worst, !outcome                    ? grounds_of_exclusion(premise)
                              : is_plain_outcome(premise) ? Grounds::plain
                                                          : Grounds::level);
    }
    return worst;
  }
  return Grounds::level;
}

/// Did all transactions that take part surely commit?
bool Story::has_plain_outcomes(const Edge& edge) const {
  for (const Literal premise : facts_.premises(edge.step, edge.literal)) {
    if (proof_.meaning(premise).kind != ProofLiteral::Kind::committed) continue;
    if (!facts_.is_true(premise) || !is_plain_outcome(premise)) return false;
  }
  return true;
}

bool Story::is_plain_outcome(Literal literal) const {
  const std::uint32_t reason = facts_.reason(literal);
  if (reason == Propagation::none) return false;
  const ProofStep& step = proof_.step(reason);
  return (step.kind == Step::took && is_sole_source(step.read, step.writer)) ||
         (step.kind == Step::member && facts_.premises(literal).empty());
}

bool Story::surely_committed(std::uint32_t transaction) const {
  if (history_.outcome(TransactionId(transaction - 1)) == Outcome::committed) return true;
  return std::ranges::any_of(facts_.trail(), [&](Literal literal) {
    return proof_.meaning(literal) == ProofLiteral::committed(transaction) &&
           is_plain_outcome(literal);
  });
}

/// The worst grounds of a chain's edges. They are `level` if more than `most_anti_dependencies`
/// edges are anti-dependencies, or if an edge is only supposed.
Grounds Story::grounds_of_edges(const std::vector<Edge>& chain, int most_anti_dependencies) const {
  Grounds worst = Grounds::plain;
  for (const Edge& edge : chain) {
    if (edge.kind == FactKind::anti_dependency && --most_anti_dependencies < 0) {
      return Grounds::level;
    }
    worst = std::max(worst, edge.kind == FactKind::supposed ? Grounds::level : grounds_of(edge));
  }
  return worst;
}

/// The grounds of an order of two versions of a key that a chain of dependencies shows. Where
/// dependencies have no cycle, such an order is as good as plain.
Grounds Story::grounds_of_dependencies(Event from, Event to, KeyId key,
                                       std::uint32_t before) const {
  const auto chain = order_.chain(from, to, before);
  if (!chain) return Grounds::level;
  const auto says_it = [&](const Edge& edge) {
    return edge.kind == FactKind::initial_state ||
           (edge.kind == FactKind::overwrite && proof_.step(edge.step).kind == Step::list &&
            reads_.key(proof_.step(edge.step).read) == key);
  };
  const Grounds worst = grounds_of_edges(*chain, 0);
  if (worst == Grounds::level) return Grounds::level;
  if (worst > Grounds::dependency ||
      std::ranges::count(*chain, FactKind::real_time, &Edge::kind) != 0) {
    return Grounds::single;
  }
  const bool plain = chain->size() <= 1 && std::ranges::all_of(*chain, says_it);
  return plain ? worst : Grounds::dependency;
}

/// The grounds of the fact that a transaction came before a reader.
Grounds Story::grounds_of_causes(Event from, Event to, std::uint32_t before) const {
  const auto chain = order_.chain(from, to, before);
  if (!chain) return Grounds::level;
  const Grounds worst = grounds_of_edges(*chain, 0);
  if (worst == Grounds::level) return Grounds::level;
  const bool causes = std::ranges::all_of(*chain, [](const Edge& edge) {
    return edge.kind == FactKind::session_order || edge.kind == FactKind::read_dependency;
  });
  return causes && worst <= Grounds::dependency ? Grounds::causal : Grounds::single;
}

Grounds Story::grounds_of(const Edge& edge) const {
  if (edge.kind == FactKind::session_order || edge.kind == FactKind::real_time ||
      edge.kind == FactKind::initial_state) {
    return Grounds::plain;
  }
  if (edge.step == Propagation::none || !has_plain_outcomes(edge)) return Grounds::level;
  const ProofStep& step = proof_.step(edge.step);
  if (step.kind == Step::list) return Grounds::plain;
  if (step.kind == Step::conflict) {
    const auto chain = order_.chain(Event::begin(edge.from.transaction),
                                    Event::commit(edge.to.transaction), place_of(edge));
    return chain ? std::max(Grounds::single, grounds_of_edges(*chain, 1)) : Grounds::level;
  }
  if (step.kind != Step::from && step.kind != Step::between) return Grounds::level;
  const Grounds source = grounds_of_source(step.read, step.writer);
  if (source == Grounds::level) return Grounds::level;
  switch (edge.kind) {
    case FactKind::read_dependency:
      return source;
    case FactKind::anti_dependency:
      return std::max(source,
                      grounds_of_dependencies(Event::commit(step.writer), Event::commit(step.other),
                                              reads_.key(step.read), place_of(edge)));
    case FactKind::overwrite:
      return std::max(
          source, grounds_of_causes(Event::commit(step.other), Event::begin(step.read.transaction),
                                    place_of(edge)));
    default:
      return Grounds::level;
  }
}

/// Does the step order transactions by what a predicate selected, or did not?
bool Story::is_by_choice(std::uint32_t step) const {
  return step != Propagation::none && proof_.step(step).kind == Step::between &&
         !reads_.is_item(proof_.step(step).read);
}

/// Is it known that the transaction read, as an item, the version that the step is about? Which
/// transaction left the first elements of a list that it read is another matter.
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
                  .from_committed = surely_committed(folded_edge.from_transaction()),
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

/// An anti-dependency T -> U between two writers of a key says that U overwrote T's version of it,
/// where transactions come one after the other. A cycle is told with as few anti-dependencies as
/// possible, but at least one. The result has for each edge the key that is overwritten, if the
/// edge is told so.
std::vector<std::optional<KeyId>> Story::told_as_overwrites(
    const std::vector<FoldedEdge>& cycle) const {
  std::vector<std::optional<KeyId>> keys(cycle.size());
  if (!has_one_event(certificate_.level.id)) return keys;
  bool one_stays = false;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle[i].first.kind != FactKind::anti_dependency) continue;
    const std::uint32_t from = cycle[i].from_transaction();
    const KeyId read = reads_.key(proof_.step(cycle[i].first.step).read);
    keys[i] = final_write(history_, from, read)
                  ? std::optional(read)
                  : common_key(history_, from, cycle[i].to_transaction());
    one_stays = one_stays || !keys[i];
  }
  const auto first = std::ranges::find_if(keys, [](const auto& key) { return key.has_value(); });
  if (!one_stays && first != keys.end()) first->reset();
  return keys;
}

void Story::name_cycle(const std::vector<FoldedEdge>& cycle,
                       std::span<const std::optional<KeyId>> overwritten, ExplainedCase& to) {
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
    edges.back().overwritten = overwritten[edges.size() - 1];
    uses_session_order = uses_session_order || edge.first.kind == FactKind::session_order;
    uses_real_time = uses_real_time || edge.first.kind == FactKind::real_time;
    uses_predicates = uses_predicates || is_by_choice(edge.first.step);
    need(edge.first.step, edge.first.literal);
    need_chains(edge.first);
  }
  for (const Literal excluded : excluded_) {
    needed[facts_.place(excluded)] = true;
    edges.front().grounds = std::max(edges.front().grounds, grounds_of_exclusion(excluded));
  }
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
  to.cycle_class = name.cycle_class;
  levels_ = std::move(name.levels);
}

}  // namespace isoscope::report
