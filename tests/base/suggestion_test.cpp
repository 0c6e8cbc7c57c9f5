#include "isoscope/base/suggestion.h"

#include <gtest/gtest.h>

namespace isoscope {
namespace {

TEST(Suggestion, IsTheNearestNameThatStillResemblesTheWord) {
  const std::vector<std::string> known = {"check", "convert", "compare", "stats", "stores"};
  EXPECT_EQ(nearest_name("chekc", known), "check");
  EXPECT_EQ(nearest_name("covert", known), "convert");
  EXPECT_EQ(nearest_name("store", known), "stores");
  EXPECT_EQ(nearest_name("stat", known), "stats");
  EXPECT_EQ(nearest_name("help", known), std::nullopt);
  EXPECT_EQ(nearest_name("", known), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1000, 'c'), known), std::nullopt);
  EXPECT_EQ(nearest_name("check", {}), std::nullopt);
  EXPECT_EQ(did_you_mean("chek", known), "; did you mean `check`?");
  EXPECT_EQ(did_you_mean("nothing", known), "");
}

}  // namespace
}  // namespace isoscope
