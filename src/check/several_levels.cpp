#include "isoscope/check/several_levels.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "check/strong/problem/rules.h"
#include "check/weak/check_weak.h"
#include "isoscope/base/workers.h"

namespace isoscope {

namespace {

/// The attempt is for a level that nobody asked for. So it may take only as long as the solver's
/// first turns.
constexpr std::uint64_t cheap_conflicts = 20'000;

bool has_engine(Level level) { return strong::rules_of(level.id).has_value(); }

/// Whether other levels may say more about a verdict that came without a certificate: it is
/// unknown, nothing in it shows why the level is violated, or a certificate of `holds` is wanted
/// from a checker that writes none.
bool is_open(const Verdict& verdict, bool certificate_is_wanted) {
  switch (verdict.answer) {
    case Answer::unknown:
      return true;
    case Answer::violated:
      return verdict.evidence.empty() && !verdict.certificate;
    case Answer::holds:
      return certificate_is_wanted && !verdict.certificate && weak::has_checker(verdict.level.id);
  }
  return false;
}

/// The weakest level with an engine that implies this one; nothing if there is none.
std::optional<Level> attempt_for(Level level) {
  std::vector<LevelId> stronger;
  for (const strong::Rules& rules : strong::all_rules) {
    if (implies(Level{rules.level, level.session_order}, level)) stronger.push_back(rules.level);
  }
  const std::vector<LevelId> weakest = weakest_of(stronger);
  if (weakest.empty()) return std::nullopt;
  return Level{weakest.front(), level.session_order};
}

bool has_predicates(const History& history) {
  for (const TransactionId t : history.transactions()) {
    if (std::ranges::any_of(history.operations(t), &Operation::is_predicate)) return true;
  }
  return false;
}

/// What is known of a history at several levels.
class Known {
 public:
  Known(const History& history, const SeveralLevels& options)
      : history_(history), options_(options) {}

  bool is_open(const Verdict& verdict) const {
    return isoscope::is_open(verdict, options_.each.certificate);
  }
  void add(const Verdict& verdict) { entries_.push_back({verdict, {}}); }

  const Verdict* at(Level level) const {
    for (const Entry& entry : entries_) {
      if (entry.verdict.level == level) return &entry.verdict;
    }
    return nullptr;
  }

  /// Settles the verdict, which is open, if what is known of other levels does so.
  void settle(Verdict& open) {
    const std::string level = text_of(open.level);
    for (Entry& entry : entries_) {
      const Verdict& other = entry.verdict;
      if (other.level == open.level) continue;
      // An answer that is known can only get a better reason.
      const bool is_known = open.answer != Answer::unknown;
      if (is_known && (other.answer != open.answer || is_open(other))) continue;
      const std::string name = text_of(other.level);
      if (other.answer == Answer::holds && implies(other.level, open.level)) {
        return take_over(other, name + " holds, and implies " + level, open);
      }
      if (other.answer != Answer::violated) continue;
      if (implies(open.level, other.level)) {
        return take_over(other, name + " is violated, and " + level + " implies it", open);
      }
      if (implies(as_here(open.level), other.level)) {
        return take_over(
            other, name + " is violated, and " + level + " is the same without predicates", open);
      }
      if (violates_also(entry, open.level)) {
        return take_over(other, "what violates " + name + " violates " + level + ", too", open);
      }
    }
  }

 private:
  struct Entry {
    Verdict verdict;
    std::optional<std::vector<LevelId>> also_violated;
  };

  /// Two levels differ from others only where there are predicates (docs/levels.md).
  Level as_here(Level level) {
    LevelId without_predicates = level.id;
    if (level.id == LevelId::repeatable_read) without_predicates = LevelId::serializable;
    if (level.id == LevelId::monotonic_atomic_view) without_predicates = LevelId::read_committed;
    if (without_predicates == level.id) return level;
    if (!has_predicates_) has_predicates_ = has_predicates(history_);
    return *has_predicates_ ? level : Level{without_predicates, level.session_order};
  }

