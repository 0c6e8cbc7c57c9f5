#include "isoscope/check/several_levels.h"

#include <algorithm>
#include <optional>

#include "check/known_levels.h"
#include "check/shared_reads.h"
#include "check/strong/problem/rules.h"
#include "check/strong_level.h"
#include "check/visible/check_visible.h"
#include "check/weak/check_weak.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/workers.h"

namespace isoscope {

namespace {

/// The attempt is for a level that nobody asked for. So it may take only as long as the solver's
/// first turns.
constexpr std::uint64_t cheap_conflicts = 20'000;

bool is_below_strong(LevelId level) {
  return weak::has_checker(level) || visible::has_checker(level);
}

bool has_engine(Level level) { return strong::rules_of(level.id).has_value(); }

/// Whether other levels may say more about a verdict that came without a certificate: it is
/// unknown, nothing in it shows why the level is violated, or a certificate of `holds` is wanted
/// and there is none.
bool is_open(const Verdict& verdict, bool certificate_is_wanted) {
  switch (verdict.answer) {
    case Answer::unknown:
      return true;
    case Answer::violated:
      return verdict.evidence.empty() && !verdict.certificate;
    case Answer::holds:
      return certificate_is_wanted && !verdict.certificate && is_below_strong(verdict.level.id);
  }
  return false;
}

class Checks {
 public:
  Checks(const History& history, std::span<const Level> levels, const SeveralLevels& options)
      : reads_(history),
        levels_(levels),
        options_(options),
        known_(history, options.also_violated) {}

  std::vector<Verdict> run() {
    check_each();
    for (const Verdict& verdict : verdicts_) known_.add(verdict);
    settle();
    for (Verdict& verdict : verdicts_) attempt(verdict);
    settle();
    ISOSCOPE_ENSURE(verdicts_.size() == levels_.size());
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
      verdicts_[i] = check(reads_, levels_[i], own, levels_.size() == 1);
    });
  }

  bool is_open(const Verdict& verdict) const {
    return isoscope::is_open(verdict, options_.each.certificate);
  }

  void settle() {
    for (Verdict& verdict : verdicts_) {
      if (is_open(verdict)) settle(verdict);
    }
  }

  /// Settles the verdict, which is open, if what is known of other levels does so.
  void settle(Verdict& open) {
    ISOSCOPE_REQUIRE(is_open(open));
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const Verdict& other = known_[i];
      if (other.level == open.level) continue;
      // An answer that is known can only get a better reason.
      const bool is_known = open.answer != Answer::unknown;
      if (is_known && (other.answer != open.answer || is_open(other))) continue;
      if (const auto known = known_.consequence(i, open.level)) {
        return take_over(other, known->why, open);
      }
    }
  }

  void attempt(Verdict& open) {
    if (!is_open(open) || has_engine(open.level)) return;
    const auto level = weakest_strong_level(open.level);
    if (!level) return;
    if (known_.at(*level) == nullptr) {
      if (const auto stopped = options_.each.limits.get().reached_now()) {
        if (open.answer != Answer::unknown || open.stopped) return;
        open.stopped = stopped;
        open.reason += "; stopped: " + std::string(name_of(*stopped));
        return;
      }
      CheckOptions cheap = options_.each;
      cheap.statistics = nullptr;
      cheap.most_conflicts = cheap_conflicts;
      known_.add(check(reads_, *level, cheap, levels_.size() == 1));
    }
    settle(open);
    if (open.answer != Answer::unknown || open.settled_by || open.stopped) return;
    ISOSCOPE_ENSURE(known_.at(*level) != nullptr);
    const Verdict& made = *known_.at(*level);
    open.reason += "; " + text_of(*level) + ", which would imply it, is " +
                   (made.answer == Answer::violated ? "violated" : "undecided: " + made.reason);
  }

  SharedReads reads_;
  const std::span<const Level> levels_;
  const SeveralLevels& options_;
  KnownLevels known_;
  std::vector<Verdict> verdicts_;
};

}  // namespace

std::vector<Verdict> check_levels(const History& history, std::span<const Level> levels,
                                  const SeveralLevels& options) {
  return Checks(history, levels, options).run();
}

}  // namespace isoscope
