#include "check/strong/search/beginnings.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// Each session is there from the start on, so there must not be too many, nor too short ones: with
/// most of the history in it, a beginning is no easier than the whole.
constexpr std::size_t most_runs = 256;
constexpr std::size_t shortest_runs = 2;  ///< on average
/// A beginning with more choices than this is too large to be refuted.
constexpr std::size_t most_choices = 200'000;
/// This many candidates and clauses take about as long as a conflict of the solver.
constexpr std::uint64_t work_per_conflict = 50;
/// The part of a session grows by one transaction, and by one more for every `growth` transactions
/// that it has.
constexpr std::size_t growth = 8;

}  // namespace

Beginnings::Round::Round(const Digraph& base, std::span<const std::uint32_t> order)
    : graph(base), solver(graph, order, AcyclicSolver::Options{}, &proof) {}

Beginnings::Beginnings(const OrderProblem& problem, const KnownGraph& known,
                       std::span<const std::uint32_t> order, const Limits& limits)
    : p_(problem),
      known_(known),
      limits_(&limits),
      place_(problem.node_count(), 0),
      local_(problem.node_count(), none) {
  ISOSCOPE_REQUIRE(order.size() == p_.node_count());
  for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
  find_runs();
}

void Beginnings::find_runs() {
  run_of_.assign(p_.size(), none);
  for (Txn t = 1; t < p_.size(); ++t) {
    const Txn previous = p_.previous_in_chain[t];
    if (previous != none && p_.next_in_session[previous] == t) {
      run_of_[t] = run_of_[previous];
    } else {
      run_of_[t] = static_cast<std::uint32_t>(runs_.size());
      runs_.emplace_back();
    }
    runs_[run_of_[t]].all.push_back(t);
  }
}

TurnEnd Beginnings::run(std::uint64_t conflicts) {
  if (runs_.size() > most_runs || runs_.size() * shortest_runs > p_.size() - 1)
    return TurnEnd::gave_up;
  std::uint64_t left = conflicts == 0 ? std::numeric_limits<std::uint64_t>::max() : conflicts;
  while (left > 0) {
    if (!round_) {
      start_round();
      if (round_->statements.size() > most_choices) return TurnEnd::gave_up;
      left -= std::min(left, work_ / work_per_conflict + 1);
    }
    const std::uint64_t before = round_->solver.statistics().conflicts;
    const std::uint64_t most = conflicts == 0 ? 0 : before + std::max<std::uint64_t>(left, 1);
    const Satisfiability answer = round_->solver.solve(*limits_, most);
    left -= std::min(left, round_->solver.statistics().conflicts - before);
    if (answer == Satisfiability::unsatisfiable) return TurnEnd::impossible;
    if (limits_->reached_now()) return TurnEnd::stopped;
    if (answer == Satisfiability::satisfiable && !go_further()) return TurnEnd::gave_up;
  }
  return TurnEnd::not_yet;
}

/// The session whose part ends first in the order that was found gets a longer one. False if all
/// are whole.
bool Beginnings::go_further() {
  ISOSCOPE_REQUIRE(round_ != nullptr);
  ordered_ = p_.rules.begin_is_commit ? events_.size() : events_.size() / 2;
  Run* first = nullptr;
  const auto end = [&](const Run& run) {
    return round_->solver.order().rank(local_[p_.commit(run.last())]);
  };
  for (Run& run : runs_) {
    if (!run.is_whole() && (first == nullptr || end(run) < end(*first))) first = &run;
  }
  if (first == nullptr) return false;
  first->length = std::min(first->length + 1 + first->length / growth, first->all.size());
  round_.reset();
  return true;
}

