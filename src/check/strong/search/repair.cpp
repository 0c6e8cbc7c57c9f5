#include "check/strong/search/repair.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

// How many choices, or events, take about as long as a conflict of the solver, a tenth of a
// millisecond.
constexpr std::uint64_t choices_per_conflict = 50;
/// A round replays all events: five rounds of 28,000 transactions at snapshot isolation, with few
/// choices, take 18 ms.
constexpr std::uint64_t events_per_conflict = 1'000;
/// But no round counts for more conflicts than this, so that a first turn has at least a hundred
/// rounds: for a large history another attempt takes as long to begin as some forty rounds.
constexpr std::uint64_t most_conflicts_per_round = 50;

}  // namespace

Repair::Repair(const OrderProblem& problem, RowReads& rows, ListStates& lists, const Digraph& graph,
               const Clocks* clocks, Guess guess, const StrongTechniques& techniques,
               const Limits& limits, Progress& progress)
    : p_(problem),
      rows_(rows),
      lists_(lists),
      graph_(graph),
      clocks_(clocks),
      techniques_(techniques),
      limits_(&limits),
      progress_(&progress),
      order_(std::move(guess.order)),
      misfits_of_guess_(std::move(guess.misfits)) {
  ISOSCOPE_REQUIRE(order_.size() == p_.node_count());
  ISOSCOPE_REQUIRE(graph_.node_count() == p_.node_count());
  takes_part_.resize(p_.size());
  for (Txn t = 0; t < p_.size(); ++t) takes_part_[t] = p_.open[t] == 0 ? 1 : 0;
}

/// The effort so far, in conflicts.
std::uint64_t Repair::effort() const {
  const std::uint64_t round =
      std::min(order_.size() / events_per_conflict, most_conflicts_per_round);
  return statistics().conflicts + added_ / choices_per_conflict + rounds_ * round;
}

/// Part of the effort of a round is certain beforehand: reads get a choice for each candidate. With
/// 20,000 transactions on three keys these are 17 million, and frontiers take two seconds.
std::uint64_t Repair::effort_of_round(const Misfits& misfits) const {
  std::uint64_t choices = 0;
  for (const ReadId read : misfits.wrong_reads) {
    if (!has_choice_.contains(read)) choices += p_.candidates_of(p_.reads[read]).size();
  }
  return choices / choices_per_conflict;
}

TurnEnd Repair::run(std::uint64_t conflicts) {
  const bool eager = !techniques_.lazy_choices || techniques_.eager_width > 1;
  const std::uint64_t end = effort() + conflicts;
  const auto left = [&] { return end > effort() ? end - effort() : 0; };
  for (;;) {
    if (!is_solving_) {
      if (!misfits_ && !find_misfits()) return TurnEnd::not_yet;
      if (misfits_->empty() && (rounds_ > 0 || !eager)) return TurnEnd::found;
      if (conflicts != 0 && left() <= effort_of_round(*misfits_)) return TurnEnd::not_yet;
      if (!solver_) {
        progress_->phase("solving", 0);
        solver_.emplace(
            graph_, order_,
            AcyclicSolver::Options{.order_guides_polarity = techniques_.order_guides_polarity},
            &proof_);
        if (eager && !add_all_choices()) return TurnEnd::not_yet;
      }
      if ((rounds_ > 0 || !eager) && !repair(*misfits_)) return TurnEnd::not_yet;
      misfits_.reset();
      ++rounds_;
    }
    const TurnEnd end_of_round =
        solve(conflicts == 0 ? 0 : statistics().conflicts + std::max<std::uint64_t>(left(), 1));
    is_solving_ = end_of_round == TurnEnd::not_yet;
    if (end_of_round != TurnEnd::found) return end_of_round;
  }
}

bool Repair::find_misfits() {
  Misfits misfits = rounds_ == 0 ? std::move(misfits_of_guess_) : replay(p_, order_, takes_part_);
  if (!rows_.empty() &&
      !rows_.add_wrong_reads(order_, takes_part_, *limits_, misfits.wrong_reads)) {
    return false;
  }
  if (!lists_.empty() &&
      !lists_.find_wrong_reads(order_, takes_part_, *limits_, misfits.wrong_lists)) {
    return false;
  }
  if (rounds_ == 0) first_misfits_ = misfits.size();
  misfits_ = std::move(misfits);
  return true;
}

TurnEnd Repair::solve(std::uint64_t most_conflicts) {
  switch (solver_->solve(*limits_, most_conflicts)) {
    case Satisfiability::unsatisfiable:
      return TurnEnd::impossible;
    case Satisfiability::stopped:
      return TurnEnd::not_yet;
    case Satisfiability::satisfiable:
      break;
  }
  for (std::uint32_t event = 0; event < p_.node_count(); ++event) {
    order_[solver_->order().rank(event)] = event;
  }
  for (const auto& [t, variable] : committed_) {
    takes_part_[t] = solver_->value(SatLiteral::positive(variable)).value_or(false) ? 1 : 0;
  }
  return TurnEnd::found;
}

