// The order of the catalogue, held against the reference checker on random histories with
// everything in them: what it implies holds, and where it implies nothing some history tells the
// two levels apart. (tests/level/order_test.cpp does the same for executions, where more is known.)

#include <gtest/gtest.h>

#include "isoscope/history/format.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "test_scale.h"

namespace isoscope::reference {
namespace {

std::vector<Level> all_levels() {
  std::vector<Level> all;
  for (const LevelEntry& row : levels()) {
    all.push_back({row.id, true});
    all.push_back({row.id, false});
  }
  return all;
}

void expect_order(const RandomFeatures& features, std::uint64_t seed, int histories) {
  const std::vector<Level> all = all_levels();
  std::vector<int> count(all.size(), 0);
  Random random(seed);
  for (int i = 0; i < histories * test_scale(); ++i) {
    const History history = random_history(random, features);
    // Whatever transactions of unknown outcome do to sessions.
    const std::vector<bool> at = satisfied(history, all, {.indeterminate_cuts = i % 3 != 0});
    for (std::size_t a = 0; a < all.size(); ++a) {
      count[a] += at[a];
      for (std::size_t b = 0; b < all.size(); ++b) {
        ASSERT_TRUE(!at[a] || at[b] || !implies(all[a], all[b]))
            << text_of(history) << "\nis " << text_of(all[a]) << " but not " << text_of(all[b]);
      }
    }
  }
  for (std::size_t a = 0; a < all.size(); ++a) {  // both answers are common
    EXPECT_GT(count[a], histories / 50) << text_of(all[a]);
    EXPECT_LT(count[a], histories * test_scale() * 49 / 50) << text_of(all[a]);
  }
}

TEST(ReferenceImplications, HoldForRegisters) {
  expect_order({.lists = false, .predicates = false}, 1, 10'000);
}

TEST(ReferenceImplications, HoldForLists) {
  expect_order({.keys = 2, .predicates = false}, 2, 10'000);
}

TEST(ReferenceImplications, HoldForPredicates) { expect_order({.lists = false}, 3, 10'000); }

TEST(ReferenceImplications, HoldForEverythingTogether) {
  expect_order({.most_transactions = 5}, 4, 3'000);
}

/// The next history that may tell levels apart. Two cases are too rare to wait for.
History telling_history(Random& random, int i) {
  const char* const rare[] = {"w(x,1) | w(y,1) | r(x,1) r(y,nil) | r(y,1) r(x,nil)\n",  // long fork
                              "a(x,1) a(y,1) | a(x,2) a(y,2) | r(x,[1 2]) r(y,[2 1])\n"};  // G0
  if (i < 2) return *read_history(Source::from_memory("rare", rare[i]));
  return random_history(
      random,
      {.most_transactions = 5, .keys = 2 + i % 2, .lists = i % 3 != 0, .predicates = i % 4 == 0});
}

TEST(ReferenceImplications, LeaveOutOnlyWhatIsNotTrue) {
  const std::vector<Level> all = all_levels();
  std::vector<std::vector<bool>> apart(all.size(), std::vector<bool>(all.size(), false));
  Random random(77);
  for (int i = 0; i < 100'000; ++i) {
    const std::vector<bool> at = satisfied(telling_history(random, i), all);
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = 0; b < all.size(); ++b) {
        if (at[a] && !at[b]) apart[a][b] = true;
      }
    }
  }
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      EXPECT_NE(apart[a][b], implies(all[a], all[b]))
          << text_of(all[a]) << " and " << text_of(all[b]);
    }
  }
}

}  // namespace
}  // namespace isoscope::reference
