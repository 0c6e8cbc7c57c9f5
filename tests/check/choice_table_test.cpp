#include "check/strong/search/choice_table.h"

#include <gtest/gtest.h>

#include <map>

#include "isoscope/base/random.h"

namespace isoscope::strong {
namespace {

TEST(ChoiceTable, IsAMapOfPairs) {
  Random random(1);
  ChoiceTable table;
  std::map<std::pair<ReadId, VersionId>, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const ReadId first(random.below(100));
    const VersionId second(random.below(100) << 20);
    const auto known = expected.find({first, second});
    ASSERT_EQ(table.find(first, second),
              known == expected.end() ? std::nullopt : std::optional(known->second));
    std::uint32_t& variable = table.at(first, second);
    ASSERT_EQ(variable == none, known == expected.end());
    if (variable == none) expected[{first, second}] = variable = i;
  }
}

}  // namespace
}  // namespace isoscope::strong
