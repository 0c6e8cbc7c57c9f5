#include "check/strong/check_strong.h"

#include <algorithm>
#include <new>

#include "check/strong/derivation.h"
#include "check/strong/guess.h"
#include "check/strong/known_graph.h"
#include "check/strong/list_states.h"
#include "check/strong/phase_clock.h"
#include "check/strong/problem.h"
#include "check/strong/proof_writer.h"
#include "check/strong/repair.h"
#include "check/strong/row_reads.h"
#include "check/strong/ruled_out.h"
#include "check/strong/saturation.h"
#include "check/strong/split_refutation.h"
#include "check/strong/start_order.h"
#include "isoscope/graph/shortest_cycle.h"

namespace isoscope::strong {

namespace {

/// What clocks may take. With more chains, or more memory, what the others would tell is left to
/// repair.
constexpr std::size_t most_chains = 256;
constexpr std::size_t clock_memory = std::size_t{512} << 20;
/// For statistics so many are counted.
constexpr std::uint64_t most_pairs = 100'000'000;
/// After so many conflicts something else is tried.
constexpr std::uint64_t hard_from = 5'000;

class Check {
 public:
  Check(const History& history, const KeyAccesses& accesses, const Rules& rules,
        const CheckOptions& options, std::uint64_t most_conflicts, Verdict& verdict)
      : history_(history),
        accesses_(accesses),
        rules_(rules),
        options_(options),
        most_conflicts_(most_conflicts),
        verdict_(verdict),
        workers_(history.transaction_count() < options.parallel_from ? 1 : options.threads),
        clock_(options.statistics) {}

  void run() {
    takes_part_.assign(history_.transaction_count(), 0);
    for (const TransactionId t : history_.transactions()) {
      takes_part_[t.index()] = history_.outcome(t) != Outcome::aborted ? 1 : 0;
    }
    ruled_out_.emplace(history_, accesses_, verdict_.ruled_out);
    for (const TransactionId t : verdict_.counted_aborted) {
      if (ruled_out_->is_out(t)) takes_part_[t.index()] = 0;
    }
    verdict_.reason = unsupported_reason(history_, accesses_, takes_part_);
    if (!verdict_.reason.empty()) return;
    likely_.emplace(history_, takes_part_, options_.clocks_guide);
    // An order that keeps sessions in order serves as well where that is not asked for, and is
    // easier to find: sessions are chains.
    if (!verdict_.level.session_order) {
      attempt_with_hints(true);
      if (is_done()) return;
    }
    attempt_with_hints(verdict_.level.session_order);
  }

  /// To be called when memory was refused: what was established until then still counts.
  void run_out_of_memory() {
    if (options_.limits != nullptr) options_.limits->memory_was_refused();
    verdict_.answer = Answer::unknown;
    verdict_.certificate.reset();
    stopped(StopReason::memory);
  }

 private:
  /// Where the level is hard to decide, an order by clients' clocks may be easy to find; it serves
  /// as well.
  void attempt_with_hints(bool session_order) {
    const bool has_hints = likely_->are_clocks() && !rules_.real_time;
    attempt(session_order, rules_, has_hints ? hard_from : most_conflicts_);
    if (!has_hints || !gave_up_) return;
    Rules by_clocks = rules_;
    by_clocks.real_time = true;
    const std::string established = established_;
    attempt(session_order, by_clocks, hard_from);
    if (verdict_.stopped) {
      established_ = established;  // the rest was about another question
      return stopped(*verdict_.stopped);
    }
    if (!is_done()) attempt(session_order, rules_, most_conflicts_);
  }

  bool is_done() const { return verdict_.answer == Answer::holds || verdict_.stopped; }

  /// What an attempt before this one found is forgotten. `most_conflicts`: then it gives up; 0:
  /// never.
  void attempt(bool session_order, const Rules& rules, std::uint64_t most_conflicts) {
    verdict_.answer = Answer::unknown;
    verdict_.certificate.reset();
    gave_up_ = false;
    attempted_ = rules;
    conflicts_left_ = most_conflicts;
    established_ = "no single read speaks against it";
    if (const auto reason = build(session_order)) return stopped(*reason);
    clock_.end("problem");
    if (const auto reason = limit()) return stopped(*reason);
    decide();
  }

  std::optional<StopReason> build(bool session_order) {
    ChainCover cover = session_chains(history_, takes_part_, session_order);
    std::unordered_map<std::uint32_t, KeyId> only_reads;
    for (const BadRead& bad : ruled_out_->left_aside()) {
      only_reads.emplace(bad.read.transaction.value, bad.key);
    }
    const ProblemInput input{
        .history = history_,
        .accesses = accesses_,
        .takes_part = takes_part_,
        .likely = *likely_,
        .rules = attempted_,
        .clock_skew = options_.clock_skew,
        .limits = options_.limits,
        .workers = workers_,
        .only_reads = only_reads.empty() ? nullptr : &only_reads,
    };
    const std::size_t most = affordable_chains(cover.members.size());
    cover.tracked = std::min(cover.tracked, most);
    if (const auto reason = build_problem(input, cover, p_)) return reason;
    if (cover.starts.size() <= most) return std::nullopt;
    return build_problem(input, joined_chains(p_, cover, most), p_);
  }