void Beginnings::start_round() {
  number_events();
  std::vector<DirectedEdge> edges;
  for (const std::uint32_t event : events_) {
    const std::uint32_t next = next_in_chain(p_, event);
    if (next != none && local_[next] != none) edges.push_back({local_[event], local_[next]});
    known_.for_each_out(event, [&](const KnownGraph::Edge& edge) {
      if (local_[edge.to] != none) edges.push_back({local_[event], local_[edge.to]});
    });
  }
  std::vector<std::uint32_t> order(events_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  round_ = std::make_unique<Round>(Digraph(events_.size(), edges), order);
  work_ = 0;
  if (p_.rules.writers_conflict) add_conflicts();
  for (const Run& run : runs_) {
    for (std::size_t i = 0; i < run.length; ++i) {
      const Txn t = run.all[i];
      if (p_.open[t] != 0) continue;
      for (const ReadId r : p_.reads_of(t)) {
        if (can_choose(p_.reads[r])) add_read(r);
      }
    }
  }
}

/// Events are numbered in the order in which they probably happened, so that the order is
/// topological for the graph.
void Beginnings::number_events() {
  for (const std::uint32_t event : events_) local_[event] = none;
  events_.clear();
  writers_.clear();
  for (const Run& run : runs_) {
    for (std::size_t i = 0; i < run.length; ++i) {
      const Txn t = run.all[i];
      events_.push_back(p_.commit(t));
      if (!p_.rules.begin_is_commit) events_.push_back(p_.begin(t));
      for (const VersionId version : p_.writes_of(t)) {
        writers_[p_.versions[version].key].push_back(version);
      }
    }
  }
  std::ranges::sort(events_, {}, [&](std::uint32_t event) { return place_[event]; });
  for (std::uint32_t i = 0; i < events_.size(); ++i) local_[events_[i]] = i;
}

/// Lists of repeated elements say more than which candidate came last.
bool Beginnings::can_choose(const Read& read) const {
  return read.has_candidate_set == 0 || !p_.set_of(read).is_of_list;
}

/// Writers of a key must not overlap.
void Beginnings::add_conflicts() {
  for (const auto& [key, versions] : writers_) {
    for (std::size_t i = 0; i < versions.size(); ++i) {
      for (std::size_t j = i + 1; j < versions.size(); ++j) {
        const Txn a = p_.versions[versions[i]].writer;
        const Txn b = p_.versions[versions[j]].writer;
        const SatLiteral clause[] = {before(p_.commit(a), p_.begin(b)),
                                     before(p_.commit(b), p_.begin(a))};
        add_clause(clause, {Given::Kind::conflict, ReadId(), a, b});
      }
    }
  }
}

/// The read returned what a transaction of the beginning left, or comes after the beginning in
/// another session.
void Beginnings::add_read(ReadId r) {
  ISOSCOPE_REQUIRE(is_inside(p_.reads[r].reader));
  const Read& read = p_.reads[r];
  std::vector<SatLiteral> clause;
  for (const VersionId version : p_.candidates_of(read)) {
    ++work_;
    const Txn writer = p_.versions[version].writer;
    if (writer == read.reader) continue;
    if (writer == 0 || is_inside(writer)) {
      clause.push_back(selected(r, version));
      add_candidate(r, version, clause.back());
    } else if (run_of_[writer] != run_of_[read.reader]) {
      const SatLiteral late =
          before(p_.commit(runs_[run_of_[writer]].last()), p_.begin(read.reader));
      if (std::ranges::find(clause, late) == clause.end()) clause.push_back(late);
    }
  }
  add_clause(clause, {Given::Kind::read, r});
}

/// If the version was returned, it came before the reader, and no other writer came between the
/// two.
void Beginnings::add_candidate(ReadId r, VersionId version, SatLiteral selected) {
  const Read& read = p_.reads[r];
  const Txn writer = p_.versions[version].writer;
  const std::uint32_t begin = p_.begin(read.reader);
  if (writer != 0) {
    const SatLiteral clause[] = {!selected, before(p_.commit(writer), begin)};
    add_clause(clause, {Given::Kind::from, r, writer});
  }
  for (const VersionId v : writers_[read.key]) {
    const Txn other = p_.versions[v].writer;
    if (other == writer || other == read.reader || p_.fits(read, v)) continue;
    std::vector<SatLiteral> clause = {!selected, before(begin, p_.commit(other))};
    if (writer != 0) clause.push_back(before(p_.commit(other), p_.commit(writer)));
    add_clause(clause, {Given::Kind::between, r, writer, other});
  }
}

SatLiteral Beginnings::selected(ReadId read, VersionId version) {
  round_->statements.push_back({.is_order = false, .read = read, .version = version});
  return SatLiteral::positive(round_->solver.add_variable(false));
}

SatLiteral Beginnings::before(std::uint32_t first, std::uint32_t second) {
  ISOSCOPE_REQUIRE(first != second);
  ISOSCOPE_REQUIRE(local_[first] != none && local_[second] != none);
  const bool swapped = first > second;
  if (swapped) std::swap(first, second);
  std::uint32_t& variable = round_->orders.at(EventId(first), EventId(second));
  if (variable == none) {
    variable = round_->solver.add_variable(true);
    round_->statements.push_back({true, first, second});
    const DirectedEdge edge{local_[first], local_[second]};
    round_->solver.add_edge(SatLiteral::positive(variable), edge, 0);
    round_->solver.add_edge(SatLiteral::negative(variable), {edge.to, edge.from}, 0);
  }
  return swapped ? SatLiteral::negative(variable) : SatLiteral::positive(variable);
}

void Beginnings::add_clause(std::span<const SatLiteral> literals, const Given& given) {
  ++work_;
  round_->givens[round_->solver.add_clause(literals)] = given;
}

}  // namespace isoscope::strong
