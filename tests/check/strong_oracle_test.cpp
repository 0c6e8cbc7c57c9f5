// The engine for strong levels against clasp, a solver by others that knows acyclic graphs: on
// histories too long for the reference checker, 20 to 200 transactions of registers, and on small
// recorded ones. What clasp is asked comes from the plain definition (bench/clasp_encoding.h) and
// shares nothing with the engine. Every certificate is confirmed, too.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/child.h"
#include "bench/clasp_encoding.h"
#include "check/strong_case.h"
#include "check/strong_random.h"
#include "isoscope/store/run.h"
#include "test_scale.h"

namespace isoscope {
namespace {

namespace fs = std::filesystem;

bool is_real_time(Level level) { return entry_of(level.id).kind == LevelKind::real_time; }

/// What real time adds: a transaction that ended before another began comes before it, unless
/// nobody knows whether it ended. Transactions are numbered as in the question: session by session,
/// without aborted ones.
void add_real_time(const History& history, OrderQuestion& question) {
  std::vector<TransactionId> all = {{}};
  for (const SessionId session : history.sessions()) {
    for (const TransactionId t : history.session(session)) {
      if (history.outcome(t) != Outcome::aborted) all.push_back(t);
    }
  }
  ASSERT_EQ(all.size(), question.transactions);
  for (std::uint32_t a = 1; a < all.size(); ++a) {
    const auto end = history.end_time(all[a]);
    if (question.open[a] != 0 || !end) continue;
    for (std::uint32_t b = 1; b < all.size(); ++b) {
      const auto begin = history.begin_time(all[b]);
      if (begin && *end < *begin) {
        question.known.push_back({question.commit(a), question.begin(b)});
      }
    }
  }
}

/// What clasp is not told of.
bool contradicts_itself(const BadRead& bad) {
  return bad.kind == ReadFinding::internal_inconsistency ||
         bad.kind == ReadFinding::non_repeatable_read;
}

/// Asks clasp; it does not know if the history has other things than registers, or makes it search
/// for too long, which is counted in conflicts. No transaction may contradict itself.
class Clasp {
 public:
  Answer answer(const History& history, Level level) {
    std::optional<OrderQuestion> question = order_question(
        history, {without_real_time(level.id).value_or(level.id), level.session_order});
    if (!question) return Answer::unknown;
    if (entry_of(level.id).kind == LevelKind::real_time) add_real_time(history, *question);
    const std::string file = folder_.file("question");
    std::ofstream(file) << clasp_text(encode(*question));
    switch (
        run_program({"clasp", "--parse-ext", "--quiet=2", "--solve-limit=5000", file}).exit_code) {
      case 10:  // one model was asked for, and found
      case 30:  // and there is no other
        return Answer::holds;
      case 20:
        return Answer::violated;
      default:
        return Answer::unknown;
    }
  }

 private:
  TemporaryFolder folder_;
};

/// Where histories come from: stores that read from snapshots, so that no transaction contradicts
/// itself. Each level is kept by some of them and violated by others.
struct Origin {
  StoreKind store;
  Bug bug;
};
constexpr Origin origins[] = {
    {StoreKind::strict_serializable, Bug::none},
    {StoreKind::strict_serializable, Bug::real_time_order_broken},
    {StoreKind::serializable_ssi, Bug::none},
    {StoreKind::serializable_ssi, Bug::acknowledged_commit_lost},
    {StoreKind::snapshot_isolation, Bug::none},
    {StoreKind::snapshot_isolation, Bug::lost_update},
    {StoreKind::snapshot_isolation, Bug::session_order_broken},
    {StoreKind::prefix_consistency, Bug::none},
    {StoreKind::parallel_snapshot_isolation, Bug::none},
    {StoreKind::parallel_snapshot_isolation, Bug::lost_update},
};

History run_of_a_store(Random& random, int i) {
  const auto some = [&](std::uint64_t least, std::uint64_t most) {
    return static_cast<std::size_t>(least + random.below(most - least + 1));
  };
  const Origin& origin = origins[static_cast<std::size_t>(i) % std::size(origins)];
  const std::size_t transactions = some(20, 200);
  RunPlan plan;
  plan.store = origin.store;
  plan.bug = origin.bug;
  plan.workload.sessions = some(3, 8);
  plan.workload.operations = some(2, 5);
  plan.workload.keys = 4 + transactions / some(4, 8);
  plan.workload.read_percent = static_cast<unsigned>(some(40, 70));
  plan.workload.duplicate_percent = 100;
  plan.workload.value_space = some(5, 40);
  plan.workload.seed = random.next();
  plan.transactions = (transactions + plan.workload.sessions - 1) / plan.workload.sessions;
  plan.abort_percent = 5;
  plan.indeterminate_percent = static_cast<unsigned>(some(0, 5));
  plan.seed = random.next();
  return run(plan);
}

History one_of_many(Random& random, int i, Level level) {
  if (i % 3 != 0) return run_of_a_store(random, i);
  // Where only the order counts, much can be changed that another order explains.
  const unsigned most_changed = is_real_time(level) ? 10 : level.session_order ? 50 : 100;
  const test::HardFeatures hard{.least_transactions = 20,
                                .most_transactions = 60,
                                .keys = 5,
                                .values = 3 + i % 5,
                                .operations = 5,
                                .read_percent = 40,
                                .changed_percent = static_cast<int>(random.below(most_changed)),
                                .sessions_percent = 80,
                                .doubtful_percent = static_cast<int>(random.below(20))};
  return test::hard_history(random, hard);
}

class StrongOracle : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_program({"clasp", "--version"}).exit_code, 0)
        << "clasp does not run; it comes with: tools/install-packages test";
  }

  Clasp clasp_;
};

