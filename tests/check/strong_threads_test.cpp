// What a check says does not depend on how many threads it uses: runs of simulated stores, large
// enough to be seen to in several parts, with repeated values and without, with lists, with
// indeterminate transactions, kept levels and violated ones. Every certificate is confirmed.

#include <gtest/gtest.h>

#include <map>

#include "check/strong_case.h"
#include "isoscope/store/run.h"
#include "test_scale.h"

namespace isoscope {
namespace {

struct Case {
  const char* name;
  WorkloadKind kind;
  StoreKind store;
  Bug bug;
  unsigned duplicate_percent;
  unsigned indeterminate_percent;
  std::uint32_t keys;
};

constexpr Case cases[] = {
    {"unique", WorkloadKind::general, StoreKind::serializable_locking, Bug::none, 0, 0, 2000},
    {"repeated", WorkloadKind::general, StoreKind::serializable_locking, Bug::none, 50, 1, 2000},
    {"snapshots", WorkloadKind::general, StoreKind::snapshot_isolation, Bug::none, 30, 1, 1000},
    {"lost_updates", WorkloadKind::read_modify_write, StoreKind::snapshot_isolation,
     Bug::lost_update, 0, 0, 1000},
    {"lists", WorkloadKind::list_append, StoreKind::snapshot_isolation, Bug::none, 0, 1, 500},
};

History history_of(const Case& of, std::uint64_t seed) {
  RunPlan plan;
  plan.store = of.store;
  plan.bug = of.bug;
  plan.workload = entry_of(of.kind).usual;
  plan.workload.sessions = 20;
  plan.workload.operations = 8;
  plan.workload.keys = of.keys;
  plan.workload.distribution = KeyDistribution::uniform;
  plan.workload.duplicate_percent = of.duplicate_percent;
  plan.transactions = 400;
  plan.abort_percent = 1;
  plan.indeterminate_percent = of.indeterminate_percent;
  plan.seed = seed;
  return run(plan);
}

/// All that a check says, except for times.
std::string everything(const Verdict& verdict, const CheckStatistics& s) {
  std::string text = std::string(name_of(verdict.answer)) + " " + verdict.reason;
  for (const TransactionId t : verdict.counted_committed) text += " +" + std::to_string(t.value);
  for (const TransactionId t : verdict.counted_aborted) text += " -" + std::to_string(t.value);
  for (const std::uint64_t count :
       {s.derived_edges, s.open_reads, s.writer_pairs, s.open_writer_pairs, s.unreturned_rows,
        s.row_reads, s.misfits, s.rounds, s.choices, s.decisions, s.conflicts}) {
    text += " " + std::to_string(count);
  }
  for (const CheckStatistics::Phase& phase : s.phases) text += " " + phase.name;
  return text + "\n" + (verdict.certificate ? test::text_of(*verdict.certificate) : "");
}

class StrongThreads : public testing::TestWithParam<Case> {};

TEST_P(StrongThreads, SayTheSameInAnyNumber) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test_scale()); ++seed) {
    const History history = history_of(GetParam(), seed);
    for (const LevelId id : test::strong_level_ids) {
      const Level level{id};
      std::string alone;
      for (const unsigned threads : {1u, 2u, 3u, 8u}) {
        CheckStatistics statistics;
        const CheckOptions options{
            .threads = threads, .parallel_from = 1, .certificate = true, .statistics = &statistics};
        const Verdict verdict = check(history, level, options);
        const std::string said = everything(verdict, statistics);
        if (threads == 1) {
          alone = said;
          ASSERT_NE(verdict.answer, Answer::unknown) << verdict.reason;
          ASSERT_TRUE(test::is_confirmed(history, verdict));
        }
        ASSERT_TRUE(said == alone)
            << threads << " threads, " << text_of(level) << ", seed " << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, StrongThreads, testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(StrongThreads, BothAnswersAreAmongThem) {
  std::map<Answer, int> answers;
  for (const Case& of : cases) {
    for (const LevelId id : {LevelId::serializable, LevelId::snapshot_isolation}) {
      ++answers[check(history_of(of, 1), Level{id}).answer];
    }
  }
  EXPECT_GE(answers[Answer::holds], 2);
  EXPECT_GE(answers[Answer::violated], 2);
}

TEST(StrongThreads, StopWhenTheyAreToldTo) {
  const History history = history_of(cases[1], 1);
  Limits limits;
  limits.request_stop();
  const Verdict verdict = check(history, Level{LevelId::serializable},
                                {.limits = limits, .threads = 3, .parallel_from = 1});
  EXPECT_EQ(verdict.answer, Answer::unknown);
  EXPECT_EQ(verdict.stopped, StopReason::requested);
}

}  // namespace
}  // namespace isoscope
