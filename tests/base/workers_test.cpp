#include "isoscope/base/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <vector>

namespace isoscope {
namespace {

TEST(Workers, DoEveryPartOnce) {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    for (const std::size_t parts : {0u, 1u, 2u, 1000u}) {
      std::vector<int> done(parts, 0);
      Workers(threads).run(parts, [&](std::size_t part) { ++done[part]; });
      EXPECT_EQ(done, std::vector<int>(parts, 1)) << threads << " threads";
    }
  }
}

TEST(Workers, AreAtLeastOne) { EXPECT_GE(Workers(0).threads(), 1u); }

TEST(Workers, PassOnWhatIsThrown) {
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<int> done = 0;
    const auto part = [&](std::size_t i) {
      if (i == 3) throw std::bad_alloc();
      ++done;
    };
    EXPECT_THROW(Workers(threads).run(100, part), std::bad_alloc);
    EXPECT_LT(done, 100);
  }
}

}  // namespace
}  // namespace isoscope
