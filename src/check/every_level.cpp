#include "isoscope/check/every_level.h"

#include <algorithm>
#include <new>

#include "check/direct/direct_anomalies.h"
#include "check/known_levels.h"
#include "check/shared_reads.h"
#include "check/strong/problem/rules.h"
#include "isoscope/check/first_pass.h"

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
    LevelId::update_atomic,
    LevelId::read_committed,
    LevelId::session_causal,
    LevelId::cursor_stability,
    LevelId::monotonic_snapshot_read,
    LevelId::monotonic_view,
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

/// A question with more conflicts of the solver than this is put off.
constexpr std::uint64_t few_conflicts = 20'000;

bool is_about_time(LevelId level) { return entry_of(level).kind == LevelKind::real_time; }

class Questions {
 public:
  Questions(const History& history, const EveryLevel& options)
      : history_(history),
        options_(options),
        reads_(history),
        with_time_(options.real_time && history.has_times()),
        known_(history, options.also_violated) {}

  Frontier run() {
    std::vector<Level> order;
    for (const LevelId id : order_of_questions) {
      const Level level{id, options_.session_order};
      if (is_in_question(level)) order.push_back(level);
    }
    if (options_.expected) order.push_back(*options_.expected);
    const std::uint64_t most = options_.each.most_conflicts;
    for (const Level level : order) ask(level, most == 0 ? few_conflicts : most);
    if (most == 0) {
      for (const Level level : order) {
        if (was_given_up(level)) ask(level, most);
      }
    }
    return result();
  }

 private:
  bool is_in_question(Level level) const {
    return !is_vacuous(level) && (with_time_ || !is_about_time(level.id));
  }

  void ask(Level level, std::uint64_t most_conflicts) {
    if (known_.consequence(level) || options_.each.limits.get().reached_now()) return;
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
           strong::rules_of(level.id);
  }

  /// What is plain to see among two or three transactions says most about which levels are
  /// violated. So it is looked for once, as soon as something is wrong.
  void look_for_anomalies() {
    if (has_scanned_) return;
    has_scanned_ = true;
    const Level level{with_time_ ? LevelId::strict_serializable : LevelId::serializable,
                      options_.session_order};
    direct::Anomalies found =
        direct::find_anomalies(history_, reads_.accesses(), level, options_.each);
    for (DirectAnomaly& example : found.examples) {
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
    if (auto known = known_.consequence(level)) {
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
    const Level top{with_time_ ? LevelId::strict_serializable : LevelId::serializable,
                    options_.session_order};
    for (Remark& remark : remarks_about(*all.coverage, top, all.indeterminate_cuts, false)) {
      if (std::ranges::find(all.remarks, remark) == all.remarks.end()) {
        all.remarks.push_back(std::move(remark));
      }
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
      for (const Remark& remark : known_[i].remarks) {
        const bool is_new = std::ranges::find(all.remarks, remark) == all.remarks.end();
        if (remark.kind == Remark::Kind::recorder_slip && is_new) all.remarks.push_back(remark);
      }
    }
  }

  const History& history_;
  const EveryLevel& options_;
  SharedReads reads_;
  bool with_time_;
  KnownLevels known_;
  bool has_scanned_ = false;
  std::vector<AnomalyCount> counts_;
};

}  // namespace

Frontier check_every_level(const History& history, const EveryLevel& options) {
  return Questions(history, options).run();
}

}  // namespace isoscope
