#include "isoscope/store/store.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace isoscope {
namespace {

using Status = Store::Status;

/// A store with a few keys, and requests to it in short form. Sessions are transactions.
class Bench {
 public:
  explicit Bench(StoreKind kind, Bug bug = Bug::none)
      : store_({.kind = kind, .bug = bug, .bug_percent = 100, .sessions = 4, .lag = 3}, names_,
               std::vector<RowVersion>{}) {}

  Bench& begin(std::size_t t) {
    store_.begin(t);
    return *this;
  }
  Status read(std::size_t t, std::int64_t key) {
    reply_ = {};
    return store_.execute(t, {.kind = OperationKind::read, .key = names_.key(key)}, reply_);
  }
  /// What a read that need not wait returns; 0 for nil.
  std::int64_t value(std::size_t t, std::int64_t key) {
    EXPECT_EQ(read(t, key), Status::done);
    return reply_.value == ValuePool::nil ? 0 : names_.values().integer_of(reply_.value);
  }
  Status write(std::size_t t, std::int64_t key, std::int64_t value) {
    return store_.execute(t,
                          {.kind = OperationKind::write,
                           .key = names_.key(key),
                           .value = names_.values().integer(value)},
                          reply_);
  }
  Status append(std::size_t t, std::int64_t key, std::int64_t element) {
    return store_.execute(t,
                          {.kind = OperationKind::append,
                           .key = names_.key(key),
                           .value = names_.values().integer(element)},
                          reply_);
  }
  std::vector<std::int64_t> list(std::size_t t, std::int64_t key) {
    EXPECT_EQ(store_.execute(t, {.kind = OperationKind::list_read, .key = names_.key(key)}, reply_),
              Status::done);
    std::vector<std::int64_t> elements;
    if (reply_.value == ValuePool::nil) return elements;
    for (const ValueId element : names_.values().list_elements(reply_.value)) {
      elements.push_back(names_.values().integer_of(element));
    }
    return elements;
  }
  /// Keys whose value is at least `least`.
  Status scan(std::size_t t, std::int64_t least) {
    return store_.execute(t, {.kind = OperationKind::predicate_read, .predicate = at_least(least)},
                          reply_);
  }
  std::vector<std::int64_t> selected(std::size_t t, std::int64_t least) {
    EXPECT_EQ(scan(t, least), Status::done);
    std::vector<std::int64_t> keys;
    for (const RowVersion& row : reply_.rows) {
      keys.push_back(names_.values().integer_of(names_.key_name(row.key)));
    }
    std::ranges::sort(keys);
    return keys;
  }
  std::size_t remove_where(std::size_t t, std::int64_t least) {
    EXPECT_EQ(
        store_.execute(t, {.kind = OperationKind::predicate_write, .predicate = at_least(least)},
                       reply_),
        Status::done);
    return reply_.rows.size();
  }
  Status commit(std::size_t t) { return store_.commit(t); }
  void abort(std::size_t t) { store_.abort(t); }

 private:
  PredicateId at_least(std::int64_t least) {
    return names_.predicate({.kind = Predicate::Kind::greater_equal,
                             .operand = Predicate::value_operand,
                             .constants = {Constant(least)},
                             .children = {}});
  }

