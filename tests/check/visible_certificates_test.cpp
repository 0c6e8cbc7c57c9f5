// Certificates of the engine with choices: every kind of step and of hop is written, and without it
// the verifier refuses.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "check/row_history.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "check/unique_values.h"
#include "check/visible_case.h"
#include "isoscope/base/random.h"
#include "print_level.h"
#include "test_scale.h"

namespace isoscope {
namespace {

Certificate certificate_with_digest(const History& history, const Verdict& verdict) {
  const Result<Certificate> made = certificate_of(verdict, history);
  EXPECT_TRUE(made);
  return *made;
}

/// What a step rests on: its kind, and the kinds of its hops.
std::vector<std::string> kinds_of(const ProofStep& step) {
  std::vector<std::string> result = {"step " + std::to_string(static_cast<int>(step.kind))};
  for (const Hop& hop : step.hops) {
    result.push_back("hop " + std::to_string(static_cast<int>(hop.kind)));
  }
  return result;
}

std::string name_of(ProofStep::Kind kind) {
  return "step " + std::to_string(static_cast<int>(kind));
}
std::string name_of(Hop::Kind kind) { return "hop " + std::to_string(static_cast<int>(kind)); }

/// Counts refusals by what was tampered with.
class Tampering {
 public:
  void look_at(const History& history, Level level, const CheckOptions& options) {
    const auto verdict = test::asked_of_visible(history, level, options);
    if (!verdict || !verdict->certificate) return;
    const Certificate good = certificate_with_digest(history, *verdict);
    ASSERT_FALSE(verify(history, good)) << verify(history, good)->reason;
    good.holds ? tamper_with_order(history, good) : tamper_with_steps(history, good);
  }

  int refused(const std::string& what) const {
    const auto at = refused_.find(what);
    return at == refused_.end() ? 0 : at->second;
  }
  int confirmed = 0;

 private:
  bool is_refused(const History& history, const Certificate& bad) {
    return verify(history, bad).has_value();
  }

  /// Each step gives way to one that says only what is known anyway.
  void tamper_with_steps(const History& history, const Certificate& good) {
    ++confirmed;
    for (std::size_t i = 0; i < good.steps.size(); ++i) {
      Certificate bad = good;
      bad.steps[i] = {.kind = ProofStep::Kind::lemma,
                      .literals = {ProofLiteral::order(Event::commit(1), Event::commit(2)),
                                   ProofLiteral::order(Event::commit(2), Event::commit(1))}};
      if (!is_refused(history, bad)) continue;
      for (const std::string& kind : kinds_of(good.steps[i])) ++refused_[kind];
    }
    Certificate other_answer = good;
    other_answer.holds = true;
    other_answer.steps.clear();
    EXPECT_TRUE(is_refused(history, other_answer));
  }

  void tamper_with_order(const History& history, const Certificate& good) {
    ++confirmed;
    Certificate reversed = good;
    std::ranges::reverse(reversed.order);
    refused_["order"] += is_refused(history, reversed) ? 1 : 0;
    if (!good.committed.empty()) {
      Certificate fewer = good;
      fewer.committed.pop_back();
      EXPECT_TRUE(is_refused(history, fewer));
      ++refused_["committed"];
    }
    for (std::size_t i = 0; i < good.sources.size(); ++i) {
      Certificate bad = good;
      bad.sources[i].writer = bad.sources[i].writer == 0 ? 1 : 0;
      refused_["other source"] += is_refused(history, bad) ? 1 : 0;
      bad.sources.erase(bad.sources.begin() + static_cast<std::ptrdiff_t>(i));
      refused_["no source"] += is_refused(history, bad) ? 1 : 0;
    }
  }

