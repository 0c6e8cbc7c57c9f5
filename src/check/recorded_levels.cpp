#include "check/recorded_levels.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "check/strong/problem/phase_clock.h"
#include "check/strong/proof/ruled_out.h"
#include "check/visible/check_visible.h"
#include "check/visible/rows_of_readers.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/words.h"
#include "isoscope/history/recorded_levels.h"

namespace isoscope {

namespace {

/// Small histories are no trouble to the engine, and it says of each reader what its level demands.
constexpr std::size_t attempt_from = 500;
/// What a level that nobody asked for may take.
constexpr std::uint64_t conflicts_of_attempt = 5'000;

/// The levels that all of these imply, but for those that another one of them implies.
std::vector<LevelId> strongest_below(std::span<const LevelId> levels) {
  std::vector<LevelId> below;
  for (const LevelEntry& entry : isoscope::levels()) {
    const bool is_below =
        std::ranges::all_of(levels, [&](LevelId level) { return implies(level, entry.id); });
    if (is_below && implies(entry.id, LevelId::adya_read_committed)) below.push_back(entry.id);
  }
  std::erase_if(below, [&, all = below](LevelId level) {
    return std::ranges::any_of(
        all, [&](LevelId other) { return other != level && implies(other, level); });
  });
  return below;
}

std::vector<LevelId> weakest_above(std::span<const LevelId> levels) {
  std::vector<LevelId> above;
  for (const LevelEntry& entry : isoscope::levels()) {
    const bool is_above =
        std::ranges::all_of(levels, [&](LevelId level) { return implies(entry.id, level); });
    if (is_above) above.push_back(entry.id);
  }
  return weakest_of(above);
}

}  // namespace

Verdict RecordedCheck::run(Level level) {
  ISOSCOPE_REQUIRE(level.id == LevelId::recorded);
  verdict_ = Verdict{.level = level};
  const RecordedLevels recorded = recorded_levels_of(reads_.history());
  levels_ = recorded.levels();
  if (recorded.transactions == 0) {
    levels_ = {LevelId::adya_read_committed};  // of nothing every level holds
  } else if (recorded.without != 0) {
    const std::string first = reads_.history().label(*recorded.first_without);
    verdict_.reason =
        first +
        (recorded.without == 1
             ? " does not"
             : " and " + counted(recorded.without - 1, "other transaction") + " do not") +
        " say at which level " + (recorded.without == 1 ? "it" : "they") + " ran";
    return verdict_;
  }
  if (levels_.size() == 1) {
    settle_by({levels_.front(), level.session_order}, Answer::unknown, options_);
  } else if (!refuse() && !settle_by_other_levels()) {
    decide();
  }
  return std::move(verdict_);
}

/// Says why the levels cannot be mixed, if so.
bool RecordedCheck::refuse() {
  for (const TransactionId t : reads_.history().transactions()) {
    const auto level = reads_.history().recorded_level(t);
    if (!level || reads_.history().outcome(t) == Outcome::aborted) continue;
    const std::string_view why = visible::why_not_mixed(*level);
    if (why.empty()) continue;
    verdict_.reason = reads_.history().label(t) + " ran at " + std::string(name_of(*level)) +
                      ", which cannot be mixed with other levels: " + std::string(why);
    return true;
  }
  return false;
}

bool RecordedCheck::settle_by_other_levels() {
  const History& history = reads_.history();
  if (std::max(history.transaction_count(), history.key_count()) < attempt_from) return false;
  const bool session_order = verdict_.level.session_order;
  CheckOptions cheap = options_;
  cheap.anomalies = 0;
  cheap.most_conflicts = conflicts_of_attempt;
  cheap.strong.race = false;  // so that the witness does not depend on which thread is quick
  for (const LevelId weaker : strongest_below(levels_)) {
    if (settle_by({weaker, session_order}, Answer::violated, cheap)) return true;
  }
  for (const LevelId stronger : weakest_above(levels_)) {
    if (settle_by({stronger, session_order}, Answer::holds, cheap)) return true;
  }
  return false;
}

/// Takes over the other level's verdict if its answer is the given one, or whatever it is if that
/// is `unknown`. Then, or if a limit was reached, nothing is left to do.
bool RecordedCheck::settle_by(Level other, Answer answer, const CheckOptions& options) {
  Verdict settled = ask_(other, options);
  if (answer != Answer::unknown && settled.answer != answer) {
    verdict_.stopped = settled.stopped;
    if (settled.stopped) verdict_.reason = settled.reason;
    return settled.stopped.has_value();
  }
  const Level level = verdict_.level;
  verdict_ = std::move(settled);
  verdict_.level = level;
  if (verdict_.answer != Answer::unknown && !verdict_.settled_by) verdict_.settled_by = other;
  return true;
}

void RecordedCheck::decide() {
  const History& history = reads_.history();
  if (history.has_updates()) {
    verdict_.reason = "updates are not decided yet where transactions ran at several levels";
    return;
  }
  strong::PhaseClock clock(options_.statistics);
  // All levels that can be mixed forbid the same bad reads but for those that do not repeat. They
  // rule out indeterminate transactions; the rest is the engine's.
  const FirstPassResult& pass =
      reads_.first_pass(ReadFindings::forbidden_by({LevelId::adya_read_committed}), options_);
  clock.end("first pass");
  const auto stop = [&](StopReason why) {
    verdict_.stopped = why;
    verdict_.reason = "stopped before all reads were looked at: " + std::string(name_of(why));
  };
  if (pass.stopped) return stop(*pass.stopped);
  verdict_.counted_committed = pass.counted_committed;
  verdict_.counted_aborted = pass.counted_aborted;
  verdict_.ruled_out = pass.ruled_out;
  const auto forbidden_to = [&](TransactionId reader) {
    return ReadFindings::forbidden_by({*history.recorded_level(reader)});
  };
  std::ranges::copy_if(pass.findings, std::back_inserter(verdict_.evidence),
                       [&](const BadRead& finding) {
                         return finding.refutes(forbidden_to(finding.read.transaction));
                       });
  if (!verdict_.evidence.empty()) {
    verdict_.answer = Answer::violated;
    if (options_.certificate) {
      verdict_.certificate = strong::refute_by_read(history, reads_.accesses(), verdict_, options_);
    }
    return;
  }
  const auto undecided = std::ranges::find_if(pass.undecided, [&](const UndecidedRead& read) {
    return ReadFindings::forbidden_by({LevelId::adya_read_committed}).has(read.kind);
  });
  if (undecided != pass.undecided.end()) {
    verdict_.reason = text_of(history, *undecided);
  } else if (const auto stopped = reads_.collect_accesses(options_)) {
    stop(*stopped);
  } else {
    visible::check_visible(history, reads_.accesses(), options_, verdict_);
  }
}

}  // namespace isoscope
