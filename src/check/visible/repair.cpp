#include "check/visible/repair.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::visible {

namespace {

std::uint64_t pair_of(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}

/// How many candidates are ruled out by one read that is wrong, besides the one it is from.
constexpr std::size_t most_others = 32;

}  // namespace

Repair::Repair(const Problem& problem, const OrderNodes& nodes, Judge& judge,
               KnownOrders& known_orders, const Digraph& known,
               std::span<const std::uint32_t> order, const Limits& limits, Progress& progress)
    : p_(problem),
      nodes_(nodes),
      judge_(judge),
      known_orders_(known_orders),
      known_(known),
      limits_(limits),
      progress_(progress),
      solver_(known, order, {}, &proof_) {
  e_.takes_part.assign(p_.size(), 0);
  for (Txn t = 0; t < p_.size(); ++t) e_.takes_part[t] = p_.sources().certain(t) ? 1 : 0;
  nodes_.set_order(order, e_);
}

Satisfiability Repair::run(std::uint64_t most_conflicts) {
  progress_.phase("solving", 0);
  for (;;) {
    std::vector<Misfit> misfits;
    if (!replay(misfits)) return Satisfiability::stopped;
    if (rounds_ == 0) first_misfits_ = misfits.size();
    if (misfits.empty()) return Satisfiability::satisfiable;
    for (const Misfit& misfit : misfits) {
      const std::size_t before = literals_;
      add(misfit);
      const auto steps = static_cast<std::uint32_t>(literals_ - before + 1);
      if (limits_.reached(steps)) return Satisfiability::stopped;
    }
    progress_.advance(++rounds_);
    const Satisfiability answer = solver_.solve(limits_, most_conflicts);
    if (answer != Satisfiability::satisfiable) return answer;
    take_model();
  }
}

bool Repair::replay(std::vector<Misfit>& misfits) {
  for (;;) {
    misfits.clear();
    const Judge::Result result = judge_.run(e_, misfits);
    if (result.stopped) return false;
    if (!result.made_reads) return true;
  }
}

void Repair::take_model() {
  std::vector<std::uint32_t> nodes(known_.node_count());
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    nodes[solver_.order().rank(node)] = node;
  }
  nodes_.set_order(nodes, e_);
  for (const auto& [t, variable] : committed_) {
    e_.takes_part[t] = solver_.value(SatLiteral::positive(variable)).value_or(false) ? 1 : 0;
  }
  for (const std::uint32_t r : reads_with_choice_) {
    e_.is_chosen[r] = 0;
    const KeyId key = p_.read(r).key;
    const auto place = [&](Txn t) { return nodes_.place(e_, t, key); };
    for (const Txn source : p_.candidates(p_.read(r))) {
      const auto variable = selections_.find(pair_of(r, source));
      if (variable == selections_.end()) continue;  // the reader itself
      if (!solver_.value(SatLiteral::positive(variable->second)).value_or(false)) continue;
      const bool is_better = e_.is_chosen[r] == 0 || place(source) > place(e_.source[r]);
      if (is_better) e_.source[r] = source;
      e_.is_chosen[r] = 1;
    }
  }
}

void Repair::add(const Misfit& misfit) {
  // There is a candidate before the reader, if it takes part.
  const bool is_open = p_.is_open(p_.read(misfit.read));
  if (is_open) choose_among_candidates(misfit.read);
  if (misfit.source == none) return;
  add_clause(misfit);
  if (!is_open) return;
  // Other candidates that are older than the newer version would be wrong for the same reason, and
  // the solver would choose them next.
  Misfit other = misfit;
  const KeyId key = p_.read(misfit.read).key;
  const std::uint32_t end = nodes_.place(e_, misfit.newer, key);
  const auto is_wrong = [&](Txn source) {
    const std::uint32_t place = nodes_.place(e_, source, key);
    return misfit.follows ? place > end : place < end;
  };
  std::size_t count = 0;
  for (const Txn source : likeliest_candidates(misfit.read)) {
    if (source == misfit.source || !is_wrong(source)) continue;
    if (++count > most_others) return;
    other.source = source;
    add_clause(other);
  }
}

/// The clause that the misfit makes.
void Repair::add_clause(const Misfit& misfit) {
  std::vector<SatLiteral> clause;
  add_selection(misfit.read, misfit.source, clause);
  for (const Hop& hop : misfit.way) add_hop(hop, p_.read(misfit.read).key, clause);
  const bool is_certain = clause.empty();
  if (misfit.source != 0) {
    const KeyId key = p_.read(misfit.read).key;
    const SatLiteral is_older = earlier(misfit.newer, misfit.source, key);
    clause.push_back(misfit.follows ? !is_older : is_older);
    if (is_certain && !nodes_.has_versions()) known_orders_.add(misfit.newer, misfit.source);
  }
  literals_ += clause.size();
  const std::uint32_t id = solver_.add_clause(clause);
  misfits_.emplace(id, misfit);
}