  std::map<std::string, int> refused_;
};

CheckOptions with_certificate() {
  CheckOptions options;
  options.certificate = true;
  return options;
}

TEST(VisibleCertificates, EveryKindOfStepMatters) {
  Random random(19);
  Tampering tampering;
  using enum LevelId;
  for (int i = 0; i < 400 * test_scale() && !testing::Test::HasFailure(); ++i) {
    const test::HardFeatures features{.least_transactions = 4,
                                      .most_transactions = 6,
                                      .keys = 2,
                                      .values = 2,
                                      .operations = 6,
                                      .changed_percent = 60,
                                      .sessions_percent = 60,
                                      .doubtful_percent = 30,
                                      .lists = i % 2 == 1};
    const History history = test::HardHistory(random, features).make();
    for (const LevelId level : {causal, update_serializable, monotonic_snapshot_read,
                                cursor_stability, parallel_snapshot_isolation}) {
      tampering.look_at(history, {level, i % 3 != 0}, with_certificate());
    }
  }
  // T1 comes before T2, which overwrites what T1 read, and T3 saw T2 only.
  tampering.look_at(
      test::history_of("a: T1 r(x,nil) w(y,1) | b: T2 w(x,1) | c: T3 r(x,1) r(y,nil)"),
      {update_serializable}, with_certificate());
  // T1 committed since it is in the list that T3 read, so what it read itself counts.
  tampering.look_at(test::history_of("a: T1? r(y,1) r(x,nil) a(l,1) | b: T2 a(l,2) | "
                                     "c: T3 r(l,[1 2]) | d: T4 w(x,1) w(y,1)"),
                    {causal}, with_certificate());
  EXPECT_GE(tampering.confirmed, 500);
  using Step = ProofStep::Kind;
  for (const Step kind : {Step::order, Step::read, Step::from, Step::took, Step::list, Step::member,
                          Step::path, Step::lemma, Step::sees, Step::between}) {
    EXPECT_GE(tampering.refused(name_of(kind)), 1) << name_of(kind);
  }
  for (const Hop::Kind kind : {Hop::Kind::session, Hop::Kind::read, Hop::Kind::overwrite,
                               Hop::Kind::antidependency, Hop::Kind::earlier}) {
    EXPECT_GE(tampering.refused(name_of(kind)), 1) << name_of(kind);
  }
  for (const char* part : {"order", "committed", "other source", "no source"}) {
    EXPECT_GE(tampering.refused(part), 1) << part;
  }
}

// A predicate that left out a row read some version of it. By default that is the latest, and here
// the reader would then know of T1 when it reads y.
TEST(VisibleCertificates, RowsThatWereLeftOutHaveSourcesWhereNeeded) {
  const History history = test::history_of(
      "a: T1 w(x,1) w(y,1) | b: T2 rp(@value > 5, {}) r(y,nil) r(z,1) | c: T3 w(z,1)");
  for (const LevelId level : {LevelId::read_committed, LevelId::read_atomic, LevelId::causal}) {
    const auto verdict = test::asked_of_visible(history, {level}, with_certificate());
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->answer, Answer::holds);
    EXPECT_TRUE(test::is_confirmed(history, *verdict));
  }
}

// Real time is part of the order, and the skew is part of the certificate.
TEST(VisibleCertificates, TimesAndTheirSkewAreShown) {
  const History history = test::history_of(
      "a: T1@1..5 w(x,1) | b: T2@10..15 w(x,2) r(y,1) r(x,2) | c: T3@20..25 w(y,1)");
  for (const std::int64_t skew : {0, 4, 40}) {
    CheckOptions options = with_certificate();
    options.clock_skew = skew;
    const auto verdict = test::asked_of_visible(history, {LevelId::strong_read_committed}, options);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->answer, skew < 5 ? Answer::violated : Answer::holds);
    EXPECT_TRUE(test::is_confirmed(history, *verdict, skew));
    Certificate other = certificate_with_digest(history, *verdict);
    if (verdict->answer == Answer::holds) continue;
    other.clock_skew = 40;
    EXPECT_TRUE(verify(history, other));
  }
}

// Nobody who does not ask pays for a certificate.
TEST(VisibleCertificates, AreWrittenOnlyIfAskedFor) {
  const History history = test::history_of("a: T1 w(x,1) w(y,1) | b: T2 r(y,1) r(x,nil)");
  for (const LevelId level : {LevelId::read_atomic, LevelId::cursor_stability}) {
    EXPECT_FALSE(test::asked_of_visible(history, {level}, {})->certificate);
    EXPECT_TRUE(test::asked_of_visible(history, {level}, with_certificate())->certificate);
  }
}

}  // namespace
}  // namespace isoscope
