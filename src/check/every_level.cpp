#include "isoscope/check/every_level.h"

#include <algorithm>
#include <new>
#include <span>

#include "check/direct/direct_anomalies.h"
#include "check/known_levels.h"
#include "check/shared_reads.h"
#include "check/strong/problem/rules.h"
#include "check/visible/check_visible.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/recorded_levels.h"

namespace isoscope {

namespace {

/// The order of questions. A level comes before those that its answer is likely to settle. If
/// causal is violated, the levels right behind it are settled; if serializable holds, nearly all
/// others.
constexpr LevelId order_of_questions[] = {
    LevelId::valid_reads,
    LevelId::cut_isolation,
    LevelId::causal,
    LevelId::strict_serializable,
    LevelId::serializable,
    LevelId::snapshot_isolation,
    LevelId::strong_snapshot_isolation,
    LevelId::parallel_snapshot_isolation,
    LevelId::prefix_consistency,
    LevelId::update_serializable,
    LevelId::read_atomic,
    LevelId::cursor_stability,
    LevelId::update_atomic,
    LevelId::read_committed,
    LevelId::session_causal,
    LevelId::monotonic_view,
    LevelId::monotonic_snapshot_read,
    LevelId::repeatable_read,
    LevelId::monotonic_atomic_view,
    LevelId::adya_read_committed,
    LevelId::pram,
    LevelId::writes_follow_reads,
    LevelId::monotonic_writes,
    LevelId::monotonic_reads,
    LevelId::read_your_writes,
    LevelId::writes_follow_reads_per_key,
    LevelId::monotonic_writes_per_key,
    LevelId::read_uncommitted,
    LevelId::strong_read_committed,
    LevelId::strong_adya_read_committed,
    LevelId::strong_read_uncommitted,
};
static_assert(std::size(order_of_questions) == level_count);

/// A question with more conflicts of the solver than this is put off; then one with more than that;
/// and in the end as many are granted as the caller allows.
constexpr std::uint64_t granted_conflicts[] = {1'000, 20'000};

bool is_about_time(LevelId level) { return entry_of(level).kind == LevelKind::real_time; }

class Questions {
 public:
  Questions(const History& history, const EveryLevel& options)
      : history_(history),
        options_(options),
        reads_(history),
        with_time_(options.real_time && history.has_times()),
        known_(history, options.also_violated),
        recorded_(recorded_levels_of(history)) {}

  Frontier run() {
    std::vector<Level> order;
    for (const LevelId id : order_of_questions) {
      const Level level{id, options_.session_order};
      if (is_in_question(level)) order.push_back(level);
    }
    // Last, because what is known of other levels may settle it.
    const Level recorded{LevelId::recorded, options_.session_order};
    if (history_.has_recorded_levels()) order.push_back(recorded);
    if (options_.expected && options_.expected != recorded) order.push_back(*options_.expected);
    const std::uint64_t most = options_.each.most_conflicts;
    for (const std::uint64_t granted : granted_conflicts) {
      if (most == 0 || granted < most) ask(order, granted);
    }
    ask(order, most);
    ask_for_stories(order);
    return result();
  }

 private:
  bool is_in_question(Level level) const {
    return !is_vacuous(level) && (with_time_ || !is_about_time(level.id));
  }

  /// Asks what was not asked before, and what was given up.
  void ask(std::span<const Level> order, std::uint64_t most_conflicts) {
    for (const Level level : order) {
      if (consequence(level) || options_.each.limits.get().reached_now()) continue;
      if (known_.at(level) == nullptr || was_given_up(level)) check_at(level, most_conflicts);
    }
  }

