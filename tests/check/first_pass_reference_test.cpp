#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "check/reference_valid_reads.h"
#include "check/small_history.h"
#include "isoscope/check/check.h"
#include "isoscope/check/first_pass.h"
#include "test_scale.h"

namespace isoscope {
namespace {

using test::ReferenceReads;
using test::SmallHistory;
using test::SmallOperation;
using test::SmallTransaction;

std::size_t holds = 0;  // how often the last comparison said so: it must have seen both
std::size_t violated = 0;

/// The answer is the reference's, and so is the witness.
void compare_level(const History& history, const SmallHistory& small, LevelId level,
                   bool reference) {
  const ReferenceReads slow(history);
  const Verdict verdict = check(history, Level{level});
  ASSERT_EQ(verdict.answer, reference ? Answer::holds : Answer::violated) << name_of(level) << "\n"
                                                                          << verdict.reason << "\n"
                                                                          << small.text();
  ++(reference ? holds : violated);
  ASSERT_EQ(verdict.evidence.empty(), reference);
  ASSERT_EQ(verdict.ruled_out.size(), verdict.counted_aborted.size()) << small.text();
  if (!reference) return;
  ReferenceReads::Transactions committed = slow.certainly_committed();
  committed.insert(verdict.counted_committed.begin(), verdict.counted_committed.end());
  ASSERT_TRUE(slow.right(committed, level == LevelId::cut_isolation)) << small.text();
}

void compare(const SmallHistory& small) {
  const History history = small.make();
  const ReferenceReads slow(history);
  compare_level(history, small, LevelId::valid_reads, slow.valid_reads());
  compare_level(history, small, LevelId::cut_isolation, slow.cut_isolation());
}

/// The same findings of the same kinds.
void compare_findings(const SmallHistory& small) {
  const History history = small.make();
  std::set<ReferenceReads::Finding> fast;
  for (const BadRead& finding : first_pass(history).findings) {
    fast.insert({finding.read.transaction, finding.read.operation, finding.key, finding.kind});
    ASSERT_TRUE(finding.possible.has(finding.kind));
  }
  ASSERT_EQ(fast, ReferenceReads(history).findings()) << small.text();
}

SmallOperation item(OperationKind kind, int key, int value) {
  return {.kind = kind, .key = key, .value = value};
}

std::vector<SmallOperation> register_operations(int keys, int values) {
  std::vector<SmallOperation> operations;
  for (int key = 0; key < keys; ++key) {
    for (int value = 0; value <= values; ++value) {
      operations.push_back(item(OperationKind::read, key, value));
      if (value != 0) operations.push_back(item(OperationKind::write, key, value));
    }
  }
  return operations;
}

class FirstPassAgainstReference : public testing::Test {
 protected:
  void SetUp() override { holds = violated = 0; }
  void TearDown() override {
    EXPECT_GT(holds, 1000u);
    EXPECT_GT(violated, 1000u);
  }

