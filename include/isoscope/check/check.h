#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// Parts of the engine for strong levels that can be switched off, to see what they are good for.
/// The answer is the same with every combination.
struct StrongTechniques {
  /// Find out first what follows about the order without any choice.
  bool saturation = true;
  /// Try first the value of a choice that agrees with the order guessed so far.
  bool order_guides_polarity = true;
  /// Make a choice only when an order got it wrong, instead of all of them beforehand.
  bool lazy_choices = true;
  /// Give the solver all cycles with up to so many choices beforehand; 0 and 1: none.
  int eager_width = 0;
  /// In turns with the solver, or before it.
  enum class When : std::uint8_t { off, turns, first };
  /// Real time: search all configurations there can be at a time.
  When frontiers = When::turns;
  /// Without real time: look for a contradiction among the first transactions of each session.
  When beginnings = When::turns;
  /// What is known of the order is kept by chain (mostly a chain is a session), unless there are
  /// more chains than this. Then it is kept in a window around each event, which is this many
  /// events wide at most. Tests make both small.
  std::size_t most_chains = 256;
  std::size_t widest_window = 8192;
  /// A question takes turns of several attempts if it has more conflicts of the solver than this.
  /// The solver has some ten thousand in a second, and most histories have fewer than this. Tests
  /// make it small. 0: there is no turn of one attempt alone.
  std::uint64_t first_turn = 5'000;
  /// Beyond the first turn attempts run at once where there are threads (CheckOptions::threads).
  bool race = true;
};

/// How a check went, for benchmarks and the curious.
struct CheckStatistics {
  struct Phase {
    std::string name;
    double seconds = 0;  ///< of processor time
  };
  std::vector<Phase> phases;
  std::uint64_t derived_edges = 0;  ///< of the order, found out without choices
  std::uint64_t open_reads = 0;     ///< reads with several candidates after that
  /// Pairs of transactions that write one key: which is first? All of them, and those of which it
  /// is not known after that. Counted up to a hundred million pairs; beyond, `pairs_counted` is
  /// false.
  std::uint64_t writer_pairs = 0;
  std::uint64_t open_writer_pairs = 0;
  bool pairs_counted = false;
  std::uint64_t unreturned_rows = 0;  ///< that predicates looked at; those of which a read was made
  std::uint64_t row_reads = 0;
  std::uint64_t misfits = 0;  ///< of the first guessed order
  std::uint64_t rounds = 0;   ///< of solving
  std::uint64_t choices = 0;
  std::uint64_t decisions = 0;
  std::uint64_t conflicts = 0;
  /// Of frontiers: those that were met, of all attempts.
  std::uint64_t configurations = 0;
  /// How many threads took turns of attempts at once: 1 unless attempts raced.
  std::uint64_t racing_threads = 1;
};

struct CheckOptions {
  /// Both may be null.
  const Limits* limits = nullptr;
  Progress* progress = nullptr;
  /// 0: as many as there are processors. The answer is the same for any number. A strong level of a
  /// history with fewer than `parallel_from` transactions, and every other level, takes one, but
  /// for questions that are hard: there several attempts run at once, and with two threads or more
  /// it may be another order or another refutation that comes first. It is always the same one with
  /// one thread, with a limit of memory or of conflicts, or without StrongTechniques::race.
  unsigned threads = 1;
  std::size_t parallel_from = 10'000;
  /// Real-time levels: how much the clients' clocks may differ, in ns.
  std::int64_t clock_skew = 0;
  /// Whether an indeterminate transaction cuts its session; nothing: what the history says.
  std::optional<bool> indeterminate_cuts = {};
  /// Strong levels: whether an order is first looked for near what the clients' clocks say. It
  /// changes the time a check takes, never the answer.
  bool clocks_guide = true;
  /// Strong levels: give up after so many conflicts of the solver, as `unknown`; 0: never.
  std::uint64_t most_conflicts = 0;
  /// Whether `holds` at a strong level shall come with its certificate; `violated` always does.
  bool certificate = false;
  /// Where a strong level is violated: so many anomalies of two or three transactions are wanted,
  /// the simplest ones. 0: none is looked for, and the certificate is what the engine found.
  std::size_t anomalies = 0;
  /// Whether these are counted by kind, too. Otherwise the search ends with the simplest kind.
  bool count_anomalies = true;
  StrongTechniques strong = {};
  /// Filled in if not null.
  CheckStatistics* statistics = nullptr;
};

/// Whether indeterminate transactions cut sessions in this check.
inline bool indeterminate_cuts(const History& history, const CheckOptions& options) {
  return options.indeterminate_cuts.value_or(history.indeterminate_cuts());
}

/// Does the history satisfy the level?
///
/// serializable, snapshot-isolation and their real-time variants, valid-reads and cut-isolation are
/// decided, but for what docs/first-pass.md and docs/strong-levels.md say. At every other level the
/// verdict is `violated` when a committed transaction has a read that the level forbids,
/// however the indeterminate transactions ended; else it is `unknown` (check_levels() asks other
/// levels then). A limit that is reached
/// makes it `unknown` too: nothing defaults to `holds`.
Verdict check(const History& history, Level level, const CheckOptions& options = {});

}  // namespace isoscope
