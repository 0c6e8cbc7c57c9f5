#include "check/strong/search/attempt.h"

#include <algorithm>

#include "check/strong/proof/derivation.h"
#include "check/strong/saturation/saturation.h"
#include "check/strong/saturation/start_order.h"
#include "check/strong/search/guess.h"
#include "check/strong/search/repair_refutation.h"
#include "check/versions/known_version_order.h"
#include "isoscope/base/contract.h"
#include "isoscope/graph/shortest_cycle.h"

namespace isoscope::strong {

namespace {

/// This many configurations of frontiers take about as long as a conflict of the solver.
constexpr std::uint64_t visits_per_conflict = 200;
/// A conflict of the solver about a beginning takes about as long as one about a whole history of
/// `beginning_size` transactions. A conflict about a longer history takes longer. To make up for
/// that, beginnings get up to `most_times_longer` times as many conflicts.
constexpr std::size_t beginning_size = 400;
constexpr std::size_t most_times_longer = 16;
/// The maximum number of pairs that are counted for statistics.
constexpr std::uint64_t most_pairs = 100'000'000;
/// Another guess is made if more than one in this many transactions has a misfit in a guess.
constexpr std::size_t few_misfits = 500;

}  // namespace

Attempt::Attempt(const Case& about, const Question& question, const Means& means)
    : case_(about),
      options_(about.options),
      question_(question),
      means_(means),
      clock_(means.statistics, means.workers),
      frontiers_are_over_(means.searches == Searches::repair || !has_frontiers(about, question)),
      beginnings_are_over_(question.rules.real_time || question.is_piece() ||
                           options_.strong.beginnings == StrongTechniques::When::off) {}

void Attempt::use(const Means& means) {
  means_ = means;
  clock_ = PhaseClock(means.statistics, means.workers);
  if (means.searches == Searches::repair) leave_frontiers();
  if (!work_) return;
  if (work_->repair) work_->repair->use(means.limits, means.progress);
  if (work_->frontiers) work_->frontiers->use(means.limits);
  if (work_->beginnings) work_->beginnings->use(means.limits);
}

Attempt::State Attempt::go_on(std::uint64_t conflicts) {
  if (state_ != State::open) return state_;
  clock_.begin();
  if (!work_) state_ = start();
  const bool frontiers_first =
      question_.is_piece() || options_.strong.frontiers == StrongTechniques::When::first;
  // Turns become ever longer, because a step that does not end within its visits begins anew.
  for (std::uint64_t visits = visits_per_conflict * std::max<std::uint64_t>(conflicts, 1);
       frontiers_first && state_ == State::open && !frontiers_are_over_; visits *= 2) {
    state_ = go_on_with_frontiers(visits);
  }
  const bool beginnings_first = options_.strong.beginnings == StrongTechniques::When::first;
  if (beginnings_first && state_ == State::open && !beginnings_are_over_) {
    state_ = go_on_with_beginnings(0);
  }
  if (state_ == State::open && means_.searches != Searches::frontiers) {
    state_ = go_on_with_repair(conflicts);
  }
  if (state_ == State::open && !frontiers_are_over_) {
    state_ = go_on_with_frontiers(visits_per_conflict * conflicts);
  }
  if (state_ == State::open && !beginnings_are_over_) {
    const std::size_t longer =
        std::clamp<std::size_t>(p_.size() / beginning_size, 1, most_times_longer);
    state_ = go_on_with_beginnings(longer * conflicts);
  }
  return state_;
}

Attempt::State Attempt::start() {
  if (const auto reason = build()) return stopped(*reason);
  clock_.end("problem");
  if (const auto reason = limit()) return stopped(*reason);
  return prepare();
}

std::optional<StopReason> Attempt::build() {
  const ChainCover cover =
      session_chains(case_.history, case_.takes_part,
                     {question_.session_order, indeterminate_cuts(case_.history, options_)});
  std::unordered_map<std::uint32_t, KeyId> only_reads;
  for (const BadRead& bad : case_.ruled_out.left_aside()) {
    only_reads.emplace(bad.read.transaction.value, bad.key);
  }
  const ProblemInput input{
      .history = case_.history,
      .accesses = case_.accesses,
      .takes_part = case_.takes_part,
      .likely = case_.likely,
      .rules = question_.rules,
      .clock_skew = options_.clock_skew,
      .limits = means_.limits,
      .workers = means_.workers,
      .only_reads = only_reads.empty() ? nullptr : &only_reads,
      .readers = question_.is_piece() ? &question_.readers : nullptr,
  };
  if (const auto reason = build_problem(input, cover, p_)) return reason;
  take_assumptions();
  by_window_ = false;
  const std::size_t most_chains = options_.strong.most_chains;
  if (are_affordable(cover, p_, most_chains, means_.limits)) return std::nullopt;
  const ChainCover joined = joined_chains(p_, cover);
  if (are_affordable(joined, p_, most_chains, means_.limits)) {
    const auto reason = build_problem(input, joined, p_);
    take_assumptions();
    return reason;
  }
  by_window_ = true;
  return std::nullopt;
}

void Attempt::take_assumptions() {
  if (options_.version_order == nullptr) return;
  ISOSCOPE_REQUIRE(p_.assumed_orders.empty());
  for (const KnownVersionOrder::Pair& pair : options_.version_order->pairs()) {
    const Txn earlier = p_.number[pair.earlier.index()];
    const Txn later = p_.number[pair.later.index()];
    if (earlier != none && later != none) p_.assumed_orders.emplace_back(earlier, later);
  }
}

Derivation Attempt::derivation() {
  ISOSCOPE_REQUIRE(work_ && may_refute());
  Work& w = *work_;
  return Derivation(case_.history, p_, w.known, w.known_clocks, w.place, w.ruled_out, w.writer);
}

/// Does all the work up to where repair begins.
Attempt::State Attempt::prepare() {
  const std::size_t time_edges = p_.times.empty() ? 0 : 2 * p_.size();
  work_ = std::make_unique<Work>(case_, p_, p_.reads.size() + p_.reads.size() / 8 + time_edges);
  Work& w = *work_;
  Saturation saturation(p_, w.known, w.clocks, means_.limits, means_.progress, means_.workers);
  // Much of the time that a large array takes is the system's, to clear it.
  means_.workers.run(2, [&](std::size_t part) {
    if (part == 0) {
      if (!by_window_ && options_.strong.saturation) w.clocks = clocks_by_chain(p_);
    } else {
      saturation.start();
    }
  });
  if (const auto reason = limit()) return stopped(*reason);
  std::vector<std::uint64_t> likely = likely_event_times(case_.likely, p_);
  if (const State state = derive(saturation, likely); state != State::open) return state;
  return start_repair(saturation, likely);
}

/// The first order, and what follows from it without any choice. `likely` is reconciled with what
/// is known.
Attempt::State Attempt::derive(Saturation& saturation, std::vector<std::uint64_t>& likely) {
  Work& w = *work_;
  const Digraph start = whole_graph(p_, w.known, means_.workers);
  if (const auto reason = limit()) return stopped(*reason);
  const bool at_pace = case_.likely.are_places() && p_.times.empty();
  const auto order = reconciled_order(p_, start, at_pace, likely, means_.limits, means_.workers);
  if (const auto reason = limit()) return stopped(*reason);
  if (!order) {
    if (may_refute()) derivation().refute_cycle(shortest_cycle(start));
    return State::impossible;
  }
  established_ = "what the reads tell about the order goes together";
  for (std::uint32_t i = 0; i < order->size(); ++i) w.place[(*order)[i]] = i;
  sort_versions(p_, *order, means_.limits);
  clock_.end("first order");
  if (const auto reason = limit()) return stopped(*reason);
  if (options_.strong.saturation) {
    if (by_window_) {
      w.clocks = clocks_by_window(*order, options_.strong.widest_window, means_.limits);
    }
    w.known_clocks = &w.clocks;
    const auto reason = saturation.run(start, *order);
    established_ =
        "no contradiction among " + std::to_string(w.known.size()) + " derived steps of the order";
    if (reason) return stopped(*reason);
  }
  clock_.end("saturation");
  note(w.known);
  if (means_.statistics != nullptr) {
    count_pairs(w.known_clocks);
    clock_.end("statistics");
  }
  if (saturation.contradiction()) {
    if (may_refute()) derivation().refute(*saturation.contradiction());
    return State::impossible;
  }
  return State::open;
}

/// From the best guess.
Attempt::State Attempt::start_repair(Saturation& saturation,
                                     std::span<const std::uint64_t> likely) {
  Work& w = *work_;
  if (const auto reason = limit()) return stopped(*reason);
  w.graph.emplace(whole_graph(p_, w.known, means_.workers));
  if (const auto reason = limit()) return stopped(*reason);
  Guess guess = best_guess(*w.graph, likely);
  if (by_window_ && w.known_clocks != nullptr && is_complete(guess) && !is_good(guess)) {
    if (const auto reason = saturate_again(saturation, guess)) return stopped(*reason);
    if (saturation.contradiction()) {
      if (may_refute()) derivation().refute(*saturation.contradiction());
      return State::impossible;
    }
  }
  if (guess.order.empty()) return stopped(*means_.limits.get().reached());
  if (!is_complete(guess)) {
    // What was derived last has not been followed to its end.
    if (may_refute()) derivation().refute_cycle(shortest_cycle(*w.graph));
    return State::impossible;
  }
  clock_.end("guess");
  w.rows.emplace(case_.history, case_.accesses, p_);
  w.lists.emplace(case_.history, case_.accesses, p_);
  w.repair.emplace(p_, *w.rows, *w.lists, *w.graph, w.known_clocks, std::move(guess),
                   options_.strong, means_.limits, means_.progress);
  return State::open;
}

Attempt::State Attempt::go_on_with_repair(std::uint64_t conflicts) {
  ISOSCOPE_REQUIRE(work_ && work_->repair);
  Repair& repair = *work_->repair;
  const TurnEnd end = repair.run(conflicts);
  clock_.end("repair");
  note(repair);
  switch (end) {
    case TurnEnd::found:
      ISOSCOPE_ENSURE(!has_no_order_);
      return State::holds;
    case TurnEnd::impossible: {
      if (!may_refute()) return State::impossible;
      Derivation reasons = derivation();
      RepairRefutation(p_, repair, reasons, work_->writer).write();
      return State::impossible;
    }
    case TurnEnd::not_yet:
    case TurnEnd::gave_up:
    case TurnEnd::stopped:
      break;
  }
  if (repair.first_misfits() > 0) {
    established_ = "an order was found in which all but " + std::to_string(repair.first_misfits()) +
                   " reads and writes fit";
  }
  if (const auto reason = limit()) return stopped(*reason);
  return State::open;
}

Attempt::State Attempt::go_on_with_frontiers(std::uint64_t visits) {
  Work& w = *work_;
  ISOSCOPE_REQUIRE(!frontiers_are_over_ && w.repair);
  if (!w.frontiers) {
    w.model.emplace(case_.history, case_.accesses, p_, *w.graph, w.repair->order());
    w.frontiers.emplace(*w.model, means_.limits);
  }
  const std::uint64_t before = w.frontiers->visited();
  const TurnEnd end = w.frontiers->run(visits);
  if (means_.statistics != nullptr) {
    means_.statistics->configurations += w.frontiers->visited() - before;
  }
  clock_.end("frontiers");
  switch (end) {
    case TurnEnd::found:
      return confirm_order();
    case TurnEnd::not_yet:
      return State::open;
    case TurnEnd::stopped:
      return stopped(*means_.limits.get().reached());
    case TurnEnd::impossible:
      if (!may_refute()) return State::impossible;
      has_no_order_ = true;
      for (const Txn t : w.frontiers->lost()) lost_.push_back(p_.ids[t]);
      break;
    case TurnEnd::gave_up:
      break;
  }
  leave_frontiers();
  return State::open;
}

void Attempt::leave_frontiers() {
  frontiers_are_over_ = true;
  if (!work_) return;
  work_->frontiers.reset();
  work_->model.reset();
}

Attempt::State Attempt::go_on_with_beginnings(std::uint64_t conflicts) {
  Work& w = *work_;
  ISOSCOPE_REQUIRE(!beginnings_are_over_ && w.repair);
  if (!w.beginnings) w.beginnings.emplace(p_, w.known, w.repair->order(), means_.limits);
  const TurnEnd end = w.beginnings->run(conflicts);
  ordered_beginning_ = w.beginnings->ordered();
  clock_.end("beginnings");
  switch (end) {
    case TurnEnd::not_yet:
      return State::open;
    case TurnEnd::stopped:
      return stopped(*means_.limits.get().reached());
    case TurnEnd::impossible: {
      if (!may_refute()) return State::impossible;
      Derivation reasons = derivation();
      w.beginnings->refute(reasons, w.writer);
      return State::impossible;
    }
    case TurnEnd::found:  // an order of some transactions says nothing about all of them
    case TurnEnd::gave_up:
      break;
  }
  beginnings_are_over_ = true;
  w.beginnings.reset();
  return State::open;
}

/// The frontiers know nothing of rows that predicates did not return, unless an order got them
/// wrong: then they become reads, and the search begins anew.
Attempt::State Attempt::confirm_order() {
  Work& w = *work_;
  ISOSCOPE_REQUIRE(w.frontiers && w.model && w.rows);
  w.order = w.frontiers->order();
  w.takes_part.assign(p_.size(), 0);
  for (const std::uint32_t event : w.order) w.takes_part[p_.transaction_of(event)] = 1;
  Misfits misfits = replay(p_, w.order, w.takes_part);
  if (!w.rows->empty() &&
      !w.rows->add_wrong_reads(w.order, w.takes_part, means_.limits, misfits.wrong_reads)) {
    return stopped(*means_.limits.get().reached());
  }
  if (misfits.empty()) return State::holds;
  ISOSCOPE_ENSURE(
      misfits.overlaps.empty() &&
      std::ranges::all_of(misfits.wrong_reads, [&](ReadId read) { return p_.is_of_row(read); }));
  w.frontiers.reset();
  frontiers_are_over_ = !w.model->is_complete();
  w.model.reset();
  w.order.clear();
  return State::open;
}

bool Attempt::is_complete(const Guess& guess) const {
  return guess.order.size() == work_->graph->node_count();
}

bool Attempt::is_good(const Guess& guess) const {
  return guess.misfits.size() <= p_.size() / few_misfits;
}

/// A guess costs little, and repairs cost much. If clocks tell when transactions ran, guesses are
/// tried for the moment in between at which they took effect. If nothing tells when they ran, and
/// a window missed much, a guess is made from what was derived. (Where clocks by chains missed
/// nothing, that guess was no better and made checks of 10,000 transactions a tenth slower.)
Guess Attempt::best_guess(const Digraph& graph, std::span<const std::uint64_t> likely) const {
  Guess best = guess_order(p_, graph, likely, means_.limits);
  const auto try_also = [&](const auto& other_times) {
    if (!is_complete(best) || is_good(best)) return;
    Guess other = guess_order(p_, graph, other_times(), means_.limits);
    if (is_complete(other) && other.misfits.size() < best.misfits.size()) best = std::move(other);
  };
  if (case_.likely.are_clocks()) {
    for (const Moment moment : {Moment::end, Moment::begin_of_readers}) {
      try_also([&] { return likely_event_times(case_.likely, p_, moment); });
    }
  } else if (by_window_) {
    try_also([&] { return times_by_depth(graph, best.order); });
  }
  return best;
}

/// A window may have missed something because the order by which it was made was far from right.
/// Clocks by chains may find it: by now so much is known that few chains cover it all.
std::optional<StopReason> Attempt::saturate_again(Saturation& saturation, Guess& guess) {
  Work& w = *work_;
  auto clocks = clocks_through(*w.graph, guess.order, p_.commit(0), w.clocks,
                               2 * options_.strong.most_chains, means_.limits);
  if (!clocks) return limit();
  w.clocks = *std::move(clocks);
  const Digraph start = *std::move(w.graph);
  for (std::uint32_t i = 0; i < guess.order.size(); ++i) w.place[guess.order[i]] = i;
  sort_versions(p_, guess.order, means_.limits);
  const auto reason = saturation.run(start, guess.order);
  clock_.end("saturation");
  if (reason || saturation.contradiction()) return reason;
  w.graph.emplace(whole_graph(p_, w.known, means_.workers));
  if (const auto stop = limit()) return stop;
  guess = best_guess(*w.graph, times_by_depth(start, guess.order));
  return std::nullopt;
}

std::string Attempt::established() const {
  if (ordered_beginning_ == 0) return established_;
  return established_ + "; the first transactions of all sessions, " +
         std::to_string(ordered_beginning_) + " of them, have an order by themselves";
}

/// The limit that was reached, if any. It is asked between phases.
std::optional<StopReason> Attempt::limit() const { return means_.limits.get().reached_now(); }

Attempt::State Attempt::stopped(StopReason reason) {
  stop_reason_ = reason;
  return State::stopped;
}

const std::vector<std::uint8_t>& Attempt::takes_part() const {
  return work_->order.empty() ? work_->repair->takes_part() : work_->takes_part;
}

bool Attempt::took_part(TransactionId t) const {
  const Txn number = p_.number[t.index()];
  return number != none && takes_part()[number] != 0;
}

std::vector<Event> Attempt::order() const {
  ISOSCOPE_REQUIRE(state_ == State::holds);
  std::vector<Event> events;
  for (const std::uint32_t event : work_->order.empty() ? work_->repair->order() : work_->order) {
    if (p_.is_time(event)) continue;
    const Txn t = p_.transaction_of(event);
    if (t == 0 || takes_part()[t] == 0) continue;
    events.push_back({number_of(p_.ids[t]), event == p_.commit(t)});
  }
  return events;
}

AcyclicSolver::Statistics Attempt::statistics() const {
  if (!work_ || !work_->repair) return {};
  return work_->repair->statistics();
}

void Attempt::note(const KnownGraph& known) {
  if (means_.statistics == nullptr) return;
  means_.statistics->derived_edges = known.size();
  means_.statistics->open_reads = static_cast<std::uint64_t>(
      std::ranges::count_if(p_.reads, [](const Read& read) { return read.source == none; }));
}

void Attempt::count_pairs(const Clocks* clocks) const {
  std::uint64_t all = 0;
  for (const KeyId key : p_.keys()) {
    const std::uint64_t count = p_.versions_of(key).size();
    all += count * (count - 1) / 2;
  }
  means_.statistics->writer_pairs = all;
  means_.statistics->pairs_counted = all <= most_pairs;
  means_.statistics->open_writer_pairs = 0;
  if (all > most_pairs) return;
  const auto before = [&](Txn a, Txn b) {
    return clocks != nullptr && clocks->reaches(p_.commit(a), p_.held_from(b));
  };
  for (const KeyId key : p_.keys()) {
    const auto versions = p_.versions_of(key);
    for (std::size_t i = 0; i < versions.size(); ++i) {
      const Txn first = p_.versions[versions[i]].writer;
      for (const VersionId other : versions.subspan(i + 1)) {
        const Txn second = p_.versions[other].writer;
        if (before(first, second) || before(second, first)) continue;
        ++means_.statistics->open_writer_pairs;
      }
    }
  }
}

void Attempt::note(const Repair& repair) {
  if (means_.statistics == nullptr) return;
  means_.statistics->misfits = repair.first_misfits();
  means_.statistics->rounds = repair.rounds();
  means_.statistics->choices = repair.choices().size();
  means_.statistics->unreturned_rows = work_->rows->row_count();
  means_.statistics->row_reads = work_->rows->made();
}

}  // namespace isoscope::strong
