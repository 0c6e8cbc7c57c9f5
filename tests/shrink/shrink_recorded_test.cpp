// Recordings of real databases (../shared/histories/recorded): what is known of the whole holds for
// what is left of it.

#include <gtest/gtest.h>

#include <filesystem>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/shrink/shrink.h"
#include "reference/reference_checker.h"

namespace isoscope {
namespace {

struct Recording {
  std::string file;
  std::string level;
  std::size_t most_transactions;
  std::string holds;  ///< of the whole, by the database's promise or by the checker
};

void PrintTo(const Recording& one, std::ostream* out) { *out << one.file << ' ' << one.level; }

class ShrinkRecorded : public testing::TestWithParam<Recording> {};

TEST_P(ShrinkRecorded, ViolatesNoMoreThanTheDatabaseDid) {
  const Recording& one = GetParam();
  const std::string path = ISOSCOPE_HISTORIES_DIR "/recorded/" + one.file + ".jsonl.zst";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Result<Source> source = Source::open(path);
  ASSERT_TRUE(source);
  const Result<History> history = read_history(*source);
  ASSERT_TRUE(history);
  const ShrinkResult result = shrink(*history, *find_level(one.level));
  ASSERT_TRUE(result.history && result.minimal);
  const History& small = *result.history;
  const std::string shown = *format_history(small, Format::litmus);
  EXPECT_LE(small.transaction_count(), one.most_transactions) << shown;
  EXPECT_EQ(check(small, *find_level(one.level)).answer, Answer::violated) << shown;
  if (!one.holds.empty()) {
    EXPECT_TRUE(reference::satisfies(small, *find_level(one.holds))) << shown;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, ShrinkRecorded,
    testing::Values(
        Recording{"pg-rr-skew", "serializable", 2, "strong-snapshot-isolation"},
        Recording{"pg-rr-append", "serializable", 3, "strong-snapshot-isolation"},
        Recording{"pg-rr-bank-480", "serializable", 5, "strong-snapshot-isolation"},
        Recording{"pg-rc-bank", "snapshot-isolation", 3, "read-committed"},
        Recording{"pg-rc-bank", "serializable", 3, "read-committed"},
        Recording{"my-rr-rmw", "snapshot-isolation", 2, "read-committed"},
        Recording{"my-rr-bank", "snapshot-isolation", 3, "read-committed"},
        Recording{"my-rr-reg-unique", "snapshot-isolation", 3, "read-committed"},
        Recording{"my-rr-reg-dup", "snapshot-isolation", 1, ""},
        // Hundreds of transactions wrote what was read; real time rules most of them out.
        Recording{"pg-rr-reg-dup", "strict-serializable", 3, "strong-snapshot-isolation"},
        Recording{"my-rrsnap-reg-dup", "strong-snapshot-isolation", 5, "serializable"},
        Recording{"pg-ser-rmw-crash", "serializable", 3, "read-committed"},
        Recording{"sq-ru-shared", "read-committed", 2, "read-uncommitted"}));

}  // namespace
}  // namespace isoscope
