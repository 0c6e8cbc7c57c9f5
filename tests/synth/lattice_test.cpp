#include "isoscope/synth/lattice.h"

#include <algorithm>

#include "isoscope/synth/describe.h"
#include "synth/examples.h"

namespace isoscope::synth {
namespace {

using Definitions = std::vector<spec::Definition>;

Definitions levels_named(const std::vector<std::string>& names) {
  Definitions definitions;
  for (const std::string& name : names) definitions.push_back(level(name));
  return definitions;
}

Lattice lattice_of(const Definitions& definitions, const Scope& scope) {
  std::vector<const spec::Definition*> levels;
  for (const spec::Definition& definition : definitions) levels.push_back(&definition);
  Progress progress;
  const Limits limits;
  auto result = lattice(levels, scope, {}, limits, progress);
  EXPECT_TRUE(result) << result.error().text();
  return *std::move(result);
}

/// Everything that the result says, asked again one by one.
void expect_backed(const Lattice& result, const Scope& scope) {
  const Limits limits;
  Progress progress;
  for (const Lattice::Separator& separator : result.separators) {
    for (std::size_t i = 0; i < result.levels.size(); ++i) {
      const auto allowed = is_allowed(*result.levels[i], separator.example.history, limits);
      EXPECT_EQ(allowed->execution.has_value(), separator.allowed[i]);
    }
  }
  for (std::size_t i = 0; i < result.levels.size(); ++i) {
    for (std::size_t j = 0; j < result.levels.size(); ++j) {
      EXPECT_EQ(result.implies[i][j], !result.separator(i, j).has_value());
      const Question question{.allow = {result.levels[i]}, .forbid = {result.levels[j]}};
      const Synthesis answer = find_history(question, scope, {}, limits, progress);
      EXPECT_EQ(result.implies[i][j], answer.kind == Synthesis::Kind::none)
          << result.levels[i]->name << " " << result.levels[j]->name;
    }
  }
}

TEST(Lattice, OfLevelsOfTheCatalogueIsTheCatalogues) {
  const Definitions levels =
      levels_named({"RC", "RA", "UA", "CC", "PC", "PSI", "SI", "update-serializable", "SER"});
  const Scope scope{.transactions = 4, .keys = 2};
  const Lattice result = lattice_of(levels, scope);
  EXPECT_EQ(result.groups.size(), levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (std::size_t j = 0; j < levels.size(); ++j) {
      EXPECT_EQ(result.implies[i][j],
                implies(*find_level(*levels[i].defines), *find_level(*levels[j].defines)))
          << levels[i].name << " " << levels[j].name;
    }
  }
}

TEST(Lattice, EveryArrowAndEveryMissingOneIsBacked) {
  const Definitions levels = levels_named({"RA", "UA", "CC", "SI", "TapRA", "SER"});
  const Scope scope{.transactions = 3, .keys = 2};
  expect_backed(lattice_of(levels, scope), scope);
}

/// Levels that look at real time, at the order of reads, and at neither, on the same histories.
TEST(Lattice, TakesLevelsThatLookAtDifferentThings) {
  const Definitions levels =
      levels_named({"RC", "SER", "strict-serializable", "strong-read-committed", "PL-1"});
  const Scope scope{.transactions = 2, .keys = 2};
  const Lattice result = lattice_of(levels, scope);
  expect_backed(result, scope);
  EXPECT_TRUE(result.implies[2][3]);
  EXPECT_FALSE(result.implies[1][3]);
}

TEST(Lattice, GroupsWhatIsEquivalentAndLinksNeighbours) {
  const Definitions levels =
      levels_named({"cerone/RA", "biswas-enea/RA", "cerone/SER", "crooks/RA", "biswas-enea/SI"});
  const Lattice result = lattice_of(levels, {.transactions = 3, .keys = 2});
  ASSERT_EQ(result.groups.size(), 3u);
  EXPECT_EQ(result.groups[0], (Lattice::Group{2}));
  EXPECT_EQ(result.groups[1], (Lattice::Group{4}));
  EXPECT_EQ(result.groups[2], (Lattice::Group{0, 1, 3}));
  ASSERT_EQ(result.covers.size(), 2u);
  EXPECT_EQ(result.covers[0].upper, 0u);
  EXPECT_EQ(result.covers[0].lower, 1u);
  EXPECT_EQ(result.covers[1].upper, 1u);
  EXPECT_EQ(result.covers[1].lower, 2u);
  // Write skew, with four operations.
  const Example& skew = result.separators[result.covers[0].separator].example;
  EXPECT_EQ(size_of(skew.history), (Size{2, 2, 4}));
}

TEST(Lattice, SaysHowMuchIsUndecidedAtALimit) {
  const Definitions definitions = levels_named({"SI", "SER"});
  const std::vector<const spec::Definition*> levels = {&definitions[0], &definitions[1]};
  Progress progress;
  Limits limits;
  limits.request_stop();
  const auto result = lattice(levels, {}, {}, limits, progress);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->is_complete);
  EXPECT_EQ(result->undecided, (std::vector<Lattice::Pair>{{0, 1}, {1, 0}}));
  EXPECT_EQ(result->groups, (std::vector<Lattice::Group>{{0}, {1}}));
  EXPECT_TRUE(result->covers.empty());
  EXPECT_NE(lattice_text(*result, {}).find("Not decided is whether\n    biswas-enea/SI implies "),
            std::string::npos);
  EXPECT_NE(
      lattice_json(*result, {}).find("\"undecided\":[[\"biswas-enea/SI\",\"biswas-enea/SER\"]"),
      std::string::npos);
}

/// Stops a computation after a given number of reports.
class Stopping : public Progress {
 public:
  Stopping(Limits& limits, std::uint64_t reports) : limits_(limits), left_(reports) {}
  void advance(std::uint64_t) override {
    if (left_ == 0) limits_.request_stop();
    left_ -= left_ > 0 ? 1 : 0;
  }