TEST_P(StrongOracle, AgreesOnRandomHistories) {
  const Level level = GetParam();
  Random random(500 + 2 * static_cast<std::uint64_t>(level.id) + (level.session_order ? 1 : 0));
  const int all = 60 * test_scale();
  int given_up = 0;
  int hold = 0;
  int solved = 0;
  for (int i = 0; i < all; ++i) {
    const History history = one_of_many(random, i, level);
    const Answer theirs = clasp_.answer(history, level);
    if (theirs == Answer::unknown) {
      ++given_up;
      continue;
    }
    CheckStatistics statistics;
    const Answer ours = test::confirmed_answer(history, level, {.statistics = &statistics});
    ASSERT_EQ(ours, theirs) << "history " << i << "\n" << test::described(history);
    hold += ours == Answer::holds ? 1 : 0;
    solved += statistics.rounds > 0 ? 1 : 0;
  }
  EXPECT_GE(hold, all * 15 / 100);
  // Prefix consistency allows lost updates, which most of these histories have.
  EXPECT_LE(hold, all * (level.id == LevelId::prefix_consistency ? 95 : 85) / 100);
  EXPECT_GE(solved, all * 5 / 100);
  EXPECT_LE(given_up, all * 5 / 100);
}

class StrongOracleOfRecorded : public StrongOracle {};

/// Small ones of all databases; what is not about registers clasp is not asked.
TEST_P(StrongOracleOfRecorded, AgreesOnSmallHistories) {
  const fs::path recorded = ISOSCOPE_HISTORIES_DIR;
  if (!fs::is_directory(recorded)) GTEST_SKIP() << "no recorded histories in " << recorded;
  const Level level = GetParam();
  std::vector<fs::path> files;
  for (const char* const folder : {"awdit", "bugs", "dbcop", "elle"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(recorded / folder)) {
      if (entry.is_directory() || entry.file_size() < 50'000) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  int compared = 0;
  for (const fs::path& file : files) {
    const Result<Source> source = Source::open(file.string());
    ASSERT_TRUE(source) << source.error().text();
    const Result<History> history = read_history(*source);
    ASSERT_TRUE(history) << history.error().text();
    const Verdict verdict = check(*history, level, {.certificate = true});
    if (std::ranges::any_of(verdict.evidence, contradicts_itself)) continue;
    const Answer theirs = clasp_.answer(*history, level);
    if (theirs == Answer::unknown) continue;
    ++compared;
    EXPECT_EQ(verdict.answer, theirs) << file;
    EXPECT_TRUE(test::is_confirmed(*history, verdict)) << file;
  }
  EXPECT_GE(compared, 20);
}

INSTANTIATE_TEST_SUITE_P(Check, StrongOracle, testing::ValuesIn(test::strong_levels()),
                         test::level_name);

/// They have no times.
INSTANTIATE_TEST_SUITE_P(Check, StrongOracleOfRecorded,
                         testing::Values(Level{LevelId::serializable, true},
                                         Level{LevelId::serializable, false},
                                         Level{LevelId::snapshot_isolation, true},
                                         Level{LevelId::snapshot_isolation, false}),
                         test::level_name);

}  // namespace
}  // namespace isoscope
