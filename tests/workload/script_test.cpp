#include "isoscope/workload/script.h"

#include <gtest/gtest.h>

#include <new>

namespace isoscope {
namespace {

Script runs_out_of_memory(int requests) {
  for (int i = 0; i < requests; ++i) co_yield Request{};
  throw std::bad_alloc();
  co_return Ending::commit;
}

/// Values are made inside scripts, so an allocation that a memory limit refuses may be there.
TEST(Script, PassesOnThatMemoryRanOut) {
  Script at_once = runs_out_of_memory(0);
  EXPECT_THROW(at_once.start(), std::bad_alloc);

  Script later = runs_out_of_memory(1);
  EXPECT_NE(later.start(), nullptr);
  EXPECT_THROW(later.resume(Reply{}), std::bad_alloc);
}

}  // namespace
}  // namespace isoscope
