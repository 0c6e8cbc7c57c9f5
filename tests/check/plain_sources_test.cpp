// The sources of plain histories against those that are found after a first pass, and causal
// against its definition in histories with many sessions, in which a reader's past is not looked at
// each time.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong_case.h"
#include "check/unique_values.h"
#include "check/weak/known_sources.h"
#include "isoscope/base/random.h"
#include "isoscope/check/check.h"
#include "isoscope/check/first_pass.h"
#include "isoscope/history/history_builder.h"
#include "test_scale.h"

namespace isoscope::weak {
namespace {

bool has_indeterminate(const History& history) {
  for (const TransactionId t : history.transactions()) {
    if (history.outcome(t) == Outcome::indeterminate) return true;
  }
  return false;
}

void expect_same(const KnownSources& one, const KnownSources& other) {
  ASSERT_EQ(one.size(), other.size());
  ASSERT_EQ(one.chain_count(), other.chain_count());
  EXPECT_TRUE(one.all_are_known());
  EXPECT_EQ(one.doubt(), other.doubt());
  EXPECT_TRUE(std::ranges::equal(one.written(), other.written()));
  ASSERT_EQ(one.reads().size(), other.reads().size());
  for (Txn t = 1; t < one.size(); ++t) {
    EXPECT_EQ(one.id(t), other.id(t));
    EXPECT_EQ(one.number(one.id(t)), t);
    EXPECT_EQ(one.chain(t), other.chain(t));
    EXPECT_EQ(one.certain(t), other.certain(t));
    EXPECT_EQ(one.first_read(t), other.first_read(t));
    EXPECT_EQ(one.first_write(t), other.first_write(t));
  }
  for (std::uint32_t r = 0; r < one.reads().size(); ++r) {
    EXPECT_EQ(one.reads()[r].key, other.reads()[r].key);
    EXPECT_EQ(one.reads()[r].source, other.reads()[r].source);
    if (r == 0 || one.reader_of(r - 1) != one.reader_of(r)) continue;
    const bool is_earlier = one.is_earlier(one.reads()[r - 1], one.reads()[r]);
    EXPECT_EQ(is_earlier, other.is_earlier(other.reads()[r - 1], other.reads()[r]));
  }
}

TEST(PlainSources, AreThoseOfTheGeneralWay) {
  Random random(19);
  int plain_ones = 0;
  int others = 0;
  for (int i = 0; i < 20'000 * test_scale() && !HasFailure(); ++i) {
    test::UniqueValues made(random);
    made.has_lists = false;
    const History history = std::move(made).make();
    SCOPED_TRACE(test::described(history));
    const bool session_order = i % 3 != 0;
    const auto plain = KnownSources::if_plain(history, session_order, {});
    const FirstPassResult pass = first_pass(history);
    const bool is_good = pass.findings.empty() && pass.undecided.empty();
    EXPECT_EQ(plain != nullptr, is_good && !has_indeterminate(history));
    ++(plain != nullptr ? plain_ones : others);
    if (plain == nullptr) continue;
    std::vector<std::uint8_t> committed;
    for (const TransactionId t : history.transactions()) {
      committed.push_back(history.outcome(t) == Outcome::committed ? 1 : 0);
    }
    KeyAccesses accesses;
    ASSERT_FALSE(KeyAccesses::collect(history, Limits::none(), accesses));
    expect_same(*plain, KnownSources(history, accesses, committed, session_order, {}));
  }
  EXPECT_GT(plain_ones, 1'000);
  EXPECT_GT(others, 1'000);
}

/// A transaction of each session for every line; `w(x,1)` and `r(x,1)` without separators.
History history_of(const std::vector<std::string>& transactions) {
  HistoryBuilder builder;
  for (const std::string& text : transactions) {
    builder.begin_transaction(builder.add_session());
    for (std::size_t at = 0; at + 6 <= text.size(); at += 6) {
      const ValueId value =
          text[at + 4] == '-' ? ValuePool::nil : builder.values().integer(text[at + 4] - '0');
      const KeyId key = builder.key(std::string(1, text[at + 2]));
      builder.add(text[at] == 'w' ? OperationKind::write : OperationKind::read, key, value);
    }
  }
  return std::move(builder).finish();
}

TEST(PlainSources, SayWhatIsNotPlain) {
  const auto is_plain = [](const std::vector<std::string>& transactions) {
    return KnownSources::if_plain(history_of(transactions), true, {}) != nullptr;
  };
  EXPECT_TRUE(is_plain({"w(x,1)", "r(x,1)w(y,2)", "r(x,-)r(y,2)r(y,2)"}));
  EXPECT_TRUE(is_plain({"w(x,1)w(y,1)", "r(x,1)r(y,1)w(z,1)", "r(z,1)"}))
      << "a key and a value say together who wrote it";
  EXPECT_TRUE(is_plain({"w(x,1)r(x,1)w(x,2)", "r(x,2)"}));
  EXPECT_FALSE(is_plain({"w(x,1)", "w(x,1)"})) << "written twice";
  EXPECT_FALSE(is_plain({"w(y,1)", "w(x,1)", "w(x,1)"})) << "written twice, not at the first key";
  EXPECT_FALSE(is_plain({"w(x,-)"})) << "the initial value";
  EXPECT_FALSE(is_plain({"w(x,1)w(x,2)", "r(x,1)"})) << "an intermediate read";
  EXPECT_FALSE(is_plain({"w(y,1)", "w(x,1)w(x,2)", "r(x,1)"})) << "one, not at the first key";
  EXPECT_FALSE(is_plain({"w(x,1)r(x,2)", "w(x,2)"})) << "an internal inconsistency";
  EXPECT_FALSE(is_plain({"r(x,-)r(x,1)", "w(x,1)"})) << "a read that does not repeat";
  EXPECT_FALSE(is_plain({"r(x,1)w(x,1)"})) << "a future read";
  EXPECT_FALSE(is_plain({"w(y,1)", "r(x,1)"})) << "written, but elsewhere";
}

/// Sessions that mostly see the latest version of a key, and now and then an older one.
class ManySessions {
 public:
  static constexpr std::size_t sessions = 40;
  static constexpr std::size_t keys = 6;

  struct Step {
    std::size_t key = 0;
    std::size_t source = 0;  ///< of a read: the writer's number, 0 for the initial state
    bool is_read = false;
  };

  explicit ManySessions(Random& random) : latest_(keys, std::vector<std::size_t>{0}) {
    for (std::size_t t = 1; t <= 120; ++t) {
      session_of.push_back(random.below(sessions));
      std::vector<Step> steps;
      for (std::size_t key = 0; key < keys; ++key) {
        if (!random.chance(40)) continue;
        const std::vector<std::size_t>& writers = latest_[key];
        const std::size_t back = random.below(300) == 0 ? random.below(writers.size()) : 0;
        steps.push_back({key, writers[writers.size() - 1 - back], true});
      }
      for (std::size_t key = 0; key < keys; ++key) {
        if (!random.chance(10)) continue;
        steps.push_back({.key = key});
        latest_[key].push_back(t);
      }
      transactions.push_back(std::move(steps));
    }
  }

  History history() const {
    HistoryBuilder builder;
    std::vector<SessionId> ids;
    for (std::size_t s = 0; s < sessions; ++s) ids.push_back(builder.add_session());
    const auto value = [&](std::size_t writer, std::size_t key) {
      if (writer == 0) return ValuePool::nil;
      return builder.values().integer(static_cast<std::int64_t>(writer * keys + key));
    };
    for (std::size_t i = 0; i < transactions.size(); ++i) {
      builder.begin_transaction(ids[session_of[i]]);
      for (const Step& step : transactions[i]) {
        const KeyId key = builder.key(std::string(1, static_cast<char>('a' + step.key)));
        builder.add(step.is_read ? OperationKind::read : OperationKind::write, key,
                    value(step.is_read ? step.source : i + 1, step.key));
      }
    }
    return std::move(builder).finish();
  }

  /// By the definition: all that leads to a reader by sessions and reads-from comes before what it
  /// read, if it wrote the key.
  bool is_causal() const {
    const std::size_t size = transactions.size() + 1;
    std::vector<std::vector<bool>> before(size, std::vector<bool>(size, false));
    for (std::size_t t = 1; t < size; ++t) {
      before[0][t] = true;
      for (std::size_t earlier = 1; earlier < t; ++earlier) {
        if (session_of[earlier - 1] == session_of[t - 1]) before[earlier][t] = true;
      }
      for (const Step& step : transactions[t - 1]) {
        if (step.is_read) before[step.source][t] = true;
      }
    }
    close(before);
    std::vector<std::vector<bool>> commits = before;
    for (std::size_t reader = 1; reader < size; ++reader) {
      for (const Step& read : transactions[reader - 1]) {
        if (!read.is_read) continue;
        for (const std::size_t writer : latest_[read.key]) {
          if (writer != read.source && before[writer][reader]) commits[writer][read.source] = true;
        }
      }
    }
    close(commits);
    for (std::size_t t = 0; t < size; ++t) {
      if (commits[t][t]) return false;
    }
    return true;
  }

 private:
  static void close(std::vector<std::vector<bool>>& relation) {
    for (std::size_t middle = 0; middle < relation.size(); ++middle) {
      for (std::size_t from = 0; from < relation.size(); ++from) {
        if (!relation[from][middle]) continue;
        for (std::size_t to = 0; to < relation.size(); ++to) {
          if (relation[middle][to]) relation[from][to] = true;
        }
      }
    }
  }

  std::vector<std::vector<Step>> transactions;
  std::vector<std::size_t> session_of;
  std::vector<std::vector<std::size_t>> latest_;  // by key: its writers
};

TEST(PlainSources, DecideCausalWithManySessions) {
  Random random(40);
  int holds = 0;
  int violated = 0;
  for (int i = 0; i < 150 * test_scale() && !HasFailure(); ++i) {
    const ManySessions made(random);
    const Verdict verdict = check(made.history(), {LevelId::causal});
    const bool is_causal = made.is_causal();
    EXPECT_EQ(verdict.answer, is_causal ? Answer::holds : Answer::violated) << verdict.reason;
    ++(is_causal ? holds : violated);
  }
  EXPECT_GT(holds, 20);
  EXPECT_GT(violated, 20);
}

}  // namespace
}  // namespace isoscope::weak