  /// Clocks cost time and memory for every chain and event.
  std::size_t affordable_chains(std::size_t transactions) const {
    const std::size_t events = transactions * (attempted_.one_event ? 1 : 2) + 1;
    std::size_t memory = clock_memory;
    if (options_.limits != nullptr) {
      if (const auto left = options_.limits->memory_left()) memory = std::min(memory, *left / 3);
    }
    const std::size_t none_tracked = VectorClocks::memory(events, 0, events);
    const std::size_t each = VectorClocks::memory(events, 1, events) - none_tracked;
    return std::clamp<std::size_t>((memory - std::min(memory, none_tracked)) / each, 1,
                                   most_chains);
  }

  void decide() {
    const std::size_t time_edges = p_.times.empty() ? 0 : 2 * p_.size();
    KnownGraph known(p_.node_count(), p_.reads.size() + p_.reads.size() / 8 + time_edges);
    VectorClocks clocks;
    Saturation saturation(p_, known, clocks, options_.limits, options_.progress, workers_);
    // Much of the time that a large array takes is the system's, to clear it.
    const std::size_t chains = options_.strong.saturation ? p_.all_chains() : 0;
    workers_.run(2, [&](std::size_t part) {
      if (part == 0) {
        clocks = VectorClocks(p_.node_count(), chains, p_.longest_chain());
      } else {
        saturation.start();
      }
    });
    if (const auto reason = limit()) return stopped(*reason);
    std::vector<std::uint64_t> likely = likely_order(*likely_, p_);
    RuledOut ruled_out = *ruled_out_;  // nothing is written yet
    ProofWriter writer(history_, p_);
    std::vector<std::uint32_t> place(p_.node_count(), 0);
    const VectorClocks* known_clocks = nullptr;
    const auto derivation = [&] {
      return Derivation(history_, p_, known, known_clocks, place, ruled_out, writer);
    };
    {
      const Digraph start = whole_graph(p_, known, workers_);
      if (const auto reason = limit()) return stopped(*reason);
      const bool at_pace = !likely_->are_clocks() && p_.times.empty();
      const auto order = reconciled_order(p_, start, at_pace, likely, options_.limits, workers_);
      if (const auto reason = limit()) return stopped(*reason);
      if (!order) {
        derivation().refute_cycle(shortest_cycle(start));
        return impossible(writer);
      }
      established_ = "what the reads tell about the order goes together";
      for (std::uint32_t i = 0; i < order->size(); ++i) place[(*order)[i]] = i;
      sort_versions(p_, *order, options_.limits);
      clock_.end("first order");
      if (const auto reason = limit()) return stopped(*reason);
      if (options_.strong.saturation) {
        known_clocks = &clocks;
        const auto reason = saturation.run(start, *order);
        established_ = "no contradiction among " + std::to_string(known.size()) +
                       " derived steps of the order";
        if (reason) return stopped(*reason);
      }
      clock_.end("saturation");
    }
    note(known);
    if (options_.statistics != nullptr) {
      count_pairs(known_clocks);
      clock_.end("statistics");
    }
    if (saturation.contradiction()) {
      derivation().refute(*saturation.contradiction());
      return impossible(writer);
    }
    if (const auto reason = limit()) return stopped(*reason);
    const Digraph graph = whole_graph(p_, known, workers_);
    if (const auto reason = limit()) return stopped(*reason);
    Guess guess = guess_order(p_, graph, likely, options_.limits);
    if (guess.order.empty()) return stopped(*options_.limits->reached());
    if (guess.order.size() < graph.node_count()) {
      // What was derived last has not been followed to its end.
      derivation().refute_cycle(shortest_cycle(graph));
      return impossible(writer);
    }
    clock_.end("guess");
    RowReads rows(history_, accesses_, p_);
    ListStates lists(history_, accesses_, p_);
    Repair repair(p_, rows, lists, graph, known_clocks, std::move(guess), options_.strong,
                  conflicts_left_, options_.limits, options_.progress);
    const Repair::Answer answer = repair.run();
    clock_.end("repair");
    note(repair);
    if (options_.statistics != nullptr) {
      options_.statistics->unreturned_rows = rows.row_count();
      options_.statistics->row_reads = rows.made();
    }
    switch (answer) {
      case Repair::Answer::fits:
        return holds(repair);
      case Repair::Answer::impossible: {
        Derivation reasons = derivation();
        SplitRefutation(p_, repair, reasons, writer).write();
        return impossible(writer);
      }
      case Repair::Answer::stopped:
        if (repair.first_misfits() > 0) {
          established_ = "an order was found in which all but " +
                         std::to_string(repair.first_misfits()) + " reads and writes fit";
        }
        if (const auto reason = limit()) return stopped(*reason);
        gave_up_ = true;
    }
  }

