#include "store/latest_rows.h"

#include <gtest/gtest.h>

#include "isoscope/base/random.h"
#include "isoscope/store/store.h"

namespace isoscope {
namespace {

using Kind = Predicate::Kind;

Predicate compare(Kind kind, std::vector<Constant> constants) {
  return {.kind = kind, .operand = "v", .constants = std::move(constants), .children = {}};
}

Constant number(std::int64_t value) { return value; }

TEST(OperandRange, IsWhatComparisonsWithIntegersImply) {
  const auto expect = [](const Predicate& predicate, std::int64_t low, std::int64_t high) {
    const auto range = range_of(predicate);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->operand, "v");
    EXPECT_EQ(range->low, low);
    EXPECT_EQ(range->high, high);
  };
  expect(compare(Kind::equal, {number(5)}), 5, 5);
  expect(compare(Kind::less, {number(5)}), INT64_MIN, 5);
  expect(compare(Kind::less_equal, {number(5)}), INT64_MIN, 5);
  expect(compare(Kind::greater, {number(5)}), 5, INT64_MAX);
  expect(compare(Kind::greater_equal, {number(5)}), 5, INT64_MAX);
  expect(compare(Kind::between, {number(5), number(9)}), 5, 9);
  expect({.kind = Kind::conjunction,
          .operand = {},
          .constants = {},
          .children = {compare(Kind::is_null, {}), compare(Kind::equal, {number(3)})}},
         3, 3);
}

TEST(OperandRange, IsNotThereOtherwise) {
  const Predicate five = compare(Kind::equal, {number(5)});
  const auto of = [](Kind kind, std::vector<Predicate> children) {
    return Predicate{.kind = kind, .operand = {}, .constants = {}, .children = std::move(children)};
  };
  EXPECT_FALSE(range_of(Predicate{}));
  EXPECT_FALSE(range_of(of(Kind::negation, {five})));
  EXPECT_FALSE(range_of(of(Kind::disjunction, {five, five})));
  EXPECT_FALSE(range_of(of(Kind::conjunction, {})));
  EXPECT_FALSE(range_of(compare(Kind::not_equal, {number(5)})));
  EXPECT_FALSE(range_of(compare(Kind::modulo, {number(5), number(0)})));
  EXPECT_FALSE(range_of(compare(Kind::equal, {Constant(std::string("5"))})));
  EXPECT_FALSE(range_of(compare(Kind::between, {number(5), Constant()})));
}

/// Every scan twice, in a form that the index serves and in one that it does not: at any moment of
/// any run the rows must be the same.
class IndexedScans : public testing::TestWithParam<std::pair<StoreKind, Bug>> {};

TEST_P(IndexedScans, ReturnTheSameRows) {
  const auto [kind, bug] = GetParam();
  std::size_t rows_seen = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    HistoryBuilder names;
    ValuePool& values = names.values();
    const TableId table = names.table("t");
    const auto key = [&](std::uint64_t i) {
      return names.key(values.integer(static_cast<std::int64_t>(i)), table);
    };
    const auto row = [&](std::uint64_t v) {
      const Column column{values.string("v"), values.integer(static_cast<std::int64_t>(v))};
      return values.row({&column, 1});
    };
    const std::vector<RowVersion> initial = {{key(0), row(1)}, {key(1), row(5)}, {key(2), row(9)}};
    constexpr std::size_t sessions = 4;
    Store store({.kind = kind, .bug = bug, .sessions = sessions, .lag = 5, .seed = seed}, names,
                initial);
    Random random(seed);
    bool running[sessions] = {};
    for (int step = 0; step < 400; ++step) {
      const std::size_t session = random.below(sessions);
      if (!running[session]) {
        store.begin(session);
        running[session] = true;
        continue;
      }
      Reply reply;
      const std::uint64_t choice = random.below(10);
      if (choice < 5) {
        Predicate range;
        range.kind = Kind::between;
        range.operand = random.chance(70) ? "v" : Predicate::key_operand;
        const auto low = static_cast<std::int64_t>(random.below(10));
        range.constants = {number(low), number(low + 3)};
        Predicate twice_not{.kind = Kind::negation, .operand = {}, .constants = {}, .children = {}};
        twice_not.children = {
            {.kind = Kind::negation, .operand = {}, .constants = {}, .children = {range}}};
        std::vector<RowVersion> first;
        Request request{.kind = OperationKind::predicate_read,
                        .table = table,
                        .predicate = names.predicate(range)};
        Store::Status answer = store.execute(session, request, reply);
        if (answer == Store::Status::done) {
          first.assign(reply.rows.begin(), reply.rows.end());
          rows_seen += first.size();
          request.predicate = names.predicate(twice_not);
          answer = store.execute(session, request, reply);
          ASSERT_EQ(answer, Store::Status::done);
          ASSERT_EQ(std::vector(reply.rows.begin(), reply.rows.end()), first);
        }
        running[session] = answer != Store::Status::aborted;
      } else if (choice < 8) {
        const bool removes = random.chance(20);
        const Request request{.kind = removes ? OperationKind::remove : OperationKind::write,
                              .key = key(random.below(6)),
                              .value = removes ? ValuePool::nil : row(random.below(12))};
        running[session] = store.execute(session, request, reply) != Store::Status::aborted;
      } else {
        if (choice == 8) {
          store.commit(session);
        } else {
          store.abort(session);
        }
        running[session] = false;
      }
    }
  }
  EXPECT_GT(rows_seen, 1000U);
}

std::vector<std::pair<StoreKind, Bug>> stores_and_views() {
  std::vector<std::pair<StoreKind, Bug>> all;
  for (const StoreEntry& store : stores()) {
    // Bugs that change the view at begin; those that strike from read to read would differ anyway.
    for (const Bug bug : {Bug::none, Bug::fractured_read, Bug::long_fork, Bug::session_order_broken,
                          Bug::aborted_write_visible, Bug::acknowledged_commit_lost}) {
      if (can_have(store.kind, bug)) all.emplace_back(store.kind, bug);
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Store, IndexedScans, testing::ValuesIn(stores_and_views()));

}  // namespace
}  // namespace isoscope