  /// Some levels are refuted by a sentence only. Where the weakest of those that are violated has
  /// no more than that, the strongest level is asked, though it is known to be violated: its
  /// refutation may be a story that shows both.
  void ask_for_stories(std::span<const Level> order) {
    std::vector<LevelId> violated;
    for (const Level level : order) {
      const auto known = level.id == LevelId::recorded ? std::nullopt : known_.consequence(level);
      if (known && known->answer == Answer::violated) violated.push_back(level.id);
    }
    const auto has_story = [&](LevelId id) {
      for (std::size_t i = 0; i < known_.size(); ++i) {
        const bool is_told = !known_[i].evidence.empty() ||
                             (known_[i].certificate && strong::rules_of(known_[i].level.id));
        if (is_told && known_.consequence(i, {id, options_.session_order})) return true;
      }
      return false;
    };
    const Level top = top_level();
    const auto asked = [&](const Verdict* verdict) {
      return verdict != nullptr && verdict->direct.empty();
    };
    if (asked(known_.at(top)) || options_.each.limits.get().reached_now()) return;
    if (!std::ranges::all_of(weakest_of(violated), has_story)) {
      check_at(top, granted_conflicts[0]);
    }
  }

  Level top_level() const {
    return {with_time_ ? LevelId::strict_serializable : LevelId::serializable,
            options_.session_order};
  }

  void check_at(Level level, std::uint64_t most_conflicts) {
    CheckOptions one = options_.each;
    CheckStatistics statistics;
    one.anomalies = 0;
    one.most_conflicts = most_conflicts;
    one.statistics = options_.statistics == nullptr ? nullptr : &statistics;
    // What one level shows may settle another one, so it must not depend on which thread is quick.
    one.strong.race = one.strong.race && most_conflicts == 0;
    Verdict verdict = check(reads_, level, one, false);
    if (options_.statistics != nullptr) options_.statistics->emplace_back(level, statistics);
    const bool has_cycle = verdict.answer == Answer::violated && verdict.evidence.empty();
    known_.add(std::move(verdict));
    if (has_cycle) look_for_anomalies();
  }

  /// Was the level asked, and is it unknown because it has more conflicts than it was granted?
  bool was_given_up(Level level) const {
    const Verdict* const verdict = known_.at(level);
    return verdict != nullptr && verdict->answer == Answer::unknown && !verdict->stopped &&
           (strong::rules_of(level.id) || visible::has_checker(level.id) ||
            level.id == LevelId::recorded);
  }

  std::optional<KnownLevels::Consequence> consequence(Level level) {
    return level.id == LevelId::recorded ? consequence_of_recorded(level)
                                         : known_.consequence(level);
  }

  /// Besides the verdict on the recorded levels themselves: a level that implies them all and
  /// holds, or one that they all imply and that is violated.
  std::optional<KnownLevels::Consequence> consequence_of_recorded(Level level) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const Verdict& other = known_[i];
      if (other.answer == Answer::unknown) continue;
      if (other.level == level) return KnownLevels::Consequence{i, other.answer, ""};
      if (recorded_.without != 0 || recorded_.levels().empty()) continue;
      const bool settles = std::ranges::all_of(recorded_.levels(), [&](LevelId id) {
        const Level its{id, level.session_order};
        return other.answer == Answer::holds ? implies(other.level, its)
                                             : implies(its, other.level);
      });
      if (!settles) continue;
      return KnownLevels::Consequence{
          i, other.answer,
          text_of(other.level) + (other.answer == Answer::holds
                                      ? " holds, and implies every level that was recorded"
                                      : " is violated, and every level that was recorded implies "
                                        "it")};
    }
    return std::nullopt;
  }

  /// What is plain to see among two or three transactions says most about which levels are
  /// violated. So it is looked for once, as soon as something is wrong.
  void look_for_anomalies() {
    if (has_scanned_ || reads_.collect_accesses(options_.each)) return;
    has_scanned_ = true;
    const Level level = top_level();
    direct::Anomalies found =
        direct::find_anomalies(history_, reads_.accesses(), level, options_.each);
    for (DirectAnomaly& example : found.examples) {
      ISOSCOPE_ENSURE(!example.refutation.empty());
      Verdict verdict{.level = level, .answer = Answer::violated};
      verdict.certificate.emplace();
      verdict.certificate->level = level;
      verdict.certificate->clock_skew = with_time_ ? options_.each.clock_skew : 0;
      verdict.certificate->indeterminate_cuts = indeterminate_cuts(history_, options_.each);
      verdict.certificate->steps = example.refutation;
      verdict.coverage = reads_.coverage();
      verdict.clock_skew = options_.each.clock_skew;
      verdict.indeterminate_cuts = verdict.certificate->indeterminate_cuts;
      verdict.direct.push_back(std::move(example));
      known_.add(std::move(verdict));
    }
    counts_ = std::move(found.counts);
  }