  /// A story rules out levels with session order only.
  bool violates_also(Entry& entry, Level level) {
    // Every level has been asked about single reads before.
    const bool has_story = entry.verdict.certificate && entry.verdict.evidence.empty();
    if (!options_.also_violated || !level.session_order || !has_story) return false;
    if (!entry.also_violated) entry.also_violated = options_.also_violated(entry.verdict);
    return std::ranges::count(*entry.also_violated, level.id) != 0;
  }

  static void take_over(const Verdict& from, const std::string& why, Verdict& to) {
    const Level level = to.level;
    to = from;
    to.level = level;
    to.settled_by = from.level;
    to.remarks =
        remarks_about(*to.coverage, level, to.indeterminate_cuts, to.answer == Answer::violated);
    for (const Remark& remark : from.remarks) {
      if (remark.kind == Remark::Kind::recorder_slip) to.remarks.push_back(remark);
    }
    const bool certified = to.certificate && settles(*to.certificate, level);
    to.remarks.push_back(
        {Remark::Kind::implied,
         "This follows: " + why +
             (certified ? ". The certificate is of " + text_of(from.level) + "." : ".")});
  }

  const History& history_;
  const SeveralLevels& options_;
  std::optional<bool> has_predicates_;  // found out when that is asked
  std::deque<Entry> entries_;
};

class Checks {
 public:
  Checks(const History& history, std::span<const Level> levels, const SeveralLevels& options)
      : history_(history), levels_(levels), options_(options), known_(history, options) {}

  std::vector<Verdict> run() {
    check_each();
    for (const Verdict& verdict : verdicts_) known_.add(verdict);
    settle();
    for (Verdict& verdict : verdicts_) attempt(verdict);
    settle();
    return std::move(verdicts_);
  }

 private:
  void check_each() {
    verdicts_.resize(levels_.size());
    if (options_.statistics != nullptr) options_.statistics->resize(levels_.size());
    // Cheap levels come first, so that their answers are there when a limit is reached.
    std::vector<std::size_t> order;
    for (const bool engine : {false, true}) {
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        if (has_engine(levels_[i]) == engine) order.push_back(i);
      }
    }
    const bool at_once = options_.at_once && levels_.size() > 1;
    CheckOptions each = options_.each;
    // The story of one level may settle another one, so it must not depend on which thread is
    // quick.
    if (levels_.size() > 1) each.strong.race = false;
    if (at_once) {
      each.threads = 1;
      each.progress = Progress::silent();
    }
    Workers(at_once ? options_.each.threads : 1).run(order.size(), [&](std::size_t n) {
      const std::size_t i = order[n];
      CheckOptions own = each;
      own.statistics = options_.statistics == nullptr ? nullptr : &(*options_.statistics)[i];
      verdicts_[i] = check(history_, levels_[i], own);
    });
  }

  void settle() {
    for (Verdict& verdict : verdicts_) {
      if (known_.is_open(verdict)) known_.settle(verdict);
    }
  }

  void attempt(Verdict& open) {
    if (!known_.is_open(open) || has_engine(open.level)) return;
    const auto level = attempt_for(open.level);
    if (!level) return;
    if (known_.at(*level) == nullptr) {
      if (options_.each.limits.get().reached_now()) return;
      CheckOptions cheap = options_.each;
      cheap.statistics = nullptr;
      cheap.most_conflicts = cheap_conflicts;
      known_.add(check(history_, *level, cheap));
    }
    known_.settle(open);
    if (open.answer != Answer::unknown || open.settled_by || open.stopped) return;
    const Verdict& made = *known_.at(*level);
    open.reason += "; " + text_of(*level) + ", which would imply it, is " +
                   (made.answer == Answer::violated ? "violated" : "undecided: " + made.reason);
  }

  const History& history_;
  const std::span<const Level> levels_;
  const SeveralLevels& options_;
  Known known_;
  std::vector<Verdict> verdicts_;
};

}  // namespace

std::vector<Verdict> check_levels(const History& history, std::span<const Level> levels,
                                  const SeveralLevels& options) {
  return Checks(history, levels, options).run();
}

}  // namespace isoscope
