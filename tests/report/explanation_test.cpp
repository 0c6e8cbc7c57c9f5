#include "isoscope/report/explanation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "golden.h"
#include "isoscope/base/json_reader.h"
#include "report/told.h"

namespace isoscope::report {
namespace {

struct Told {
  const char* name;
  const char* level;
  Anomaly anomaly;
  const char* litmus;
};

constexpr Told told[] = {
    {"write-skew", "serializable", Anomaly::write_skew,
     "a: T1 r(x,nil) r(y,nil) w(y,1) | b: T2 r(x,nil) r(y,nil) w(x,1)"},
    {"long-fork", "snapshot-isolation", Anomaly::long_fork,
     "a: T1 w(x,1) | b: T2 w(y,1) | c: T3 r(x,1) r(y,nil) | d: T4 r(y,1) r(x,nil)"},
    {"lost-update", "snapshot-isolation", Anomaly::lost_update,
     "a: T1 w(x,1) | b: T2 r(x,1) w(x,2) | c: T3 r(x,1) w(x,3)"},
    {"read-skew", "snapshot-isolation", Anomaly::g_single_item,
     "a: T1 r(x,nil) a(l,1) | b: T2 a(l,2) w(x,1) | c: T3 r(l,[2 1])"},
    {"fractured-read", "serializable", Anomaly::fractured_read,
     "initial none\na: T1 w(x,1) w(y,1) ; T2 w(x,2) w(y,2) | b: T3 r(y,1) r(x,2)"},
    {"causality", "serializable", Anomaly::causality_violation,
     "a: post w(x,1) | b: reply r(x,1) w(y,1) | c: reader r(x,nil) r(y,1)"},
    {"write-cycle", "serializable", Anomaly::g0,
     "a: T1 a(x,1) a(y,1) | b: T2 a(x,2) a(y,2) | c: T3 r(x,[1 2]) | d: T4 r(y,[2 1])"},
    {"missing-your-writes", "serializable", Anomaly::missing_your_writes,
     "alice: T1 w(x,1) ; T2 w(z,1) ; T3 r(x,nil)"},
    {"non-monotonic-reads", "serializable", Anomaly::non_monotonic_reads,
     "a: T1 w(x,1) ; T2 w(x,2) | b: T3 r(x,2) ; T4 r(x,1)"},
    {"real-time", "strict-serializable", Anomaly::g_single_item_realtime,
     "a: T1@100..200 w(x,1) | b: T2@300..400 r(x,nil)"},
    {"two-sources", "serializable", Anomaly::fractured_read,
     "a: T1 w(x,1) w(y,1) | b: T2 w(x,1) w(z,1) | c: T3 r(y,nil) r(z,nil) r(x,1)"},
    {"two-orders", "serializable", Anomaly::g2_item,
     "r(z,29) w(u,34) w(y,16) | r(x,1) r(u,34) | w(y,14) | w(z,29) | w(x,1) w(z,25) r(y,14) | "
     "r(z,29) w(x,8) w(u,35) r(y,14)"},
    {"indeterminate", "snapshot-isolation", Anomaly::lost_update,
     "a: T1? r(x,nil) w(x,1) | b: T2 r(x,nil) w(x,2) | c: T3 r(x,1)"},
    {"phantom-by-insert", "serializable", Anomaly::phantom,
     "a: T1 i(x,{v:12}) | b: T2 rp(v >= 10, {}) rp(v >= 10, {x:{v:12}})"},
    {"phantom-by-delete", "serializable", Anomaly::phantom,
     "initial none x={v:12}\na: T1 d(x) | b: T2 rp(v >= 10, {x:{v:12}}) rp(v >= 10, {})"},
    {"phantom-into-range", "snapshot-isolation", Anomaly::phantom,
     "initial none x={v:5}\n"
     "a: T1 w(x,{v:12}) | b: T2 rp(v >= 10, {}) rp(v >= 10, {x:{v:12}})"},
    {"phantom-out-of-range", "serializable", Anomaly::phantom,
     "initial none x={v:12}\n"
     "a: T1 wp(v = 12, {x:{v:5}}) | b: T2 rp(v >= 10, {x:{v:12}}) rp(v >= 10, {})"},
    {"predicate-many-preceders", "serializable", Anomaly::predicate_many_preceders,
     "a: T1 i(x,30) | b: T2 rp(@value = 30, {}) rp(mod(@value,3) = 0, {x:30})"},
    {"missed-by-predicate-write", "snapshot-isolation", Anomaly::predicate_many_preceders,
     "initial none x=5\na: T1 w(x,12) w(y,1) | b: T2 wp(@value >= 10, {}) r(y,1)"},
    {"several-not-selected", "serializable", Anomaly::g2_process,
     "initial nil x=1\na: T1 w(x,2) ; T2 w(x,12) w(y,1) ; T3 w(x,3) w(z,1)\n"
     "b: T4 rp(@value >= 10, {}) r(y,1) ; T5 r(z,nil)"},
    {"found-one-row-not-the-other", "serializable", Anomaly::g2,
     "a: T2 w(x,1) w(y,1) | b: T3 r(y,nil) w(x,2) | c: T4 rp(@value = 1, {y:1})"},
    {"predicate-write-skew", "serializable", Anomaly::predicate_write_skew,
     "a: T1 rp(class = 1, {}) i(5,{class:2}) | b: T2 rp(class = 2, {}) i(6,{class:1})"},
    {"predicate-writes", "snapshot-isolation", Anomaly::g_single,
     "initial none x=0\na: T1 wp(@value = 0, {x:1}) | b: T2 wp(@value = 0, {x:2})"},
    {"predicate-cycle", "serializable", Anomaly::g2,
     "a: T1 rp(p: true, {}) i(q.1,1) | b: T2 rp(q: true, {}) i(s.1,1) | "
     "c: T3 rp(s: true, {}) i(p.1,1)"},
    {"half-seen-by-predicate", "serializable", Anomaly::g_single,
     "a: T1 i(x,0) i(y,0) | b: T2 w(x,1) w(y,1) | c: T3 w(x,2) w(y,2) | "
     "d: T4 rp(@value = 1, {x:1})"},
    {"stale-query", "strict-serializable", Anomaly::g_single_realtime,
     "a: T1@100..200 i(x,5) | b: T2@300..400 rp(@value = 5, {})"},
    {"source-by-exclusion", "serializable", Anomaly::g_single_item_process,
     "a: T1 w(x,1) ; T2 w(x,2) ; T3 r(x,1) w(y,1) | b: T4 r(y,1) w(x,1)"},
};

class ToldAsAgreed : public testing::TestWithParam<Told> {};

TEST_P(ToldAsAgreed, InTextAndJson) {
  const Told& one = GetParam();
  const History history = history_of(one.litmus);
  const Level level = *find_level(one.level);
  const Verdict verdict = check(history, level);
  ASSERT_EQ(verdict.answer, Answer::violated);
  ASSERT_TRUE(verdict.certificate);
  const Explanation explanation = explain(history, *verdict.certificate);
  EXPECT_EQ(Inspection(history, level).problem(explanation), "");
  ASSERT_TRUE(explanation.whole.anomaly);
  EXPECT_EQ(name_of(*explanation.whole.anomaly), name_of(one.anomaly));
  const std::string folder = "tests/report/explanations/";
  const std::string file = std::string(one.name) + ".litmus";
  expect_golden(folder + one.name + ".txt",
                std::string(one.litmus) + "\n\n" + verdict_text(file, history, verdict));
  expect_golden(folder + one.name + ".json", verdict_json(file, history, verdict));
}

INSTANTIATE_TEST_SUITE_P(Explanations, ToldAsAgreed, testing::ValuesIn(told),
                         [](const testing::TestParamInfo<Told>& test) {
                           std::string name = test.param.name;
                           std::erase(name, '-');
                           return name;
                         });

/// Bad reads need no refutation.
struct Bad {
  const char* name;
  const char* heading;
  const char* litmus;
};

constexpr Bad bad_reads[] = {
    {"aborted-predicate-read", "Aborted predicate read (G1a)",
     "a: T1! i(x,{v:12}) | b: T2 rp(v >= 10, {x:{v:12}})"},
    {"aborted-predicate-write", "Aborted predicate read (G1a)",
     "a: T1! w(x,1) | b: T2 wp(@value = 1, {x:2})"},
    {"intermediate-predicate-read", "Intermediate predicate read (G1b)",
     "initial none x={v:12}\na: T1 w(x,{v:5}) w(x,{v:14}) | b: T2 rp(v >= 10, {})"},
};

class BadPredicateRead : public testing::TestWithParam<Bad> {};

TEST_P(BadPredicateRead, HasItsName) {
  const Bad& one = GetParam();
  const History history = history_of(one.litmus);
  const Verdict verdict = check(history, Level{LevelId::serializable});
  ASSERT_EQ(verdict.answer, Answer::violated);
  const std::string file = std::string(one.name) + ".litmus";
  const std::string text = verdict_text(file, history, verdict);
  EXPECT_NE(text.find(one.heading), std::string::npos) << text;
  const std::string folder = "tests/report/explanations/";
  expect_golden(folder + one.name + ".txt", std::string(one.litmus) + "\n\n" + text);
  expect_golden(folder + one.name + ".json", verdict_json(file, history, verdict));
}

INSTANTIATE_TEST_SUITE_P(Explanations, BadPredicateRead, testing::ValuesIn(bad_reads),
                         [](const testing::TestParamInfo<Bad>& test) {
                           std::string name = test.param.name;
                           std::erase(name, '-');
                           return name;
                         });

/// In the second case one of the sources that T5 can have is excluded by a cycle and the other is
/// not, so there is no cycle to tell. What the first was going to tell must not count as told.
TEST(Explanation, RefersOnlyToWhatItTells) {
  const std::string litmus = "a: T1 a(y,1) | b: T3 a(y,1) | c: T4 r(y,[1 1]) ; T5 r(y,[1])";
  const History history = history_of(litmus);
  const Level level{LevelId::serializable};
  const Verdict verdict = check(history, level);
  ASSERT_TRUE(verdict.certificate);
  const Explanation explanation = explain(history, *verdict.certificate);
  EXPECT_EQ(Inspection(history, level).problem(explanation), "");
  const std::string name = "list-left-by-nobody";
  const std::string folder = "tests/report/explanations/";
  const std::string file = name + ".litmus";
  expect_golden(folder + name + ".txt", litmus + "\n\n" + verdict_text(file, history, verdict));
  expect_golden(folder + name + ".json", verdict_json(file, history, verdict));
}

/// Both T1 and T2 read [2] and append to it, but T1 appended that 2 itself: it saw the empty list.
/// No update is lost, and cursor stability holds.
TEST(Explanation, OwnAppendsArePartOfNoVersion) {
  const History history = history_of(
      "a: T1 a(y,2) r(y,[2]) w(x,1) | b: T2 r(y,[2]) r(x,nil) a(y,1) a(y,2) | "
      "c: T3 r(y,[]) w(x,2) r(y,[]) | d: T4 a(y,2) w(x,3)");
  const Level level{LevelId::serializable};
  const Verdict verdict = check(history, level);
  ASSERT_TRUE(verdict.certificate);
  const Explanation explanation = explain(history, *verdict.certificate);
  EXPECT_EQ(Inspection(history, level).problem(explanation), "");
  EXPECT_NE(explanation.whole.anomaly, Anomaly::lost_update);
  EXPECT_EQ(std::ranges::count(explanation.levels_ruled_out, LevelId::cursor_stability), 0);
}

/// T3's x is older than T1's only because T4 did not change z: there is no cycle of items.
TEST(Explanation, ACycleThatRestsOnPredicatesIsNotOneOfItems) {
  const History history = history_of(
      "c: T1 w(x,1) a(z,101) | d: T2 w(y,1) r(y,1) wp(@value = 1, {x:nil y:1}) ; "
      "T4 w(x,1) wp(true, {x:1 y:1}) | b: T3 r(z,[101]) r(x,nil) a(z,102) | e: T5 r(x,nil) w(x,1)");
  const Verdict verdict = check(history, Level{LevelId::serializable, false});
  ASSERT_TRUE(verdict.certificate);
  const Explanation explanation = explain(history, *verdict.certificate);
  ASSERT_TRUE(explanation.whole.anomaly);
  EXPECT_FALSE(implies(*explanation.whole.anomaly, Anomaly::g2_item))
      << verdict_text("history", history, verdict);
}

/// The corpus of small histories has a folder for each anomaly. What it shows is found again, or
/// something that implies it. In a few histories it is what it implies: where the more specific
/// story needs a case split, or is of a kind that cycles are not named after. (G-MSR is no cycle;
/// then it is the cycle behind it.)
TEST(Explanation, NamesWhatTheLitmusCorpusShows) {
  int named = 0;
  int less_specific = 0;
  for (const AnomalyEntry& entry : anomalies()) {
    const std::string folder =
        ISOSCOPE_SOURCE_DIR "/tests/litmus/anomaly/" + std::string(entry.name);
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const auto source = Source::open(file.path());
      ASSERT_TRUE(source);
      const auto history = read_history(*source, {.format = Format::litmus});
      ASSERT_TRUE(history);
      const Verdict verdict = check(*history, Level{LevelId::strict_serializable});
      if (!verdict.evidence.empty() || !verdict.certificate) continue;
      const Explanation explanation = explain(*history, *verdict.certificate);
      ASSERT_TRUE(explanation.whole.anomaly) << file.path();
      const Anomaly found = *explanation.whole.anomaly;
      ++named;
      if (implies(found, entry.id)) continue;
      EXPECT_TRUE(implies(entry.id, found) || entry.id == Anomaly::g_msr)
          << file.path() << ": " << name_of(found);
      ++less_specific;
    }
  }
  EXPECT_EQ(less_specific, 4);
  EXPECT_GE(named, 38);
}

TEST(Explanation, LongListsAreCutShort) {
  std::string appends;
  std::string list;
  for (int i = 1; i <= 300; ++i) {
    appends +=
        (i == 1 ? "w: " : " ; ") + ("A" + std::to_string(i)) + " a(l," + std::to_string(i) + ")";
    list += (i == 1 ? "" : " ") + std::to_string(i);
  }
  const History history =
      history_of(appends + "\nb: T1 r(l,[" + list + "]) w(x,1)\nc: T2 r(x,1) r(l,[1])\n");
  const Verdict verdict = check(history, Level{LevelId::serializable});
  ASSERT_EQ(verdict.answer, Answer::violated);
  EXPECT_LT(verdict_text("history", history, verdict).size(), 2'000u);
}

TEST(Explanation, HoldsSaysWhoCountsAsCommitted) {
  const History history = history_of("a: T1? w(x,1) | b: T2 r(x,1) | c: T3? w(y,1)");
  const std::string text =
      verdict_text("history", history, check(history, Level{LevelId::serializable}));
  EXPECT_EQ(text,
            "history: serializable: holds (1 committed transaction, 1 operation)\n"
            "  Of the transactions of unknown outcome 1 counts as committed: T1.\n");
}

/// When the time is over, the cases are not told, but what they are about is.
TEST(Explanation, KeepsLimits) {
  const History history =
      history_of("a: T1 a(y,1) | b: T3 a(y,1) | c: T4 r(y,[1 1]) ; T5 r(y,[1])");
  const Verdict verdict = check(history, Level{LevelId::serializable});
  ASSERT_TRUE(verdict.certificate);
  const Explanation all = explain(history, *verdict.certificate);
  ASSERT_GT(all.case_count, 1U) << verdict_text("history", history, verdict);
  Limits limits;
  limits.request_stop();
  const Explanation none = explain(history, *verdict.certificate, limits);
  EXPECT_FALSE(none.failed);
  EXPECT_TRUE(none.more_cases);
  EXPECT_EQ(none.told_count, 0U);
  EXPECT_FALSE(none.levels_ruled_out.empty());
  EXPECT_EQ(verdict_text("history", history, verdict, {.limits = limits})
                .starts_with("history: serializable: VIOLATED: no order is possible"),
            true);
}

/// A refutation by hand: what the checker would not write, but anybody may.
TEST(Explanation, TellsOtherRefutationsToo) {
  const History history = history_of("a: T1 w(x,1) ; T2 r(x,nil)");
  Certificate certificate;
  certificate.level = Level{LevelId::serializable};
  const ReadNumber read{2, 1};
  certificate.steps = {
      {.kind = ProofStep::Kind::order, .events = {Event::commit(1), Event::commit(2)}},
      {.kind = ProofStep::Kind::order, .events = {Event::commit(0), Event::commit(1)}},
      {.kind = ProofStep::Kind::between, .read = read, .writer = 0, .other = 1},
      {.kind = ProofStep::Kind::read, .read = read}};
  Explanation explanation = explain(history, certificate);
  EXPECT_EQ(Inspection(history, certificate.level).problem(explanation), "");
  EXPECT_EQ(explanation.whole.anomaly, Anomaly::missing_your_writes);
  certificate.steps.pop_back();
  EXPECT_TRUE(explain(history, certificate).failed);
}

}  // namespace
}  // namespace isoscope::report