bool Repair::is_certain(const Read& read) const {
  return read.source != none && p_.open[read.reader] == 0;
}

bool Repair::repair(const Misfits& misfits) {
  place_.resize(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  news_ = false;
  // The first change ends the solver's model, so what was chosen is asked before.
  std::vector<VersionId> chosen;
  for (const ReadId read : misfits.wrong_reads) chosen.push_back(chosen_candidate(read));
  std::vector<VersionId> chosen_by_lists;
  for (const ReadId read : misfits.wrong_lists) {
    chosen_by_lists.push_back(chosen_candidate(read));
  }
  note_states();
  if (!add_choices_of_hard_keys(misfits)) return false;
  for (std::size_t i = 0; i < misfits.wrong_reads.size(); ++i) {
    if (is_stopped()) return false;
    const ReadId read = misfits.wrong_reads[i];
    if (is_certain(p_.reads[read])) {
      repair_known(read);
    } else {
      repair_open(read, chosen[i]);
    }
  }
  for (const Misfits::Overlap& overlap : misfits.overlaps) {
    if (is_stopped()) return false;
    earlier(overlap.first, overlap.second, true);
  }
  if (!repair_lists(misfits.wrong_lists, chosen_by_lists)) return false;
  // Otherwise the solver's order would contradict its own choices.
  ISOSCOPE_REQUIRE(news_);
  return true;
}

/// The versions of the read's key committed after `version` and before the reader began, but for
/// the reader's own and other candidates.
std::span<const VersionId> Repair::writers_in_between(const Read& read, VersionId version) {
  in_between_.clear();
  const std::uint32_t begin = place_[p_.begin(read.reader)];
  const Txn writer = p_.versions[version].writer;
  const std::uint32_t since = writer == 0 ? 0 : place_[p_.commit(writer)];
  for (const VersionId v : p_.versions_of(read.key)) {
    const Txn other = p_.versions[v].writer;
    if (other == read.reader || takes_part_[other] == 0 || v == version) continue;
    const std::uint32_t commit = place_[p_.commit(other)];
    if (commit < since || commit > begin) continue;
    if (!p_.fits(read, v)) in_between_.push_back(v);
  }
  return in_between_;
}

void Repair::repair_known(ReadId r) {
  const Read& read = p_.reads[r];
  ISOSCOPE_REQUIRE(is_certain(read));
  const auto between = writers_in_between(read, read.source);
  for (const VersionId version : std::vector(between.begin(), between.end())) {
    earlier(read.source, version, true);
  }
}

/// The last before the reader of those candidates that the solver chose; none if the solver was not
/// asked to choose.
VersionId Repair::chosen_candidate(ReadId r) const {
  const Read& read = p_.reads[r];
  if (!has_choice_.contains(r)) return none;
  VersionId best = none;
  const auto place = [&](VersionId v) {
    const Txn writer = p_.versions[v].writer;
    return writer == 0 ? 0 : place_[p_.commit(writer)];
  };
  for (const VersionId version : p_.candidates_of(read)) {
    const auto selection = selections_.find(r, version);
    if (!selection) continue;  // the reader's own
    if (!solver_->value(SatLiteral::positive(*selection)).value_or(false)) continue;
    if (best == none || place(version) > place(best)) best = version;
  }
  return best;
}

void Repair::repair_open(ReadId r, VersionId chosen) {
  const Read& read = p_.reads[r];
  ISOSCOPE_REQUIRE(!is_certain(read));
  if (has_choice_.insert(r).second) {
    choose_among_candidates(r);
    // Most likely the one that comes last before the reader will be chosen.
    for (const VersionId version : p_.candidates_of(read)) {
      const Txn writer = p_.versions[version].writer;
      if (takes_part_[writer] == 0 || writer == read.reader) continue;
      const std::uint32_t commit = writer == 0 ? 0 : place_[p_.commit(writer)];
      if (commit > place_[p_.begin(read.reader)]) continue;
      const Txn other = chosen == none ? 0 : p_.versions[chosen].writer;
      if (chosen == none || commit > (other == 0 ? 0 : place_[p_.commit(other)])) chosen = version;
    }
  }
  if (chosen == none || !p_.is_current(r)) return;
  const auto between = writers_in_between(read, chosen);
  for (const VersionId version : std::vector(between.begin(), between.end())) {
    add_between(r, chosen, version);
  }
}

/// If the candidate is selected the other version is older, or the reader precedes it.
void Repair::add_between(ReadId r, VersionId candidate, VersionId version) {
  ISOSCOPE_REQUIRE(candidate != version);
  std::vector<SatLiteral> clause = {!selected(r, candidate), before(r, version)};
  if (p_.versions[candidate].writer != 0) clause.push_back(earlier(version, candidate, false));
  add_clause(clause);
}

void Repair::choose_among_candidates(ReadId r) {
  const Read& read = p_.reads[r];
  std::vector<SatLiteral> clause;
  for (const VersionId version : p_.candidates_of(read)) {
    if (p_.versions[version].writer != read.reader) clause.push_back(selected(r, version));
  }
  const std::vector<SatLiteral> selections = clause;
  if (p_.open[read.reader] != 0) clause.push_back(!committed(read.reader));
  add_clause(clause);
  for (const SatLiteral selection : selections) {
    const Txn writer = p_.versions[choices_[selection.variable()].version].writer;
    if (p_.open[writer] == 0) continue;
    const SatLiteral implied[] = {!selection, committed(writer)};
    add_clause(implied);
  }
}

std::uint32_t Repair::add_choice(const Choice& choice) {
  news_ = true;
  ++steps_;
  ++added_;
  choices_.push_back(choice);
  return solver_->add_variable(choice.must_decide);
}

std::uint32_t Repair::add_clause(std::span<const SatLiteral> literals) {
  news_ = true;
  steps_ += static_cast<std::uint32_t>(literals.size());  // long ones take their time and memory
  ++added_;
  return solver_->add_clause(literals);
}

void Repair::add_edge(SatLiteral literal, DirectedEdge edge, std::uint32_t tag) {
  solver_->add_edge(literal, edge, tag);
  if (techniques_.eager_width > 1) edges_.push_back({edge.from, edge.to, literal, tag});
}

/// The literal that says that one version of a key is earlier than another.
SatLiteral Repair::earlier(VersionId first, VersionId second, bool must_decide) {
  ISOSCOPE_REQUIRE(first != second);
  const bool swapped = first > second;
  if (swapped) std::swap(first, second);
  std::uint32_t& variable = orders_.at(first, second);
  if (variable == none) {
    ISOSCOPE_REQUIRE(p_.versions[first].key == p_.versions[second].key);
    variable = add_choice({.kind = Choice::Kind::order,
                           .must_decide = must_decide,
                           .version = first,
                           .other = second});
    const SatLiteral literal = SatLiteral::positive(variable);
    add_order_edges(literal, first, second);
    if (p_.versions[first].writer != 0) {
      add_order_edges(!literal, second, first);
    } else {
      add_clause({&literal, 1});
    }
  } else if (must_decide && !choices_[variable].must_decide) {
    news_ = choices_[variable].must_decide = true;
    solver_->make_decided(variable);
  }
  return swapped ? SatLiteral::negative(variable) : SatLiteral::positive(variable);
}

/// Known readers of the earlier one begin before the later one is committed.
void Repair::add_order_edges(SatLiteral literal, VersionId first, VersionId second) {
  const Txn later = p_.versions[second].writer;
  add_edge(literal, {p_.commit(p_.versions[first].writer), p_.held_from(later)}, 0);
  for (ReadId r = p_.versions[first].first_reader; r != none; r = p_.readers[r].next) {
    if (p_.reads[r].reader == later) continue;
    add_edge(literal, {p_.begin(p_.reads[r].reader), p_.commit(later)}, r.value + 1);
  }
}

SatLiteral Repair::selected(ReadId read, VersionId version) {
  std::uint32_t& variable = selections_.at(read, version);
  if (variable == none) {
    ISOSCOPE_REQUIRE(p_.versions[version].key == p_.reads[read].key);
    variable = add_choice({.kind = Choice::Kind::selection, .version = version, .read = read});
    add_edge(SatLiteral::positive(variable),
             {p_.commit(p_.versions[version].writer), p_.begin(p_.reads[read].reader)}, 0);
  }
  return SatLiteral::positive(variable);
}

SatLiteral Repair::before(ReadId read, VersionId version) {
  std::uint32_t& variable = befores_.at(read, version);
  if (variable == none) {
    ISOSCOPE_REQUIRE(p_.versions[version].key == p_.reads[read].key);
    variable = add_choice({.kind = Choice::Kind::before, .version = version, .read = read});
    add_edge(SatLiteral::positive(variable),
             {p_.begin(p_.reads[read].reader), p_.commit(p_.versions[version].writer)}, 0);
  }
  return SatLiteral::positive(variable);
}

SatLiteral Repair::committed(Txn t) {
  ISOSCOPE_REQUIRE(p_.open[t] != 0);
  const auto [at, is_new] = committed_.try_emplace(t, 0);
  const std::uint32_t variable =
      is_new ? at->second = add_choice({.kind = Choice::Kind::committed, .txn = t}) : at->second;
  const SatLiteral literal = SatLiteral::positive(variable);
  if (!is_new) return literal;
  for (std::uint32_t i = 0; i < p_.list_orders.size(); ++i) {
    const ListOrder& order = p_.list_orders[i];
    if (p_.reads[order.read].reader != t) continue;
    add_edge(literal, {p_.commit(order.earlier), p_.held_from(order.later)}, i);
  }
  for (const OrderProblem::Member& member : p_.members) {
    if (p_.reads[member.read].reader != t || p_.open[member.writer] == 0) continue;
    const SatLiteral implied[] = {!literal, committed(member.writer)};
    add_clause(implied);
  }
  return literal;
}

}  // namespace isoscope::strong