  /// Every how many-th history to try, when all of them would take minutes.
  static std::size_t stride(std::size_t plain) {
    return std::max<std::size_t>(1, plain / static_cast<std::size_t>(test_scale()));
  }
  static std::uint64_t rounds(std::uint64_t plain) {
    return plain * static_cast<std::uint64_t>(test_scale());
  }
};

TEST_F(FirstPassAgainstReference, ThreeTransactionsOnOneRegister) {
  const auto transactions = test::all_transactions(register_operations(1, 2), 2);
  test::for_each_history(transactions, 3, stride(5), [](const SmallHistory& history) {
    compare(history);
    compare_findings(history);
  });
}

TEST_F(FirstPassAgainstReference, TwoLongerTransactionsOnOneRegister) {
  const auto transactions = test::all_transactions(register_operations(1, 2), 3);
  test::for_each_history(transactions, 2, stride(5), [](const SmallHistory& history) {
    compare(history);
    compare_findings(history);
  });
}

TEST_F(FirstPassAgainstReference, ThreeTransactionsOnTwoRegisters) {
  const auto transactions = test::all_transactions(register_operations(2, 2), 2);
  test::for_each_history(transactions, 3, stride(199),
                         [](const SmallHistory& history) { compare(history); });
}

TEST_F(FirstPassAgainstReference, FourShortTransactionsOnTwoRegisters) {
  const auto transactions = test::all_transactions(register_operations(2, 1), 1);
  test::for_each_history(transactions, 4, 1, [](const SmallHistory& history) { compare(history); });
}

TEST_F(FirstPassAgainstReference, ThreeTransactionsOnOneList) {
  std::vector<SmallOperation> operations;
  for (const int element : {1, 2}) {
    operations.push_back(item(OperationKind::append, SmallHistory::list_key, element));
  }
  for (const auto& list :
       std::vector<std::vector<int>>{{}, {1}, {2}, {1, 2}, {2, 1}, {1, 1}, {1, 2, 1}}) {
    operations.push_back(
        {.kind = OperationKind::list_read, .key = SmallHistory::list_key, .list = list});
  }
  const auto transactions = test::all_transactions(operations, 2);
  test::for_each_history(transactions, 3, stride(61),
                         [](const SmallHistory& history) { compare(history); });
}

TEST_F(FirstPassAgainstReference, RandomRegistersAndRows) {
  Random random(20);
  for (std::uint64_t i = 0; i < rounds(30000); ++i) {
    const SmallHistory history = test::random_small_history(random, {.lists = false});
    compare(history);
    compare_findings(history);
    if (HasFatalFailure()) return;
  }
}

TEST_F(FirstPassAgainstReference, RandomLists) {
  Random random(21);
  for (std::uint64_t i = 0; i < rounds(40000); ++i) {
    compare(test::random_small_history(random, {}));
    if (HasFatalFailure()) return;
  }
}

TEST_F(FirstPassAgainstReference, RandomListsUnderPredicatesAndRegistersReadAsLists) {
  Random random(25);
  for (std::uint64_t i = 0; i < rounds(20000); ++i) {
    compare(test::random_small_history(random, {.odd = true}));
    if (HasFatalFailure()) return;
  }
}

TEST(FirstPass, StrongerLevelsAreViolatedWithWeakerOnes) {
  Random random(22);
  int violated_pairs = 0;
  for (int i = 0; i < 3000 * test_scale(); ++i) {
    const SmallHistory small =
        test::random_small_history(random, {.unreported_writes = i % 2 == 0});
    const History history = small.make();
    std::vector<Answer> answers;
    for (const LevelEntry& level : levels()) {
      answers.push_back(check(history, Level{level.id}).answer);
    }
    for (const LevelEntry& strong : levels()) {
      for (const LevelEntry& weak : levels()) {
        if (!implies(strong.id, weak.id)) continue;
        const auto answer = [&](const LevelEntry& level) {
          return answers[static_cast<std::size_t>(level.id)];
        };
        ASSERT_FALSE(answer(weak) == Answer::violated && answer(strong) != Answer::violated)
            << strong.name << " and " << weak.name << "\n"
            << small.text();
        violated_pairs += strong.id != weak.id && answer(weak) == Answer::violated ? 1 : 0;
      }
    }
  }
  EXPECT_GT(violated_pairs, 10'000);
}

TEST(FirstPass, ReadUncommittedIsViolatedOnlyByReadsThatMakeNoSense) {
  Random random(23);
  std::size_t violations = 0;
  for (int i = 0; i < 20000 * test_scale(); ++i) {
    const SmallHistory small = test::random_small_history(random, {.lists = false});
    const History history = small.make();
    const bool refuted =
        check(history, Level{LevelId::read_uncommitted}).answer == Answer::violated;
    ASSERT_EQ(refuted, !ReferenceReads(history).reads_of_anybody()) << small.text();
    violations += refuted;
  }
  EXPECT_GT(violations, 1000u);
}

/// Every history that `small` may have been, had all writes been reported: unreported values are
/// any value, unreported predicate writes any rows.
void for_each_completion(SmallHistory small,
                         const std::function<void(const SmallHistory&)>& visit) {
  constexpr int most = 5;  // one more than the values in use: a value nobody reads
  for (SmallTransaction& transaction : small.transactions) {
    for (SmallOperation& operation : transaction.operations) {
      if (operation.reported) continue;
      operation.reported = true;
      if (operation.kind == OperationKind::predicate_read) continue;
      if (operation.kind != OperationKind::predicate_write) {
        operation.kind = OperationKind::write;
        for (int value = 0; value <= most; ++value) {
          operation.value = value;
          for_each_completion(small, visit);
        }
        return;
      }
      for (int first = -1; first <= most; ++first) {
        for (int second = -1; second <= most; ++second) {
          operation.rows.clear();
          if (first >= 0) operation.rows.push_back({0, first});
          if (second >= 0) operation.rows.push_back({1, second});
          for_each_completion(small, visit);
        }
      }
      return;
    }
  }
  visit(small);
}

TEST(FirstPass, UnreportedWritesNeverMakeAWrongAnswer) {
  Random random(24);
  std::map<Answer, int> answers;
  for (int i = 0; i < 60000 * test_scale(); ++i) {
    const SmallHistory small =
        test::random_small_history(random, {.lists = false, .unreported_writes = true});
    int unreported = 0;
    int reads = 0;
    for (const SmallTransaction& transaction : small.transactions) {
      for (const SmallOperation& operation : transaction.operations) {
        unreported += !operation.reported && operation.kind != OperationKind::predicate_read;
        reads += !operation.reported && operation.kind == OperationKind::predicate_read;
      }
    }
    // An unreported predicate read says nothing; completed with no rows it would.
    if (unreported == 0 || unreported > 1 || reads > 0) continue;
    const History history = small.make();
    for (const LevelId level : {LevelId::valid_reads, LevelId::cut_isolation}) {
      const Verdict verdict = check(history, Level{level});
      ++answers[verdict.answer];
      if (verdict.answer == Answer::unknown) continue;
      bool possible = false;
      for_each_completion(small, [&](const SmallHistory& complete) {
        if (possible) return;
        const History full = complete.make();
        const ReferenceReads slow(full);
        possible = level == LevelId::valid_reads ? slow.valid_reads() : slow.cut_isolation();
      });
      ASSERT_EQ(verdict.answer, possible ? Answer::holds : Answer::violated)
          << name_of(level) << "\n"
          << small.text();
    }
  }
  EXPECT_GT(answers[Answer::holds], 100);
  EXPECT_GT(answers[Answer::violated], 100);
  EXPECT_GT(answers[Answer::unknown], 100);
}

}  // namespace
}  // namespace isoscope
