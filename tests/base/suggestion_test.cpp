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

TEST(Suggestion, OfSeveralNamesTakesThoseThatAreAboutAsNear) {
  std::vector<KnownName> known;
  for (const std::string name : {"cerone/SER", "cerone/SI", "cerone/PSI", "adya/PL-3"}) {
    known.push_back({name, name});
    known.push_back({name, name.substr(name.find('/') + 1)});
  }
  const auto near = [&](std::string_view wrong, std::size_t most = 3) {
    return nearest_names(wrong, known, most);
  };
  EXPECT_EQ(near("cerone/SEX"), (std::vector<std::string>{"cerone/SER", "cerone/SI"}));
  EXPECT_EQ(near("cerone/SEX", 1), (std::vector<std::string>{"cerone/SER"}));
  EXPECT_EQ(near("sre"), (std::vector<std::string>{"cerone/SER"}));  // by its last part
  EXPECT_EQ(near("pl_3"), (std::vector<std::string>{"adya/PL-3"}));
  EXPECT_EQ(near("one"), (std::vector<std::string>{"cerone/SI", "cerone/SER", "cerone/PSI"}));
  EXPECT_EQ(near("on"), std::vector<std::string>{});  // too short a part
}

TEST(Suggestion, CapitalLettersDoNotMatter) {
  EXPECT_EQ(nearest_name("CHECK", {"convert", "check"}), "check");
}

}  // namespace
}  // namespace isoscope
