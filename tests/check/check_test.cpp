#include "isoscope/check/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "check/finding_text.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {
namespace {

Verdict check_litmus(const std::string& text, LevelId level) {
  return check(test::litmus(text), Level{level});
}
Answer answer(const std::string& text, LevelId level) { return check_litmus(text, level).answer; }

TEST(Check, DecidesValidReads) {
  EXPECT_EQ(answer("a: T1 w(x,1) | b: T2 r(x,1)", LevelId::valid_reads), Answer::holds);
  EXPECT_EQ(answer("a: T1! w(x,1) | b: T2 r(x,1)", LevelId::valid_reads), Answer::violated);
  EXPECT_EQ(answer("a: T1 w(x,1) | b: T2 r(x,nil) r(x,1)", LevelId::valid_reads), Answer::holds);
}

TEST(Check, DecidesCutIsolation) {
  EXPECT_EQ(answer("a: T1 w(x,1) | b: T2 r(x,1) r(x,1)", LevelId::cut_isolation), Answer::holds);
  EXPECT_EQ(answer("a: T1 w(x,1) | b: T2 r(x,nil) r(x,1)", LevelId::cut_isolation),
            Answer::violated);
  EXPECT_EQ(answer("a: T1! w(x,1) | b: T2 r(x,1)", LevelId::cut_isolation), Answer::violated);
  EXPECT_EQ(answer("a: T1 a(x,1) | b: T2 r(x,[]) a(x,2) r(x,[1 2])", LevelId::cut_isolation),
            Answer::violated);
}

/// Large histories are first asked about a strong level, which knows only the first of several
/// reads of a key. So it must not be asked where these differ.
TEST(Check, AStrongLevelSettlesALargeHistoryOnlyIfItsReadsRepeat) {
  using enum LevelId;
  std::string repeated = "a: T1 w(x,1)";
  for (int i = 2; i <= 600; ++i) {
    repeated += " ; T" + std::to_string(i) + " w(x," + std::to_string(i % 3) + ")";
  }
  repeated += " | b: T601 r(x,1)";
  for (const LevelId level : {parallel_snapshot_isolation, update_serializable, monotonic_view,
                              cursor_stability, monotonic_snapshot_read, read_committed}) {
    EXPECT_EQ(answer(repeated, level), Answer::holds) << name_of(level);
  }
  const std::string differ = repeated + " | c: T602 r(x,0) r(x,2)";
  EXPECT_EQ(answer(differ, read_committed), Answer::holds);
  EXPECT_EQ(answer(differ, monotonic_snapshot_read), Answer::holds);
  EXPECT_EQ(answer(differ, parallel_snapshot_isolation), Answer::violated);
}

/// Update serializability looks at every row of every predicate, which is too much here: 4,200,000
/// of them. Serializable looks only at those that an order gets wrong.
TEST(Check, AStrongLevelSettlesFewTransactionsThatLookAtManyRows) {
  std::string text = "initial 0";
  for (int key = 0; key < 10'000; ++key) text += " " + std::to_string(key) + "=0";
  text += "\na: T1 w(7,1)";
  for (int i = 2; i <= 43; ++i) {
    text += " ;\n T" + std::to_string(i);
    for (int j = 0; j < 10; ++j) text += " rp(@value = 1, {7:1})";
  }
  EXPECT_EQ(answer(text, LevelId::update_serializable), Answer::holds);
}

TEST(Check, DecidesALongForkAtEveryLevel) {
  const std::string long_fork =
      "a: T1 w(x,1) | b: T2 w(y,1) | c: T3 r(x,1) r(y,nil) | d: T4 r(x,nil) r(y,1)";
  using enum LevelId;
  for (const LevelEntry& level : levels()) {
    const Verdict verdict = check_litmus(long_fork, level.id);
    const bool is_forbidden =
        implies(level.id, prefix_consistency) || implies(level.id, repeatable_read);
    EXPECT_EQ(verdict.answer, is_forbidden ? Answer::violated : Answer::holds) << level.name;
  }
}

TEST(Check, ALevelThatSaysNoMoreThanValidReadsIsDecidedToo) {
  const Level level{LevelId::read_your_writes, false};
  ASSERT_TRUE(implies(Level{LevelId::valid_reads}, level));
  EXPECT_EQ(check(test::litmus("a: T1 w(x,1) ; T2 r(x,nil)"), level).answer, Answer::holds);
  EXPECT_EQ(check(test::litmus("a: T1 w(x,1) ; T2 r(x,9)"), level).answer, Answer::violated);
}

TEST(Check, EachFindingViolatesTheLevelsOfTheCatalogue) {
  const std::vector<std::pair<ReadFinding, std::string>> examples = {
      {ReadFinding::internal_inconsistency, "a: T1 w(x,1) r(x,nil)"},
      {ReadFinding::aborted_read, "a: T1! w(x,1) | b: T2 r(x,1)"},
      {ReadFinding::intermediate_read, "a: T1 w(x,1) w(x,2) | b: T2 r(x,1)"},
      {ReadFinding::future_read, "a: T1 r(x,1) w(x,1)"},
      {ReadFinding::thin_air_read, "a: T1 r(x,9)"},
      {ReadFinding::non_repeatable_read, "a: T1 w(x,1) | b: T2 r(x,nil) r(x,1)"},
  };
  for (const auto& [kind, text] : examples) {
    for (const LevelEntry& level : levels()) {
      const Verdict verdict = check_litmus(text, level.id);
      EXPECT_EQ(verdict.answer == Answer::violated, forbids(Level{level.id}, kind))
          << level.name << " " << text;
      ASSERT_EQ(verdict.evidence.size(), verdict.answer == Answer::violated ? 1u : 0u);
      if (!verdict.evidence.empty()) {
        EXPECT_EQ(verdict.evidence[0].kind, kind);
      }
    }
  }
}

TEST(Check, TheWitnessSaysWhichIndeterminateTransactionsCommitted) {
  const std::string text =
      "a: T1? w(x,1) ; T2 r(x,1) | b: T3? r(y,9) | c: T4 w(z,1) | d: T5? r(z,nil) r(z,1)";
  const Verdict valid = check_litmus(text, LevelId::valid_reads);
  EXPECT_EQ(valid.answer, Answer::holds);
  EXPECT_EQ(valid.counted_committed, (std::vector{TransactionId(0), TransactionId(4)}));
  EXPECT_EQ(valid.counted_aborted, (std::vector{TransactionId(2)}));
  const Verdict cut = check_litmus(text, LevelId::cut_isolation);
  EXPECT_EQ(cut.answer, Answer::holds);
  EXPECT_EQ(cut.counted_committed, (std::vector{TransactionId(0)}));
  ASSERT_EQ(cut.ruled_out.size(), 2u);
  EXPECT_EQ(cut.ruled_out[0].kind, ReadFinding::thin_air_read);
  EXPECT_EQ(cut.ruled_out[1].kind, ReadFinding::non_repeatable_read);
}

TEST(Check, AViolationThroughARuledOutTransactionSaysWhy) {
  const History history = test::litmus("a: T1? r(y,9) w(x,1) | b: T2 r(x,1)");
  const Verdict verdict = check(history, Level{LevelId::valid_reads});
  EXPECT_EQ(verdict.answer, Answer::violated);
  EXPECT_EQ(test::finding_texts(history, verdict.evidence),
            std::vector<std::string>({"T2.1 aborted read x=1 <- T1.2"}));
  EXPECT_EQ(test::finding_texts(history, verdict.ruled_out),
            std::vector<std::string>({"T1.1 thin-air read y=9"}));
  // Where aborted reads are allowed that is no violation.
  EXPECT_EQ(check(history, Level{LevelId::read_uncommitted}).answer, Answer::holds);
}

TEST(Check, UndecidedReadsMakeNothingHold) {
  const Verdict verdict = check_litmus("a: T1 wp(true, ?) | b: T2 r(x,9)", LevelId::valid_reads);
  EXPECT_EQ(verdict.answer, Answer::unknown);
  EXPECT_NE(verdict.reason.find("T2's operation 1"), std::string::npos) << verdict.reason;
  EXPECT_EQ(answer("a: T1 w(x,1) a(x,2) | b: T2 r(x,1)", LevelId::valid_reads), Answer::unknown);
  // A certain violation elsewhere stays one; and what only cut isolation asks is no matter to valid
  // reads.
  EXPECT_EQ(answer("a: T1 wp(true, ?) | b: T2 r(x,9) r(t.y,9)", LevelId::valid_reads),
            Answer::violated);
  const std::string changed = "a: T1 r(x,nil) wp(true, ?) r(x,1) | b: T2 w(x,1)";
  EXPECT_EQ(answer(changed, LevelId::valid_reads), Answer::holds);
  EXPECT_EQ(answer(changed, LevelId::cut_isolation), Answer::unknown);
}

TEST(Check, LimitsMakeItUnknown) {
  HistoryBuilder builder;
  for (int t = 0; t < 5000; ++t) {
    builder.begin_transaction(builder.add_session());
    builder.read(builder.key(t), builder.values().integer(9));
  }
  const History history = std::move(builder).finish();
  Limits limits;
  limits.set_time(std::chrono::nanoseconds(0));
  const Verdict verdict = check(history, Level{LevelId::valid_reads}, {.limits = limits});
  EXPECT_EQ(verdict.answer, Answer::unknown);
  EXPECT_EQ(verdict.stopped, StopReason::time);
  EXPECT_NE(verdict.reason.find("time limit"), std::string::npos) << verdict.reason;
  EXPECT_TRUE(verdict.evidence.empty());
  EXPECT_EQ(check(history, Level{LevelId::valid_reads}).answer, Answer::violated);
}

TEST(Check, AnEmptyHistoryHasNoBadReads) {
  const History history = HistoryBuilder().finish();
  EXPECT_EQ(check(history, Level{LevelId::valid_reads}).answer, Answer::holds);
  EXPECT_EQ(check(history, Level{LevelId::serializable}).answer, Answer::holds);
}

TEST(Check, AViolationSaysWhatTheRecorderMayHaveGotWrong) {
  const auto remarks = [](const std::string& litmus, LevelId level) {
    const Source source = Source::from_memory("history", litmus);
    const auto history = read_history(source, {.format = Format::litmus});
    EXPECT_TRUE(history) << litmus;
    std::size_t slips = 0;
    const Verdict verdict = check(*history, Level{level});
    for (const Remark& remark : verdict.remarks)
      slips += remark.kind == Remark::Kind::recorder_slip ? 1 : 0;
    return slips;
  };
  // A row that nobody wrote, and it is that row that is bad.
  EXPECT_EQ(remarks("a: T1 r(x,7)", LevelId::valid_reads), 1u);
  EXPECT_EQ(remarks("a: T1 w(1,5) | b: T2 r(\"1\",5)", LevelId::serializable), 2u);
  // Bad, but for another reason; and nothing is bad.
  EXPECT_EQ(remarks("a: T1! w(y,7) | b: T2 r(y,7) w(1,1) w(\"1\",1)", LevelId::valid_reads), 0u);
  EXPECT_EQ(remarks("a: T1 w(1,5) | b: T2 r(\"1\",nil)", LevelId::serializable), 0u);
  // A cycle: whatever there is.
  EXPECT_EQ(remarks("a: T1 w(1,1) ; T2 r(1,nil) r(\"1\",nil)", LevelId::serializable), 1u);
}

}  // namespace
}  // namespace isoscope
