#include "isoscope/base/option_table.h"

#include <gtest/gtest.h>

namespace isoscope {
namespace {

constexpr OptionSpec table[] = {
    {"quiet", OptionType::flag, "", "", "say nothing"},
    {"name", OptionType::text, "nobody", "", "whom to greet"},
    {"count", OptionType::integer, "3", "-2..10", "how often"},
    {"share", OptionType::decimal, "0.5", "0..3", "how evenly"},
    {"colour", OptionType::choice, "red", "red|green|light blue", "which one"},
    {"time", OptionType::duration, "", "", "how long"},
    {"memory", OptionType::size, "2M", "", "how much"},
    {"names", OptionType::list, "", "", "of whom"},
};

TEST(Options, StartAtTheirDefaults) {
  const Options options(table);
  EXPECT_FALSE(options.flag("quiet"));
  EXPECT_EQ(options.text("name"), "nobody");
  EXPECT_EQ(options.number("count"), 3);
  EXPECT_EQ(options.text("colour"), "red");
  EXPECT_EQ(options.number("memory"), 2 << 20);
  for (const OptionSpec& spec : table) EXPECT_FALSE(options.is_set(spec.name)) << spec.name;
}

TEST(Options, TakeWhatIsInRange) {
  Options options(table);
  EXPECT_TRUE(options.set("quiet", ""));
  EXPECT_TRUE(options.flag("quiet"));
  EXPECT_TRUE(options.set("count", "-2"));
  EXPECT_EQ(options.number("count"), -2);
  EXPECT_TRUE(options.set("count", "10"));
  EXPECT_TRUE(options.is_set("count"));
  EXPECT_TRUE(options.set("colour", "light blue"));
  EXPECT_TRUE(options.set("time", "250ms"));
  EXPECT_EQ(options.number("time"), 250'000'000);
}

TEST(Options, RefuseTheRestAndKeepWhatTheyHad) {
  Options options(table);
  for (const char* text : {"11", "-3", "", "1x", "x", " 1", "1.0", "99999999999999999999"}) {
    const Status status = options.set("count", text);
    ASSERT_FALSE(status) << text;
    EXPECT_EQ(status.error().what,
              "--count: expected a whole number from -2 to 10, found '" + std::string(text) + "'");
  }
  EXPECT_EQ(options.number("count"), 3);
  EXPECT_FALSE(options.is_set("count"));
  for (const char* text : {"blue", "", "red|green", "light", "Red"}) {
    EXPECT_FALSE(options.set("colour", text)) << text;
  }
  EXPECT_EQ(options.set("colour", "blue").error().what,
            "--colour: expected one of red|green|light blue, found 'blue'");
  EXPECT_EQ(options.set("time", "soon").error().what,
            "--time: expected a duration such as 250ms, 10s, 5m or 1h, found 'soon'");
}

TEST(Options, ListsAddUp) {
  Options options(table);
  EXPECT_TRUE(options.list("names").empty());
  EXPECT_TRUE(options.set("names", "ann,bob"));
  EXPECT_TRUE(options.set("names", "carol"));
  EXPECT_EQ(options.list("names"), (std::vector<std::string>{"ann", "bob", "carol"}));
  for (const char* text : {"", ",", "a,", ",a", "a,,b"})
    EXPECT_FALSE(options.set("names", text)) << text;
  EXPECT_EQ(options.list("names").size(), 3u);
}

TEST(Options, DecimalsAreHeldInHundredths) {
  Options options(table);
  EXPECT_EQ(options.number("share"), 50);
  for (const auto& [text, number] :
       {std::pair("0", 0), {"1", 100}, {"1.5", 150}, {"0.99", 99}, {"2.05", 205}, {"3.00", 300}}) {
    EXPECT_TRUE(options.set("share", text)) << text;
    EXPECT_EQ(options.number("share"), number) << text;
  }
  for (const char* text :
       {"", ".", "1.", ".5", "1.234", "3.01", "-1", "1e1", "1.5x", "1,5", "+1"}) {
    const Status status = options.set("share", text);
    ASSERT_FALSE(status) << text;
    EXPECT_EQ(status.error().what,
              "--share: expected a number with at most two decimals from 0 to 3, found '" +
                  std::string(text) + "'");
  }
}

TEST(Duration, UnitsAndFractions) {
  EXPECT_EQ(*parse_duration("7ns"), 7);
  EXPECT_EQ(*parse_duration("7us"), 7'000);
  EXPECT_EQ(*parse_duration("1.5s"), 1'500'000'000);
  EXPECT_EQ(*parse_duration("5m"), 300'000'000'000);
  EXPECT_EQ(*parse_duration("1h"), 3'600'000'000'000);
  EXPECT_EQ(*parse_duration("0s"), 0);
  for (const char* text :
       {"", "5", "s", "-1s", "1 s", "1S", "1e3s", "nans", "infs", "99999999999999999999h", "1ss"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Size, PowersOf1024) {
  EXPECT_EQ(*parse_size("7"), 7);
  EXPECT_EQ(*parse_size("512K"), 512 << 10);
  EXPECT_EQ(*parse_size("100M"), 100 << 20);
  EXPECT_EQ(*parse_size("2G"), std::int64_t{2} << 30);
  EXPECT_EQ(*parse_size("0.5K"), 512);
  for (const char* text : {"", "K", "-1", "1T", "1k", "0x10", "99999999999999G"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
}

#ifndef ISOSCOPE_NO_CONTRACTS
TEST(OptionsDeathTest, AnOptionThatIsNotInTheTableIsABrokenContract) {
  Options options(table);
  EXPECT_DEATH(static_cast<void>(options.text("nmae")), "requirement on the caller");
  EXPECT_DEATH(static_cast<void>(options.flag("name")), "requirement on the caller");
}
#endif

}  // namespace
}  // namespace isoscope