 private:
  Limits& limits_;
  std::uint64_t left_;
};

/// Whenever it is stopped, what it says so far is what it says in the end.
TEST(Lattice, WhatIsKnownAtALimitIsSo) {
  const Definitions definitions = levels_named({"RA", "UA", "CC", "SI", "cerone/SI", "SER"});
  std::vector<const spec::Definition*> levels;
  for (const spec::Definition& one : definitions) levels.push_back(&one);
  const Scope scope{.transactions = 3, .keys = 2};
  const Lattice whole = lattice_of(definitions, scope);
  EXPECT_TRUE(whole.is_complete);
  std::uint64_t reports = 0;
  std::size_t undecided = levels.size() * levels.size();
  for (bool is_complete = false; !is_complete; ++reports) {
    Limits limits;
    Stopping progress(limits, reports);
    const auto part = lattice(levels, scope, {}, limits, progress);
    ASSERT_TRUE(part) << part.error().text();
    is_complete = part->is_complete;
    EXPECT_LE(part->undecided.size(), undecided);
    undecided = part->undecided.size();
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (std::size_t j = 0; j < levels.size(); ++j) {
        const bool open = std::ranges::count(part->undecided, Lattice::Pair(i, j)) != 0;
        EXPECT_EQ(part->implies[i][j], !open && whole.implies[i][j]) << i << " " << j;
      }
    }
    for (const Lattice::Cover& cover : part->covers) {
      const Lattice::Separator& told = part->separators[cover.separator];
      EXPECT_TRUE(told.allowed[part->groups[cover.lower][0]]);
      EXPECT_FALSE(told.allowed[part->groups[cover.upper][0]]);
    }
    EXPECT_FALSE(lattice_svg(*part, scope).empty());
  }
  EXPECT_GT(reports, 10u);
  EXPECT_EQ(undecided, 0u);
}

TEST(Lattice, ALevelThatAllowsNothingHasNoPlace) {
  Definitions definitions = levels_named({"SI", "SER"});
  definitions.push_back(level_from("axiom no: false"));
  definitions.push_back(level_from("axiom yes: true"));
  const Scope scope{.transactions = 2, .keys = 2};
  const Lattice result = lattice_of(definitions, scope);
  EXPECT_EQ(result.extents,
            (std::vector{Extent::some, Extent::some, Extent::nothing, Extent::everything}));
  EXPECT_EQ(result.groups, (std::vector<Lattice::Group>{{1}, {0}, {3}}));
  EXPECT_NE(lattice_text(result, scope).find("allows no history"), std::string::npos);
  EXPECT_NE(lattice_svg(result, scope).find("allows no history"), std::string::npos);
  EXPECT_NE(lattice_json(result, scope).find("\"allow-nothing\":[\"my.level\"]"),
            std::string::npos);
}

}  // namespace
}  // namespace isoscope::synth
