#include "isoscope/shrink/shrink.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "isoscope/check/check.h"
#include "isoscope/report/explanation.h"
#include "shrink/claim.h"
#include "shrink/evidence.h"
#include "shrink/neighbours.h"
#include "shrink/part_history.h"
#include "shrink/plain_reads.h"
#include "shrink/time_only.h"

namespace isoscope {

namespace {

using namespace shrinking;

/// A part with no more transactions than this is not worth a look at the whole history for a
/// smaller one. Such a look costs as much as another check: for 100,000 transactions like TPC-C it
/// took 19 s of 54 s, and a part of 5 did not become smaller by it. So where the history is large a
/// few more will do.
constexpr std::size_t few_transactions = 3;
constexpr std::size_t large_history = 10'000;
constexpr std::size_t few_of_large_history = 8;
/// Reads with more sources than this are not told apart: what they show takes many transactions
/// anyway.
constexpr std::size_t source_counts[] = {1, 2, 4, 8};

/// If all that a refutation speaks of is more than this, it is better to look around what is told
/// of the violation first, this far, one after the other. (100,000 transactions of blindw-pred,
/// where the refutation speaks of 57,561 with what their reads need: 6,421 around what is told
/// violate the level. With 20,000 transactions the refutation is the better start, by far.)
constexpr std::size_t many_transactions = 10'000;
constexpr std::size_t widths[] = {50, 200, 800, 3200};

/// A part that violates the level, and why.
struct Violation {
  Part part;
  PartHistory made;
  Verdict verdict;
  std::optional<report::Explanation> explanation;

  auto size() const { return std::pair(part.size(), operation_count(part)); }
};

class Shrinker {
 public:
  Shrinker(const History& history, Level level, const ShrinkOptions& options)
      : history_(history), level_(level), options_(options) {}

  ShrinkResult run() {
    ShrinkResult result;
    Verdict verdict = judge(history_, options_.progress);
    result.verdict = verdict;
    result.stopped = verdict.stopped;
    if (verdict.answer == Answer::violated) {
      options_.progress.get().phase("shrinking", 0);
      const PartMaker maker(history_);
      const SourceTimes times(history_, maker.needs().index(), options_.clock_skew);
      const PartMaker timed(maker, times);
      const TimeOnly time_only(maker, times);
      maker_ = &maker;
      timed_ = &timed;
      time_only_ = &time_only;
      minimise(verdict);
      result.leans_on_time = !time_only.is_plain(current_.part);
      result.minimal = minimal_;
      result.stopped = stopped_;
      result.history = std::move(current_.made.history);
      result.smallest = std::move(current_.verdict);
    }
    result.checks = checks_;
    return result;
  }

 private:
  Verdict judge(const History& history, Progress& progress) {
    ++checks_;
    CheckOptions options = check_options();
    options.progress = progress;
    options.anomalies = 1;
    options.count_anomalies = false;
    return check(history, level_, options);
  }

  CheckOptions check_options() const {
    return {.limits = options_.limits,
            .clock_skew = options_.clock_skew,
            .indeterminate_cuts = options_.indeterminate_cuts};
  }

  std::optional<report::Explanation> explained(const History& history,
                                               const Verdict& verdict) const {
    if (!verdict.evidence.empty() || !verdict.certificate) return std::nullopt;
    return report::explain(history, *verdict.certificate, options_.limits);
  }

  static const report::Explanation* pointer(const std::optional<report::Explanation>& one) {
    return one ? &*one : nullptr;
  }

  void minimise(const Verdict& verdict) {
    const auto explanation = explained(history_, verdict);
    claim_ = claim_of(verdict, pointer(explanation));
    const Part whole = whole_part(history_);
    std::optional<Violation> start = told_violation(verdict, pointer(explanation));
    const bool is_large = history_.transaction_count() > large_history;
    const std::size_t few = is_large ? few_of_large_history : few_transactions;
    const auto is_small = [&] { return start && start->part.size() <= few; };
    const auto take_smaller = [&](std::optional<Violation> other) {
      const bool smaller = other && !(start && start->size() <= other->size());
      if (smaller) start = std::move(other);
      return smaller;
    };
    if (verdict.evidence.empty() && !is_small()) take_smaller(plain_violation(whole));
    const bool uses_time = verdict.evidence.empty() && sees_all_before(level_);
    if (uses_time && !is_small()) {
      const PartMaker* plain = std::exchange(maker_, timed_);
      if (!take_smaller(told_violation(verdict, pointer(explanation)))) maker_ = plain;
    }
    if (!start) start = violation(whole);
    if (!start) {  // a limit was reached, or without what says nothing it gets another name
      current_.made.history = history_;
      current_.verdict = verdict;
      return;
    }
    current_ = *std::move(start);
    leave_out_all();
    if (uses_time && maker_ != timed_ && current_.part.size() > few_transactions) {
      maker_ = timed_;
      leave_out_all();
    }
    minimal_ = !stopped_;
  }

  /// The violation that the whole history's verdict speaks of, made small.
  std::optional<Violation> told_violation(const Verdict& verdict,
                                          const report::Explanation* explanation) {
    const Origin itself;
    std::optional<Part> told;
    bool looked_around = false;
    for (const auto& evidence : evidence_parts(*maker_, history_, itself, verdict, explanation)) {
      if (should_stop()) break;  // a part may be large
      Part part = evidence();
      std::optional<Violation> found;
      if (told && part.size() > many_transactions && !std::exchange(looked_around, true)) {
        found = violation_around(*told);
      }
      if (!told) told = part;
      if (!found) found = violation(std::move(part));
      if (!found) continue;
      look_at_evidence(*found);
      return found;
    }
    return std::nullopt;
  }

