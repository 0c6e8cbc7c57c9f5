// Bugs of real databases, recorded by others, by the names that people know them by. The files are
// not part of the project; docs/coo-anomalies.md has the same table.

#include <gtest/gtest.h>

#include <filesystem>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/report/verdict_report.h"

namespace isoscope {
namespace {

namespace fs = std::filesystem;

const fs::path bugs = fs::path(ISOSCOPE_HISTORIES_DIR) / "bugs";

struct Bug {
  const char* file;
  LevelId level;
  const char* name;
};

class RecordedBugs : public testing::TestWithParam<Bug> {};

TEST_P(RecordedBugs, HaveTheirNames) {
  if (!fs::is_directory(bugs)) GTEST_SKIP() << "no recorded histories in " << bugs;
  const Bug& bug = GetParam();
  const Result<Source> source = Source::open((bugs / bug.file).string());
  ASSERT_TRUE(source) << source.error().text();
  const Result<History> history = read_history(*source);
  ASSERT_TRUE(history) << history.error().text();
  const Verdict verdict = check(*history, {bug.level, true}, {.anomalies = 1});
  const std::string text = report::verdict_text(bug.file, *history, verdict);
  EXPECT_NE(text.find(std::string("VIOLATED: ") + bug.name), std::string::npos) << text;
}

constexpr LevelId serializable = LevelId::serializable;
constexpr LevelId snapshot_isolation = LevelId::snapshot_isolation;

INSTANTIATE_TEST_SUITE_P(
    Report, RecordedBugs,
    testing::Values(Bug{"cockroach-G2", serializable, "write skew"},
                    Bug{"postgres-ssi-bug.plume.txt", serializable, "write skew"},
                    Bug{"dgraph-causal.bincode", snapshot_isolation, "G-nonadjacent-item-process"},
                    Bug{"galera-lost-update.plume.txt", snapshot_isolation, "lost update"},
                    Bug{"yugabyte-fractured.plume.txt", snapshot_isolation,
                        "missing your writes"}));

}  // namespace
}  // namespace isoscope