  Frontier result() {
    Frontier all;
    for (const LevelEntry& entry : levels()) {
      const Level level{entry.id, options_.session_order};
      if (is_in_question(level)) {
        all.levels.push_back(answer_at(level));
      } else if (is_about_time(entry.id)) {
        all.left_out.push_back(entry.id);
      }
    }
    if (options_.expected) all.expected = answer_at(*options_.expected);
    if (history_.has_recorded_levels()) {
      all.recorded = answer_at({LevelId::recorded, options_.session_order});
    }
    try {
      add_findings(all);
    } catch (const std::bad_alloc&) {
      // All levels are unknown then, with this reason.
    }
    all.anomalies = std::move(counts_);
    all.clock_skew = options_.each.clock_skew;
    all.coverage = reads_.coverage();
    all.indeterminate_cuts = indeterminate_cuts(history_, options_.each);
    add_remarks(all);
    all.verdicts = known_.take();
    return all;
  }

  LevelAnswer answer_at(Level level) {
    LevelAnswer answer{.level = level};
    if (auto known = consequence(level)) {
      answer.answer = known->answer;
      answer.verdict = known->from;
      if (known_[known->from].level != level) answer.why = std::move(known->why);
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (answer.answer == Answer::violated && known_.consequence(i, level)) {
        answer.shown_by.push_back(i);
      }
      if (answer.answer != Answer::unknown || known_[i].level != level) continue;
      answer.verdict = i;
      answer.reason = known_[i].reason;
    }
    if (answer.answer == Answer::unknown && !answer.verdict) {
      const auto stopped = options_.each.limits.get().reached_now();
      ISOSCOPE_ENSURE(stopped.has_value());
      answer.reason = "not asked any more: " + std::string(name_of(*stopped));
    }
    return answer;
  }

  /// The bad reads of any level, with those transactions left out that have one which every level
  /// forbids.
  void add_findings(Frontier& all) {
    const FirstPassResult& pass =
        reads_.first_pass(ReadFindings::forbidden_by({LevelId::valid_reads}), options_.each);
    all.findings = pass.findings;
    if (!pass.stopped) all.remarks = remarks_about(history_, pass);
  }

  void add_remarks(Frontier& all) {
    ISOSCOPE_REQUIRE(all.coverage);
    std::vector<Level> about = {top_level()};
    if (all.recorded) about.push_back(all.recorded->level);
    for (const Level level : about) {
      for (Remark& remark : remarks_about(*all.coverage, level, all.indeterminate_cuts, false)) {
        if (std::ranges::find(all.remarks, remark) == all.remarks.end()) {
          all.remarks.push_back(std::move(remark));
        }
      }
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
      for (const Remark& remark : known_[i].remarks) {
        const bool is_new = std::ranges::find(all.remarks, remark) == all.remarks.end();
        const bool matters =
            remark.kind == Remark::Kind::recorder_slip || remark.kind == Remark::Kind::assumption;
        if (matters && is_new) all.remarks.push_back(remark);
      }
    }
  }

  const History& history_;
  const EveryLevel& options_;
  SharedReads reads_;
  bool with_time_;
  KnownLevels known_;
  const RecordedLevels recorded_;
  bool has_scanned_ = false;
  std::vector<AnomalyCount> counts_;
};

}  // namespace

Frontier check_every_level(const History& history, const EveryLevel& options) {
  return Questions(history, options).run();
}

}  // namespace isoscope