  /// Asked between phases.
  std::optional<StopReason> limit() const {
    return options_.limits == nullptr ? std::nullopt : options_.limits->reached_now();
  }

  void holds(const Repair& repair) {
    verdict_.answer = Answer::holds;
    verdict_.counted_committed.clear();
    verdict_.counted_aborted.clear();
    verdict_.ruled_out.clear();
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) != Outcome::indeterminate) continue;
      const Txn number = p_.number[t.index()];
      const bool took_part = number != none && repair.takes_part()[number] != 0;
      (took_part ? verdict_.counted_committed : verdict_.counted_aborted).push_back(t);
    }
    if (!options_.certificate) return;
    Certificate& certificate = start_certificate();
    certificate.holds = true;
    for (const TransactionId t : verdict_.counted_committed) {
      certificate.committed.push_back(number_of(t));
    }
    for (const std::uint32_t event : repair.order()) {
      if (p_.is_time(event)) continue;
      const Txn t = p_.transaction_of(event);
      if (t == 0 || repair.takes_part()[t] == 0) continue;
      certificate.order.push_back({number_of(p_.ids[t]), event == p_.commit(t)});
    }
  }

  void impossible(ProofWriter& writer) {
    verdict_.answer = Answer::violated;
    Certificate& certificate = start_certificate();
    certificate.steps = writer.take();
  }

  Certificate& start_certificate() {
    verdict_.certificate.emplace();
    verdict_.certificate->level = verdict_.level;
    verdict_.certificate->clock_skew = rules_.real_time ? options_.clock_skew : 0;
    return *verdict_.certificate;
  }

  void stopped(StopReason reason) {
    verdict_.stopped = reason;
    verdict_.reason = established_ + "; stopped: " + std::string(name_of(reason));
  }

  void note(const KnownGraph& known) {
    if (options_.statistics == nullptr) return;
    options_.statistics->derived_edges = known.size();
    options_.statistics->open_reads = static_cast<std::uint64_t>(
        std::ranges::count_if(p_.reads, [](const Read& read) { return read.source == none; }));
  }

  void count_pairs(const VectorClocks* clocks) const {
    std::uint64_t all = 0;
    for (std::uint32_t key = 0; key < p_.key_count(); ++key) {
      const std::uint64_t count = p_.versions_of(key).size();
      all += count * (count - 1) / 2;
    }
    options_.statistics->writer_pairs = all;
    options_.statistics->pairs_counted = all <= most_pairs;
    if (all > most_pairs) return;
    const auto before = [&](Txn a, Txn b) {
      return clocks != nullptr && clocks->reaches(p_.commit(a), p_.begin(b));
    };
    for (std::uint32_t key = 0; key < p_.key_count(); ++key) {
      const auto versions = p_.versions_of(key);
      for (std::size_t i = 0; i < versions.size(); ++i) {
        const Txn first = p_.versions[versions[i]].writer;
        for (const std::uint32_t other : versions.subspan(i + 1)) {
          const Txn second = p_.versions[other].writer;
          if (before(first, second) || before(second, first)) continue;
          ++options_.statistics->open_writer_pairs;
        }
      }
    }
  }

  void note(const Repair& repair) {
    if (options_.statistics == nullptr) return;
    const AcyclicSolver::Statistics solver = repair.statistics();
    options_.statistics->misfits = repair.first_misfits();
    options_.statistics->rounds = repair.rounds();
    options_.statistics->choices = repair.choices().size();
    options_.statistics->decisions = solver.decisions;
    options_.statistics->conflicts = solver.conflicts;
  }

  const History& history_;
  const KeyAccesses& accesses_;
  const Rules& rules_;
  const CheckOptions& options_;
  const std::uint64_t most_conflicts_;
  Verdict& verdict_;
  const Workers workers_;
  PhaseClock clock_;
  std::vector<std::uint8_t> takes_part_;
  std::optional<RuledOut> ruled_out_;
  std::optional<LikelyTimes> likely_;
  // Of the present attempt.
  Rules attempted_;
  std::uint64_t conflicts_left_ = 0;
  bool gave_up_ = false;
  std::string established_ = "no single read speaks against it";  // in words
  Problem p_;
};

}  // namespace

void check_strong(const History& history, const KeyAccesses& accesses, const Rules& rules,
                  const CheckOptions& options, Verdict& verdict, std::uint64_t most_conflicts) {
  Check check(history, accesses, rules, options, most_conflicts, verdict);
  try {
    check.run();
  } catch (const std::bad_alloc&) {
    check.run_out_of_memory();
  }
}

}  // namespace isoscope::strong