/// The latest candidate before the reader is the likeliest, then those before it, and then those
/// behind the reader. The solver prefers those that it knew first.
std::vector<Txn> Repair::likeliest_candidates(std::uint32_t r) const {
  const Read& read = p_.read(r);
  std::vector<Txn> result;
  for (const Txn source : p_.candidates(read)) {
    if (source != read.reader) result.push_back(source);
  }
  const std::uint32_t end = e_.place[read.reader];
  std::ranges::sort(result, {}, [&](Txn t) {
    const std::uint32_t place = e_.place[t];
    return place < end ? std::pair(0u, end - place) : std::pair(1u, place);
  });
  return result;
}

void Repair::add_selection(std::uint32_t read, Txn source, std::vector<SatLiteral>& clause) {
  if (!p_.is_open(p_.read(read))) return;
  choose_among_candidates(read);
  clause.push_back(!selected(read, source));
}

void Repair::add_hop(const Hop& hop, KeyId key, std::vector<SatLiteral>& clause) {
  // Where versions have orders of their own, an update overwrites the version that it is applied
  // to.
  if (!nodes_.has_versions()) key = {};
  switch (hop.kind) {
    case Hop::Kind::session:
      return;
    case Hop::Kind::read:
      return add_selection(hop.read, hop.from, clause);
    case Hop::Kind::overwrite:
    case Hop::Kind::earlier:
      if (!known_orders_.has(hop.from, hop.to)) clause.push_back(earlier(hop.to, hop.from, key));
      return;
    case Hop::Kind::antidependency:
      add_selection(hop.read, hop.version, clause);
      if (hop.version == 0 || known_orders_.has(hop.version, hop.to)) return;
      clause.push_back(earlier(hop.to, hop.version, {}));
      return;
  }
}

std::uint32_t Repair::add_choice(const Choice& choice) {
  ++literals_;
  choices_.push_back(choice);
  return solver_.add_variable(false);
}

SatLiteral Repair::earlier(Txn first, Txn second, KeyId key) {
  ISOSCOPE_REQUIRE(first != second && first != 0 && second != 0);
  const bool swapped = first > second;
  if (swapped) std::swap(first, second);
  const std::uint32_t from = nodes_.of(first, key);
  const std::uint32_t to = nodes_.of(second, key);
  const auto [at, is_new] = orders_.try_emplace(pair_of(from, to));
  if (is_new) {
    at->second =
        add_choice({.kind = Choice::Kind::order, .first = first, .second = second, .key = key});
    solver_.add_edge(SatLiteral::positive(at->second), {from, to}, 0);
    solver_.add_edge(SatLiteral::negative(at->second), {to, from}, 0);
  }
  return swapped ? SatLiteral::negative(at->second) : SatLiteral::positive(at->second);
}

SatLiteral Repair::selected(std::uint32_t read, Txn source) {
  const auto [at, is_new] = selections_.try_emplace(pair_of(read, source));
  if (is_new) {
    at->second = add_choice({.kind = Choice::Kind::selection, .first = source, .read = read});
    if (source != 0 && nodes_.reads_lead_on()) {
      solver_.add_edge(SatLiteral::positive(at->second), {source, p_.read(read).reader}, 0);
    }
  }
  return SatLiteral::positive(at->second);
}

void Repair::choose_among_candidates(std::uint32_t r) {
  has_choice_.resize(p_.reads().size(), 0);
  if (std::exchange(has_choice_[r], 1) != 0) return;
  reads_with_choice_.push_back(r);
  const Read& read = p_.read(r);
  std::vector<SatLiteral> clause;
  for (const Txn source : likeliest_candidates(r)) clause.push_back(selected(r, source));
  const std::vector<SatLiteral> selections = clause;
  if (!p_.sources().certain(read.reader)) clause.push_back(!committed(read.reader));
  chosen_reads_.emplace(solver_.add_clause(clause), r);
  for (const SatLiteral selection : selections) {
    const Txn source = choices_[selection.variable()].first;
    if (source == 0 || p_.sources().certain(source)) continue;
    const SatLiteral implied[] = {!selection, committed(source)};
    solver_.add_clause(implied);
  }
}

SatLiteral Repair::committed(Txn t) {
  ISOSCOPE_REQUIRE(!p_.sources().certain(t));
  const auto [at, is_new] = committed_.try_emplace(t, 0);
  if (!is_new) return SatLiteral::positive(at->second);
  const std::uint32_t variable = add_choice({.kind = Choice::Kind::committed, .first = t});
  committed_[t] = variable;
  const SatLiteral literal = SatLiteral::positive(variable);
  for (const weak::KnownSources::PossibleLists& lists : p_.sources().possible_lists()) {
    if (lists.reader != t) continue;
    for (const weak::KnownEdge& edge : lists.order) {
      if (edge.from == 0) continue;
      solver_.add_edge(literal, {nodes_.of(edge.from, edge.key), nodes_.of(edge.to, edge.key)}, 0);
    }
    for (const Txn appender : lists.appenders) {
      if (appender == t || p_.sources().certain(appender)) continue;
      const SatLiteral implied[] = {!literal, committed(appender)};
      solver_.add_clause(implied);
    }
  }
  return literal;
}

}  // namespace isoscope::visible
