#include "check/reads/list_search.h"

#include <gtest/gtest.h>

namespace isoscope {
namespace {

using Explained = ListSearch::Explained;

std::vector<ValueId> ids(std::string_view letters) {
  std::vector<ValueId> result;
  for (const char letter : letters) result.emplace_back(static_cast<std::size_t>(letter));
  return result;
}

struct Puzzle {
  explicit Puzzle(std::initializer_list<std::string_view> blocks) {
    for (const std::string_view block : blocks) search.add_block(ids(block));
    search.prepare();
  }
  Explained ask(std::string_view list, std::size_t excluded = ListSearch::no_block) {
    std::uint64_t work = 0;
    return search.explain(ids(list), excluded, work);
  }
  ListSearch search;
};

TEST(ListSearch, FindsABlockForEveryPart) {
  Puzzle puzzle({"ab", "a", "ba"});
  EXPECT_EQ(puzzle.ask(""), Explained::yes);
  EXPECT_EQ(puzzle.ask("aab"), Explained::yes);
  EXPECT_EQ(puzzle.ask("aba"), Explained::yes);
  EXPECT_EQ(puzzle.ask("abaab"), Explained::yes);
  EXPECT_EQ(puzzle.ask("ababab"), Explained::no);
  EXPECT_EQ(puzzle.ask("abbaa"), Explained::yes);
  EXPECT_EQ(puzzle.ask("b"), Explained::no);
  EXPECT_EQ(puzzle.ask("aa"), Explained::no);
  EXPECT_EQ(puzzle.ask("c"), Explained::no);
}

TEST(ListSearch, TakesBackWhatDoesNotLeadOn) {
  Puzzle puzzle({"a", "ab", "bc"});
  EXPECT_EQ(puzzle.ask("abc"), Explained::yes);
  EXPECT_EQ(puzzle.ask("abbc"), Explained::yes);
}

TEST(ListSearch, UsesEachBlockOnceAndNotTheExcludedOne) {
  Puzzle puzzle({"a", "a", "b"});
  EXPECT_EQ(puzzle.ask("aab"), Explained::yes);
  EXPECT_EQ(puzzle.ask("aaa"), Explained::no);
  EXPECT_EQ(puzzle.ask("aa", 1), Explained::no);
  EXPECT_EQ(puzzle.ask("a", 1), Explained::yes);
  EXPECT_EQ(puzzle.ask("aab"), Explained::yes);  // nothing is left over from before
}

TEST(ListSearch, ManyEqualBlocksAreNoPuzzle) {
  ListSearch search;
  for (int i = 0; i < 5000; ++i) search.add_block(ids("a"));
  search.prepare();
  std::uint64_t work = 0;
  EXPECT_EQ(search.explain(ids(std::string(5000, 'a')), 0, work), Explained::no);
  EXPECT_EQ(search.explain(ids(std::string(5000, 'a')), ListSearch::no_block, work),
            Explained::yes);
  EXPECT_LT(work, 100000u);
}

TEST(ListSearch, GivesUpInsteadOfSearchingForever) {
  ListSearch search;
  for (int size = 10; size < 40; ++size)
    search.add_block(ids(std::string(static_cast<std::size_t>(size), 'a')));
  search.add_block(ids("b"));
  search.prepare();
  std::uint64_t work = 0;
  EXPECT_EQ(search.explain(ids(std::string(300, 'a') + "c"), ListSearch::no_block, work),
            Explained::gave_up);
  EXPECT_LT(work, 50000u);
}

}  // namespace
}  // namespace isoscope
