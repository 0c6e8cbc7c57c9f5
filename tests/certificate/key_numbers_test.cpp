#include <gtest/gtest.h>

#include "isoscope/certificate/certificate.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"

namespace isoscope {
namespace {

/// The keys in the order of their numbers, as "table.name".
std::string numbered(const History& history) {
  const KeyNumbers numbers(history);
  std::string text;
  for (std::uint32_t number = 1; numbers.key(number); ++number) {
    const KeyId key = *numbers.key(number);
    EXPECT_EQ(numbers.number(key), number);
    const ValueId name = history.key_name(key);
    const bool is_integer = history.values().kind(name) == ValueKind::integer;
    text += (text.empty() ? "" : " ") + std::string(history.table_name(history.key_table(key))) +
            "." +
            (is_integer ? std::to_string(history.values().integer_of(name))
                        : std::string(history.values().string_of(name)));
  }
  EXPECT_FALSE(numbers.key(0));
  EXPECT_FALSE(numbers.key(static_cast<std::uint32_t>(history.key_count()) + 1));
  return text;
}

History read(const std::string& litmus) {
  const Source source = Source::from_memory("in", litmus);
  Result<History> history = read_history(source, {.format = Format::litmus});
  EXPECT_TRUE(history) << litmus;
  return *std::move(history);
}

TEST(KeyNumbers, FirstThoseThatOperationsName) {
  EXPECT_EQ(numbered(read("a: T1! w(z,1) r(y,nil) ; T2 r(z,1) rp(true, {x:1 y:2}) a(l,1)")),
            ".z .y .x .l");
  EXPECT_EQ(numbered(read("a: T1 wp(t: true, {3:1}) w(3,1)")), "t.3 .3");
  EXPECT_EQ(numbered(read("a: T1 rp(true, {})")), "");
}

TEST(KeyNumbers, ThenTheOthersByTableAndName) {
  EXPECT_EQ(numbered(read("initial nil u.a=1 t.b=1 t.10=1 t.9=1 x=1 y=1 t.a=1\n"
                          "a: T1 rp(t: true, {a:1}) w(y,2)")),
            "t.a .y .x t.9 t.10 t.b u.a");
}

TEST(KeyNumbers, DoNotDependOnIds) {
  const auto make = [](bool backwards) {
    HistoryBuilder builder;
    for (int i = 0; i < 20; ++i) {
      const auto name = builder.values().integer(backwards ? 20 - i : i + 1);
      builder.set_initial(builder.key(name), name);
    }
    builder.begin_transaction(builder.add_session());
    builder.read(builder.key("x"), ValuePool::nil);
    return numbered(std::move(builder).finish());
  };
  EXPECT_EQ(make(true), make(false));
}

}  // namespace
}  // namespace isoscope
