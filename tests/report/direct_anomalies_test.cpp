// Anomalies of two or three transactions that are plain to see (src/check/direct): what is told of
// them is true, and they are told before anything else.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "check/repeated_lists.h"
#include "isoscope/verifier/verify.h"
#include "print_level.h"
#include "reference/random_history.h"
#include "report/explain/brief_text.h"
#include "report/told.h"
#include "report/true_name.h"
#include "test_scale.h"

namespace isoscope::report {
namespace {

/// The verifier, which knows nothing of scans, confirms each refutation; the reference finds that
/// the level is violated, and every other one that forbids what the story is named after; and the
/// name says at least what the anomaly was counted as.
void expect_true(const History& history, Level level, int& told) {
  const Verdict verdict = check(history, level, {.anomalies = 100});
  if (verdict.answer != Answer::violated || !verdict.evidence.empty()) return;
  std::uint64_t counted = 0;
  for (const AnomalyCount& one : verdict.anomalies) counted += one.count;
  ASSERT_EQ(counted, verdict.direct.size());
  for (const DirectAnomaly& one : verdict.direct) {
    Certificate certificate = *verdict.certificate;
    certificate.steps = one.refutation;
    certificate.history_digest = digest(history);
    const auto story = [&] {
      Verdict alone = verdict;
      alone.certificate = certificate;
      return isoscope::text_of(level) + "\n" + reference::text_of(history) + "\n" +
             verdict_text("history", history, alone);
    };
    const auto refusal = verify(history, certificate);
    ASSERT_FALSE(refusal) << refusal->reason << "\n" << story();
    const Explanation explanation = explain(history, certificate);
    ASSERT_EQ(Inspection(history, level).problem(explanation), "") << story();
    ASSERT_TRUE(explanation.whole.anomaly) << story();
    const Anomaly name = *explanation.whole.anomaly;
    const bool is_kind =
        implies(name, one.kind) ||
        // A predicate that is asked twice makes a phantom of it.
        (one.kind == Anomaly::fractured_read && implies(name, Anomaly::predicate_many_preceders));
    ASSERT_TRUE(is_kind) << name_of(name) << " counted as " << name_of(one.kind) << "\n" << story();
    expect_true_name(history, name, story);
    expect_true_name(history, *explanation.whole.cycle_class, story);
    if (testing::Test::HasFatalFailure()) return;
    ++told;
  }
  if (!verdict.direct.empty()) {
    ASSERT_FALSE(reference::satisfies(history, level)) << reference::text_of(history);
  }
}

/// The simplest anomaly is the same whether others are counted or not.
void expect_same_uncounted(const History& history, Level level) {
  const Verdict counted = check(history, level, {.anomalies = 1});
  const Verdict uncounted = check(history, level, {.anomalies = 1, .count_anomalies = false});
  EXPECT_TRUE(uncounted.anomalies.empty());
  ASSERT_EQ(uncounted.direct.size(), counted.direct.size());
  if (counted.direct.empty()) return;
  ASSERT_EQ(uncounted.direct[0].kind, counted.direct[0].kind) << reference::text_of(history);
  ASSERT_EQ(uncounted.direct[0].refutation, counted.direct[0].refutation)
      << reference::text_of(history);
}

class DirectAnomalies : public testing::TestWithParam<Level> {};

TEST_P(DirectAnomalies, AreTrue) {
  const Level level = GetParam();
  Random random(571 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  const reference::RandomFeatures features[] = {
      {.most_transactions = 5, .predicates = false, .appended_once = true},
      {.most_transactions = 5, .appended_once = true},
      {.most_transactions = 5, .predicates = false},
  };
  int told = 0;
  for (int i = 0; i < 3'000 * test_scale(); ++i) {
    const History history = reference::random_history(random, features[i % 3]);
    expect_true(history, level, told);
    expect_same_uncounted(history, level);
    if (HasFatalFailure()) return;
  }
  const test::RepeatedLists lists{.most_transactions = 5, .aborted_percent = 0};
  for (int i = 0; i < 1'000 * test_scale(); ++i) {
    expect_true(test::repeated_list_history(random, lists), level, told);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(told, 20);
}

INSTANTIATE_TEST_SUITE_P(StrongLevels, DirectAnomalies,
                         testing::Values(Level{LevelId::serializable},
                                         Level{LevelId::serializable, false},
                                         Level{LevelId::snapshot_isolation},
                                         Level{LevelId::snapshot_isolation, false},
                                         Level{LevelId::strict_serializable},
                                         Level{LevelId::strong_snapshot_isolation}));

struct Recorded {
  const char* file;
  LevelId level;
  Anomaly name;
  Anomaly cycle_class;
};

class DirectAnomaliesRecorded : public testing::TestWithParam<Recorded> {};

/// Recordings of real databases in which one anomaly of two transactions exists.
TEST_P(DirectAnomaliesRecorded, AreToldFirst) {
  const Recorded& one = GetParam();
  const std::filesystem::path file = std::filesystem::path(ISOSCOPE_HISTORIES_DIR) / one.file;
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const Result<Source> source = Source::open(file.string());
  ASSERT_TRUE(source);
  const Result<History> history = read_history(*source);
  ASSERT_TRUE(history) << history.error().text();
  const Verdict verdict = check(*history, Level{one.level}, {.anomalies = 1});
  ASSERT_EQ(verdict.answer, Answer::violated);
  const Explanation explanation = explain(*history, *verdict.certificate);
  const std::string text = verdict_text(one.file, *history, verdict);
  EXPECT_EQ(explanation.whole.anomaly, one.name) << text;
  EXPECT_EQ(explanation.whole.cycle_class, one.cycle_class) << text;
  EXPECT_FALSE(verify(*history, *certificate_of(verdict, *history)));
  if (verdict.direct.empty()) return;
  EXPECT_EQ(explanation.whole.cycle.size(), 2u) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Databases, DirectAnomaliesRecorded,
    testing::Values(Recorded{"recorded/my-rr-reg-unique.jsonl.zst", LevelId::snapshot_isolation,
                             Anomaly::lost_update, Anomaly::g_single_item},
                    Recorded{"recorded/my-rr-rmw.jsonl.zst", LevelId::snapshot_isolation,
                             Anomaly::lost_update, Anomaly::g_single_item},
                    Recorded{"recorded/my-rr-bank.jsonl.zst", LevelId::snapshot_isolation,
                             Anomaly::lost_update, Anomaly::g_single_item},
                    Recorded{"recorded/pg-ser-rmw-crash.jsonl.zst", LevelId::serializable,
                             Anomaly::lost_update, Anomaly::g_single_item},
                    Recorded{"recorded/pg-rr-skew.jsonl.zst", LevelId::serializable,
                             Anomaly::write_skew, Anomaly::g2_item},
                    Recorded{"recorded/pg-rr-append.jsonl.zst", LevelId::serializable,
                             Anomaly::write_skew, Anomaly::g2_item},
                    Recorded{"elle/paper-example.edn", LevelId::serializable,
                             Anomaly::g_single_item, Anomaly::g_single_item}));

/// A head that people read: not more than 12 lines, whatever there is to tell; all of it on demand.
TEST(BriefText, HasAtMostTwelveLines) {
  const char* const files[] = {"recorded/my-rr-bank.jsonl.zst", "recorded/pg-rr-append.jsonl.zst",
                               "recorded/pg-rr-bank-480.jsonl.zst", "bugs/dgraph-causal.bincode"};
  for (const char* const file : files) {
    const std::filesystem::path path = std::filesystem::path(ISOSCOPE_HISTORIES_DIR) / file;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    const Result<History> history = read_history(*Source::open(path.string()));
    ASSERT_TRUE(history) << history.error().text();
    for (const std::size_t anomalies : {0, 1}) {
      const Verdict verdict =
          check(*history, Level{LevelId::serializable}, {.anomalies = anomalies});
      ASSERT_EQ(verdict.answer, Answer::violated);
      const std::string brief = verdict_text(file, *history, verdict, {.full = false});
      EXPECT_LE(std::ranges::count(brief, '\n'), 12) << brief;
      const std::string head = brief.substr(0, brief.find('\n'));
      EXPECT_TRUE(verdict_text(file, *history, verdict).starts_with(head)) << brief;
    }
  }
}

TEST(BriefText, LeavesOutReferences) {
  EXPECT_EQ(without_references("T1 comes before T2, by (3), (14) and (5), so it was T1."),
            "T1 comes before T2, so it was T1.");
  EXPECT_EQ(without_references("This cannot all be true (by (1) and (2))."),
            "This cannot all be true.");
  EXPECT_EQ(without_references("T1 read x = (by (, by (a)."), "T1 read x = (by (, by (a).");
}

/// Counts of all, stories of those that were asked for; in JSON the same.
TEST(DirectAnomalies, AreCountedAndToldAsManyAsWanted) {
  const History history = history_of(
      "a: T1 w(x,1) | b: T2 r(x,1) w(x,2) | c: T3 r(x,1) w(x,3) | d: T4 r(x,1) w(x,4)\n"
      "e: T5 w(p,1) w(q,1) | f: T6 r(p,1) r(q,nil)");
  const std::pair<std::size_t, std::string> wanted[] = {
      {1, "one shown (--anomalies all)."}, {2, "2 shown (--anomalies all)."}, {9, ""}};
  for (const auto& [most, shown] : wanted) {
    const Verdict verdict = check(history, Level{LevelId::serializable}, {.anomalies = most});
    const std::string text = verdict_text("history", history, verdict, {.full = false});
    const std::string counts =
        "  1 fractured read, 2 lost updates" + std::string(shown.empty() ? "." : "; ");
    EXPECT_NE(text.find(counts + shown + "\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("  3. lost update (G-single-item)") != text.npos, most == 9) << text;
    const std::string json = verdict_json("history", history, verdict);
    EXPECT_NE(json.find(R"("anomalies":[{"anomaly":"fractured-read","count":1},)"
                        R"({"anomaly":"lost-update","count":2}])"),
              std::string::npos)
        << json;
    EXPECT_EQ(json.find(R"("other-stories":[])") != json.npos, most == 1) << json;
  }
}

/// Scans see one version with its readers, not values.
TEST(DirectAnomalies, CountLostUpdatesByVersion) {
  const History history = history_of(
      "a: T1 w(x,1) | b: T2 r(x,1) w(x,2) | c: T3 r(x,1) w(x,3) | d: T4 r(x,1) w(x,4)\n"
      "e: T5 w(y,1) | f: T6 w(y,1) | g: T7 r(y,1) w(y,2) | h: T8 r(y,1) w(y,3)");
  const Verdict verdict = check(history, Level{LevelId::snapshot_isolation}, {.anomalies = 9});
  ASSERT_EQ(verdict.anomalies.size(), 1u);
  EXPECT_EQ(verdict.anomalies.front().kind, Anomaly::lost_update);
  EXPECT_EQ(verdict.anomalies.front().count, 2u);
}

/// No session edge, no -process; whatever the level asks for.
TEST(DirectAnomalies, ClassIsThatOfTheCycle) {
  const History history =
      history_of("a: T1 w(x,1) w(p,1) | b: T2 r(x,1) w(y,1) | c: T3 r(y,1) r(p,nil)");
  for (const bool session_order : {true, false}) {
    const Level level{LevelId::serializable, session_order};
    for (const std::size_t anomalies : {0, 1}) {
      const Verdict verdict = check(history, level, {.anomalies = anomalies});
      const Explanation explanation = explain(history, *verdict.certificate);
      EXPECT_EQ(explanation.whole.anomaly, Anomaly::causality_violation);
      EXPECT_EQ(explanation.whole.cycle_class, Anomaly::g_single_item);
    }
  }
}

}  // namespace
}  // namespace isoscope::report
