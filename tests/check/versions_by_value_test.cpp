#include "check/strong/problem/versions_by_value.h"

#include <gtest/gtest.h>

#include "isoscope/base/random.h"

namespace isoscope::strong {
namespace {

TEST(VersionsByValue, AreThoseThatALookAtAllVersionsFinds) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    // In some rounds values are hardly repeated, in others all keys share a handful.
    const std::uint32_t keys = 1 + static_cast<std::uint32_t>(random.below(20));
    const std::uint32_t values = 4 + static_cast<std::uint32_t>(random.below(round % 2 ? 8 : 400));
    OrderProblem p;
    for (std::uint64_t i = random.below(300); i > 0; --i) {
      const auto key = static_cast<std::uint32_t>(random.below(keys));
      p.versions.push_back(
          {KeyId(key), 1, ValueId(static_cast<std::uint32_t>(random.below(values)))});
    }
    const VersionsByValue index(p, values);
    for (std::uint32_t key = 0; key < keys; ++key) {
      for (std::uint32_t value = 0; value < values; ++value) {
        if (ValueId(value) == ValuePool::unreported) continue;  // nobody can have read that
        std::vector<std::uint64_t> expected;
        for (const VersionId v : p.versions.ids()) {
          if (p.versions[v].key != KeyId(key) || p.versions[v].value != ValueId(value)) continue;
          expected.push_back(std::uint64_t{key} << 32 | v.value);
        }
        const auto found = index.find(KeyId(key), ValueId(value));
        ASSERT_EQ(std::vector(found.begin(), found.end()), expected) << key << " " << value;
      }
    }
  }
}

}  // namespace
}  // namespace isoscope::strong