  HistoryBuilder names_;
  Store store_;
  Reply reply_;
};

class EveryStore : public testing::TestWithParam<StoreEntry> {};

TEST_P(EveryStore, ReadsOwnWritesAndKeepsThemAtCommit) {
  Bench bench(GetParam().kind);
  bench.begin(0);
  EXPECT_EQ(bench.value(0, 1), 0);
  EXPECT_EQ(bench.write(0, 1, 5), Status::done);
  EXPECT_EQ(bench.value(0, 1), 5);
  EXPECT_EQ(bench.write(0, 1, 6), Status::done);
  EXPECT_EQ(bench.value(0, 1), 6);
  EXPECT_EQ(bench.commit(0), Status::done);
  // The same session sees it in every store.
  bench.begin(0);
  EXPECT_EQ(bench.value(0, 1), 6);
}

TEST_P(EveryStore, AbortedWritesLeaveNoTrace) {
  Bench bench(GetParam().kind);
  bench.begin(0).write(0, 1, 5);
  bench.append(0, 2, 7);
  bench.abort(0);
  bench.begin(0);
  EXPECT_EQ(bench.value(0, 1), 0);
  EXPECT_TRUE(bench.list(0, 2).empty());
  EXPECT_TRUE(bench.selected(0, 0).empty());
}

TEST_P(EveryStore, ListsGrowAndOwnElementsAreSeen) {
  Bench bench(GetParam().kind);
  bench.begin(0).append(0, 1, 5);
  EXPECT_EQ(bench.list(0, 1), std::vector<std::int64_t>{5});
  bench.append(0, 1, 6);
  EXPECT_EQ(bench.commit(0), Status::done);
  bench.begin(0).append(0, 1, 7);
  EXPECT_EQ(bench.list(0, 1), (std::vector<std::int64_t>{5, 6, 7}));
}

TEST_P(EveryStore, PredicatesSelectOwnWritesAndDeletedRowsAreGone) {
  Bench bench(GetParam().kind);
  bench.begin(0).write(0, 1, 5);
  bench.write(0, 2, 15);
  EXPECT_EQ(bench.selected(0, 10), std::vector<std::int64_t>{2});
  EXPECT_EQ(bench.commit(0), Status::done);
  bench.begin(0).write(0, 1, 25);
  bench.write(0, 3, 35);
  EXPECT_EQ(bench.selected(0, 10), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(bench.remove_where(0, 20), 2U);
  EXPECT_EQ(bench.selected(0, 0), std::vector<std::int64_t>{2});
  EXPECT_EQ(bench.value(0, 1), 0);
  EXPECT_EQ(bench.commit(0), Status::done);
  bench.begin(0);
  EXPECT_EQ(bench.selected(0, 0), std::vector<std::int64_t>{2});
}

INSTANTIATE_TEST_SUITE_P(Store, EveryStore, testing::ValuesIn(stores().begin(), stores().end()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(ReadUncommitted, ShowsWhatIsNotCommitted) {
  Bench bench(StoreKind::read_uncommitted);
  bench.begin(0).write(0, 1, 5);
  bench.begin(1);
  EXPECT_EQ(bench.value(1, 1), 5);
  EXPECT_EQ(bench.selected(1, 0), std::vector<std::int64_t>{1});
  bench.abort(0);
  EXPECT_EQ(bench.value(1, 1), 0);
}

TEST(ReadCommitted, ShowsEachCommitAtOnce) {
  Bench bench(StoreKind::read_committed);
  bench.begin(0).write(0, 1, 5);
  bench.begin(1);
  EXPECT_EQ(bench.value(1, 1), 0);
  bench.commit(0);
  EXPECT_EQ(bench.value(1, 1), 5);
}

TEST(Locks, TheOlderWaitsAndTheYoungerDies) {
  Bench bench(StoreKind::read_committed);
  bench.begin(0).begin(1);
  EXPECT_EQ(bench.write(1, 1, 5), Status::done);
  EXPECT_EQ(bench.write(0, 1, 6), Status::wait);
  EXPECT_EQ(bench.commit(1), Status::done);
  EXPECT_EQ(bench.write(0, 1, 6), Status::done);
  bench.begin(1);
  EXPECT_EQ(bench.write(1, 1, 7), Status::aborted);
  // It is over and can begin again.
  EXPECT_EQ(bench.begin(1).value(1, 1), 5);
}

TEST(SnapshotIsolation, ReadsTheStateOfItsBeginAndTheFirstCommitterWins) {
  Bench bench(StoreKind::snapshot_isolation);
  bench.begin(0).begin(1);
  bench.write(0, 1, 5);
  EXPECT_EQ(bench.commit(0), Status::done);
  EXPECT_EQ(bench.value(1, 1), 0);
  bench.write(1, 1, 6);
  EXPECT_EQ(bench.commit(1), Status::aborted);
  EXPECT_EQ(bench.begin(1).value(1, 1), 5);
}

TEST(SnapshotIsolation, AllowsWriteSkewAndTheSerializableStoresDoNot) {
  for (const auto& [kind, aborts] : {std::pair(StoreKind::snapshot_isolation, false),
                                     {StoreKind::serializable_ssi, true},
                                     {StoreKind::strict_serializable, true},
                                     {StoreKind::serializable_locking, true}}) {
    Bench bench(kind);
    bench.begin(0).begin(1);
    EXPECT_EQ(bench.value(0, 1) + bench.value(1, 2), 0);
    // A transaction that would have to wait gives up here.
    bool aborted = bench.write(0, 2, 5) != Status::done;
    aborted = bench.write(1, 1, 5) != Status::done || aborted;
    if (!aborted) aborted = bench.commit(0) == Status::aborted;
    if (!aborted) aborted = bench.commit(1) == Status::aborted;
    EXPECT_EQ(aborted, aborts) << name_of(kind);
  }
}

TEST(SerializableStores, NoticePhantoms) {
  for (const StoreKind kind : {StoreKind::serializable_ssi, StoreKind::strict_serializable,
                               StoreKind::serializable_locking}) {
    for (const Bug bug : {Bug::none, Bug::phantom_missed}) {
      Bench bench(kind, bug);
      bench.begin(0).begin(1);
      bool aborted = bench.scan(0, 10) != Status::done;
      aborted = bench.scan(1, 10) != Status::done || aborted;
      if (!aborted) aborted = bench.write(0, 1, 15) != Status::done;
      if (!aborted) aborted = bench.write(1, 2, 15) != Status::done;
      if (!aborted) aborted = bench.commit(0) == Status::aborted;
      if (!aborted) aborted = bench.commit(1) == Status::aborted;
      EXPECT_EQ(aborted, bug == Bug::none) << name_of(kind);
    }
  }
}

TEST(Bugs, DirtyRead) {
  Bench bench(StoreKind::snapshot_isolation, Bug::dirty_read);
  bench.begin(0).write(0, 1, 5);
  EXPECT_EQ(bench.begin(1).value(1, 1), 5);
}

TEST(Bugs, AbortedWriteVisible) {
  Bench bench(StoreKind::read_committed, Bug::aborted_write_visible);
  bench.begin(0).write(0, 1, 5);
  bench.abort(0);
  EXPECT_EQ(bench.begin(1).value(1, 1), 5);
}

TEST(Bugs, IntermediateWriteVisible) {
  Bench bench(StoreKind::read_committed, Bug::intermediate_write_visible);
  bench.begin(0).write(0, 1, 5);
  EXPECT_EQ(bench.begin(1).value(1, 1), 0);
  bench.write(0, 1, 6);
  EXPECT_EQ(bench.value(1, 1), 5);
  bench.commit(0);
  EXPECT_EQ(bench.value(1, 1), 6);
}

TEST(Bugs, LostUpdate) {
  for (const StoreKind kind : {StoreKind::snapshot_isolation, StoreKind::serializable_locking,
                               StoreKind::strict_serializable}) {
    Bench bench(kind, Bug::lost_update);
    bench.begin(0).begin(1);
    EXPECT_EQ(bench.value(0, 1) + bench.value(1, 1), 0);
    EXPECT_EQ(bench.write(0, 1, 5), Status::done);
    EXPECT_EQ(bench.commit(0), Status::done);
    EXPECT_EQ(bench.write(1, 1, 6), Status::done);
    EXPECT_EQ(bench.commit(1), Status::done);
  }
}

TEST(Bugs, OwnWriteInvisibleAfterAnEqualValue) {
  Bench bench(StoreKind::snapshot_isolation, Bug::own_write_invisible);
  bench.begin(0).begin(1);
  EXPECT_EQ(bench.value(0, 1), 0);
  bench.write(1, 1, 10);
  bench.commit(1);
  bench.write(0, 1, 10);
  EXPECT_EQ(bench.value(0, 1), 0);
}

TEST(Bugs, AcknowledgedCommitLost) {
  Bench bench(StoreKind::strict_serializable, Bug::acknowledged_commit_lost);
  bench.begin(0).write(0, 1, 5);
  EXPECT_EQ(bench.commit(0), Status::done);
  EXPECT_EQ(bench.begin(0).value(0, 1), 0);
}

TEST(Names, AreFoundAgainAndUnknownOnesAreListed) {
  for (const StoreEntry& row : stores()) EXPECT_EQ(*find_store(row.name), row.kind);
  for (const BugEntry& row : bugs()) EXPECT_EQ(*find_bug(row.name), row.bug);
  EXPECT_NE(find_store("mongo").error().what.find("serializable-ssi"), std::string::npos);
  EXPECT_NE(find_bug("typo").error().what.find("dirty-read"), std::string::npos);
}

TEST(Names, EveryBugMakesSenseSomewhereAndNoneEverywhereButTwo) {
  for (const BugEntry& bug : bugs()) {
    const auto count = std::ranges::count_if(
        stores(), [&](const StoreEntry& store) { return can_have(store.kind, bug.bug); });
    EXPECT_GT(count, 0) << bug.name;
    const bool everywhere = bug.bug == Bug::none || bug.bug == Bug::acknowledged_commit_lost;
    EXPECT_EQ(count == static_cast<std::ptrdiff_t>(stores().size()), everywhere) << bug.name;
  }
}

}  // namespace
}  // namespace isoscope