  /// The violation that reads around what is told show.
  std::optional<Violation> violation_around(const Part& told) {
    const Neighbours neighbours(*maker_);
    for (const std::size_t width : widths) {
      if (auto found = violation(neighbours.around(told, width))) return found;
      if (stopped_) break;
    }
    return std::nullopt;
  }

  /// The violation that takes the reads with the fewest sources, made small.
  std::optional<Violation> plain_violation(const Part& whole) {
    for (const std::size_t most : source_counts) {
      auto part = plain_reads(*maker_, whole, most);
      if (!part) return std::nullopt;
      if (auto found = violation(*std::move(part))) {
        look_at_evidence(*found);
        return found;
      }
    }
    return std::nullopt;
  }

  /// Goes on with what the evidence speaks of, for as long as that makes it smaller.
  void look_at_evidence(Violation& of) {
    for (bool smaller = true; smaller && !stopped_;) {
      smaller = false;
      for (const auto& part : evidence_parts(*maker_, of.made.history, of.made.origin, of.verdict,
                                             pointer(of.explanation))) {
        if (should_stop()) return;
        Part less = maker_->sound(common(part(), of.part));
        if (less == of.part) continue;
        if (auto found = violation(std::move(less)); found && found->size() < of.size()) {
          of = *std::move(found);
          smaller = true;
          break;
        }
      }
    }
  }

  bool should_stop() {
    if (!stopped_) stopped_ = options_.limits.get().reached_now();
    return stopped_.has_value();
  }

  /// The sound part of it, if that violates the level in the same way.
  std::optional<Violation> violation(Part part) {
    if (should_stop()) return std::nullopt;
    Violation found;
    found.part = maker_->sound(std::move(part));
    found.made = maker_->make(found.part);
    found.verdict = judge(found.made.history, Progress::silent());
    stopped_ = found.verdict.stopped;
    options_.progress.get().advance(checks_);
    if (found.verdict.answer != Answer::violated) return std::nullopt;
    found.explanation = explained(found.made.history, found.verdict);
    const Claim claim = claim_of(found.verdict, pointer(found.explanation));
    if (!stands_for(claim, claim_)) return std::nullopt;
    if (maker_ == timed_ && !says_no_more_than_time(found)) return std::nullopt;
    return found;
  }

  bool says_no_more_than_time(const Violation& found) {
    if (time_only_->is_plain(found.part)) return true;
    checks_ += 2;
    return time_only_->holds(found.part, found.made.history, check_options());
  }

  /// The units that are left out together.
  using Units = std::vector<std::vector<Unit>>;
  using UnitsOf = Units (Shrinker::*)() const;

  Units sessions() const {
    std::vector<std::vector<Unit>> units(history_.session_count());
    for (const KeptTransaction& kept : current_.part) {
      units[history_.session_of(kept.id).index()].push_back({kept.id});
    }
    std::erase_if(units, [](const std::vector<Unit>& unit) { return unit.empty(); });
    return units;
  }

  Units transactions() const {
    Units units;
    for (const KeptTransaction& kept : current_.part) units.push_back({{kept.id}});
    return units;
  }

  Units operations() const {
    Units units;
    for (const KeptTransaction& kept : current_.part) {
      for (const KeptOperation& one : kept.operations) units.push_back({{kept.id, one.place}});
    }
    return units;
  }

  /// What predicate operations say of single rows.
  Units looks() const {
    Units units;
    for (const KeptTransaction& kept : current_.part) {
      for (const KeptOperation& one : kept.operations) {
        for (const KeyId key : one.looked) {
          units.push_back({{kept.id, one.place, key, true}});
        }
        for (const KeyId key : one.written) units.push_back({{kept.id, one.place, key}});
      }
    }
    return units;
  }

  void leave_out_all() {
    for (bool smaller = true; smaller && !stopped_;) {
      smaller = false;
      look_at_evidence(current_);
      for (const UnitsOf units_of : {&Shrinker::sessions, &Shrinker::transactions,
                                     &Shrinker::operations, &Shrinker::looks}) {
        smaller = leave_out(units_of) || smaller;
      }
    }
  }

  /// Delta debugging: ever smaller runs of units, until no single one can go. The units of a
  /// smaller part are those of the larger one without what was left out, in the same order.
  bool leave_out(UnitsOf units_of) {
    bool any = false;
    Units units = (this->*units_of)();
    for (std::size_t width = std::max<std::size_t>(units.size() / 2, 1); width > 0;) {
      bool smaller = false;
      for (std::size_t first = 0; first < units.size() && !stopped_;) {
        const std::size_t last = std::min(first + width, units.size());
        std::vector<Unit> gone;
        for (std::size_t i = first; i < last; ++i) {
          gone.insert(gone.end(), units[i].begin(), units[i].end());
        }
        if (auto found = violation(without(current_.part, gone))) {
          current_ = *std::move(found);
          units = (this->*units_of)();
          smaller = true;
        } else {
          first = last;
        }
      }
      any = any || smaller;
      if (stopped_) return any;
      if (width > 1 || !smaller) width /= 2;
    }
    return any;
  }

  const History& history_;
  Level level_;
  const ShrinkOptions& options_;
  const PartMaker* maker_ = nullptr;  // the one in use
  const PartMaker* timed_ = nullptr;
  const TimeOnly* time_only_ = nullptr;
  Claim claim_;  // of the history
  Violation current_;
  bool minimal_ = false;
  std::optional<StopReason> stopped_;
  std::uint64_t checks_ = 0;
};

}  // namespace

ShrinkResult shrink(const History& history, Level level, const ShrinkOptions& options) {
  return Shrinker(history, level, options).run();
}

}  // namespace isoscope
