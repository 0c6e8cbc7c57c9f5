#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "every_structure.h"
#include "isoscope/spec/evaluate.h"
#include "isoscope/synth/synthesize.h"
#include "shipped.h"

namespace isoscope::synth {
namespace {

using spec::Definition;
using spec::Structure;

Definition own_level(const std::string& name, const std::string& text) {
  auto definition = spec::read_definition({name, text}, spec::find_shipped);
  EXPECT_TRUE(definition) << text << "\n" << definition.error().text();
  return *std::move(definition);
}

Synthesis smallest(const std::vector<const Definition*>& allow,
                   const std::vector<const Definition*>& forbid, const Scope& scope = {}) {
  Limits limits;
  Progress progress;
  return find_smallest({allow, forbid}, scope, {}, limits, progress);
}

// Judged without any solver, both ways.
void expect_confirmed(const Synthesis& answer, const std::vector<const Definition*>& allow,
                      const std::vector<const Definition*>& forbid) {
  ASSERT_TRUE(answer.found);
  for (std::size_t i = 0; i < allow.size(); ++i)
    EXPECT_TRUE(judge(*allow[i], answer.found->history, answer.found->executions[i]).allowed);
  for (const Definition* level : forbid)
    EXPECT_FALSE(find_execution(*level, answer.found->history));
}

std::size_t transactions_of(const Synthesis& answer) {
  return size_of(answer.found->history).transactions;
}

TEST(Search, PlumesReadAtomicIsWeakerByTwoTransactions) {
  const Definition tap = shipped("plume/TapRA"), ra = shipped("biswas-enea/RA");
  const Synthesis answer = smallest({&tap}, {&ra});
  expect_confirmed(answer, {&tap}, {&ra});
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(transactions_of(answer), 2u);
  EXPECT_EQ(answer.found->history.keys, 1u);
  EXPECT_EQ(size_of(answer.found->history).operations, 2u);  // w(x,1) ; r(x,nil)
  EXPECT_EQ(smallest({&ra}, {&tap}).kind, Synthesis::Kind::none);

  const Definition repaired = shipped("plume/TapRA-repaired");
  EXPECT_EQ(smallest({&repaired}, {&ra}).kind, Synthesis::Kind::none);
  EXPECT_EQ(smallest({&ra}, {&repaired}).kind, Synthesis::Kind::none);
}

TEST(Search, LevelsAreTheSameInTwoFrameworks) {
  for (const std::string name : {"RA", "CC", "PC", "SI", "SER"}) {
    const Definition b = shipped("biswas-enea/" + name), c = shipped("cerone/" + name);
    EXPECT_EQ(smallest({&b}, {&c}, {.transactions = 4}).kind, Synthesis::Kind::none) << name;
    EXPECT_EQ(smallest({&c}, {&b}, {.transactions = 4}).kind, Synthesis::Kind::none) << name;
  }
  const Definition cc = shipped("biswas-enea/CC"), tap = shipped("plume/TapCC");
  EXPECT_EQ(smallest({&cc}, {&tap}).kind, Synthesis::Kind::none);
  EXPECT_EQ(smallest({&tap}, {&cc}).kind, Synthesis::Kind::none);
}

// Fekete, O'Neil, O'Neil: three transactions, the reader is the third.
TEST(Search, FindsTheReadOnlyAnomaly) {
  const Definition si = shipped("biswas-enea/SI"), ser = shipped("biswas-enea/SER"),
                   update = shipped("biswas-enea/UpdateSer");
  const Synthesis answer = smallest({&si, &update}, {&ser});
  expect_confirmed(answer, {&si, &update}, {&ser});
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(transactions_of(answer), 3u);
  EXPECT_EQ(answer.found->history.keys, 2u);
}

TEST(Search, NoLostUpdateIsWeakerThanUpdateAtomic) {
  const Definition nlu = shipped("cerone/NLU"), ua = shipped("cerone/UA");
  // The third writer of a key sees the second, but not the first: that takes four values.
  const Synthesis answer = smallest({&nlu}, {&ua});
  expect_confirmed(answer, {&nlu}, {&ua});
  ASSERT_TRUE(answer.found);
  EXPECT_LE(size_of(answer.found->history).operations, 6u);
  EXPECT_EQ(smallest({&nlu}, {&ua}, {.values = 3}).kind, Synthesis::Kind::none);
  EXPECT_EQ(smallest({&ua}, {&nlu}).kind, Synthesis::Kind::none);
}

TEST(Search, UpdateAtomicHasNoLostUpdatesUpToTenTransactions) {
  const Definition nlu = shipped("cerone/NLU"), ua = shipped("cerone/UA");
  Limits limits;
  Progress progress;
  const Synthesis answer =
      find_history({{&ua}, {&nlu}}, {.transactions = 10, .keys = 3, .values = 11, .exactly = true},
                   {}, limits, progress);
  EXPECT_EQ(answer.kind, Synthesis::Kind::none);
}

// A forbidding level in a framework without an allowing one: a history that has none of its
// executions at all is an answer, too.
TEST(Search, FindsHistoriesThatAreBelowAllLevelsOfAFramework) {
  const Definition tap = shipped("plume/TapRA"), ra = shipped("cerone/RA"),
                   ser = shipped("cerone/SER");
  for (const Definition* forbid : {&ra, &ser}) {
    const Synthesis answer = smallest({&tap}, {forbid});
    expect_confirmed(answer, {&tap}, {forbid});
    ASSERT_TRUE(answer.found);
    EXPECT_EQ(transactions_of(answer), 2u);
  }
  // Nobody allows anything: reading from each other is fine.
  const Synthesis answer = smallest({}, {&ra});
  expect_confirmed(answer, {}, {&ra});
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(transactions_of(answer), 2u);
}

TEST(Search, MakesTimesForStrictLevels) {
  const Definition ser = shipped("biswas-enea/SER"), strict = shipped("strict/strict-serializable");
  const Synthesis answer = smallest({&ser}, {&strict});
  expect_confirmed(answer, {&ser}, {&strict});
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(transactions_of(answer), 2u);
  EXPECT_EQ(size_of(answer.found->history).operations, 2u);
  EXPECT_EQ(smallest({&strict}, {&ser}, {.transactions = 3}).kind, Synthesis::Kind::none);
}

// Adya's PL-levels do not look at session order, so their order of commits may go against it.
TEST(Search, NumbersSessionsAsTheyRan) {
  const Definition plain = shipped("adya/PL-3"), with_sessions = shipped("biswas-enea/SER");
  Limits limits;
  Progress progress;
  const AllFound all = find_all_smallest({{&plain}, {&with_sessions}},
                                         {.transactions = 3, .keys = 2}, {}, 100, limits, progress);
  EXPECT_TRUE(all.is_complete);
  ASSERT_FALSE(all.found.empty());
  for (const Found& found : all.found) {
    EXPECT_TRUE(judge(plain, found.history, found.executions[0]).allowed);
    EXPECT_FALSE(find_execution(with_sessions, found.history));
    for (std::size_t t = 1; t < found.history.transactions; ++t)
      for (std::size_t s = 1; s <= t; ++s) EXPECT_FALSE(found.history.so.has(t, s));
  }
}

TEST(Search, KeepsToItsScope) {
  const Definition si = shipped("cerone/SI"), ser = shipped("cerone/SER");
  EXPECT_EQ(smallest({&si}, {&ser}, {.keys = 1}).kind, Synthesis::Kind::none);
  EXPECT_EQ(smallest({&si}, {&ser}, {.transactions = 1}).kind, Synthesis::Kind::none);
  EXPECT_EQ(smallest({&si}, {&ser}, {.operations = 1}).kind, Synthesis::Kind::none);
  const Synthesis read_first = smallest({&si}, {&ser}, {.blind_writes = false});
  const Synthesis blind = smallest({&si}, {&ser});
  ASSERT_TRUE(read_first.found && blind.found);
  EXPECT_EQ(size_of(blind.found->history).operations, 4u);
  EXPECT_EQ(size_of(read_first.found->history).operations, 6u);
  const Synthesis exactly = smallest({&si}, {&ser}, {.transactions = 4, .exactly = true});
  expect_confirmed(exactly, {&si}, {&ser});
  ASSERT_TRUE(exactly.found);
  EXPECT_EQ(transactions_of(exactly), 4u);
}

TEST(Search, StrategiesChangeOnlyTheTime) {
  const Strategy strategies[] = {
      {.smart = false},       {.fixed_order = false},
      {.terms = false},       {.smart = false, .terms = false},
      {.incremental = false}, {.smart = false, .terms = false, .learning = false}};
  const std::pair<const char*, const char*> pairs[] = {
      {"biswas-enea/RA", "cerone/CC"},  {"cerone/PC", "cerone/SI"},
      {"cerone/SI", "biswas-enea/SER"}, {"biswas-enea/SER", "cerone/SI"},
      {"adya/PL-3", "cerone/SER"},      {"adya/PL-SI", "adya/PL-3"}};
  int found = 0;
  for (const auto& [a, b] : pairs) {
    const Definition allow = shipped(a), forbid = shipped(b);
    const Scope scope{.transactions = 2, .keys = 2};
    const Synthesis expected = smallest({&allow}, {&forbid}, scope);
    for (const Strategy& strategy : strategies) {
      Limits limits;
      Progress progress;
      const Synthesis answer =
          find_smallest({{&allow}, {&forbid}}, scope, strategy, limits, progress);
      ASSERT_EQ(answer.kind, expected.kind) << a << " " << b;
      if (!answer.found) continue;
      ++found;
      EXPECT_EQ(size_of(answer.found->history).operations,
                size_of(expected.found->history).operations);
    }
  }
  EXPECT_GE(found, 3 * 6) << "three pairs, six strategies";
}

using Levels = std::map<std::string, Definition>;

// Compares with all histories of this number of transactions and keys, judged one by one without a
// solver.
void expect_all_that_there_is(const Levels& levels, std::size_t transactions, std::size_t keys,
                              std::size_t least_pairs, bool read_orders = true) {
  struct Smallest {
    std::size_t transactions = 99, keys = 99, operations = 99;
    std::set<std::vector<std::uint64_t>> up_to_names;
    auto size() const { return std::tuple(transactions, keys, operations); }
  };
  std::map<std::pair<std::string, std::string>, Smallest> expected;
  const auto visit = [&](Structure history) {
    // Levels that do not look at it get histories without it.
    if (!read_orders) {
      for (spec::Matrix& order : history.seen_before) order.rows.assign(history.transactions, 0);
    }
    std::map<std::string, bool> allowed;
    for (const auto& [name, level] : levels)
      allowed[name] = find_execution(level, history).has_value();
    for (const auto& [a, a_allows] : allowed) {
      for (const auto& [b, b_allows] : allowed) {
        if (!a_allows || b_allows) continue;
        Smallest& best = expected[{a, b}];
        Smallest here{history.transactions - 1, history.keys, size_of(history).operations, {}};
        if (here.size() < best.size()) best = here;
        if (here.size() == best.size()) best.up_to_names.insert(canonical_facts(history));
      }
    }
  };
  for_each_structure(transactions, keys, visit, read_orders);
  EXPECT_GE(expected.size(), least_pairs);

  for (const auto& [a, allow] : levels) {
    for (const auto& [b, forbid] : levels) {
      Limits limits;
      Progress progress;
      const AllFound all =
          find_all_smallest({{&allow}, {&forbid}}, {.transactions = transactions, .keys = keys}, {},
                            1000, limits, progress);
      EXPECT_TRUE(all.is_complete);
      const auto it = expected.find({a, b});
      ASSERT_EQ(all.found.empty(), it == expected.end()) << a << " " << b;
      if (all.found.empty()) continue;
      std::set<std::vector<std::uint64_t>> found;
      for (const Found& one : all.found) {
        EXPECT_EQ(std::tuple(one.history.transactions - 1, one.history.keys,
                             size_of(one.history).operations),
                  it->second.size())
            << a << " " << b;
        found.insert(canonical_facts(one.history));
      }
      EXPECT_EQ(found.size(), all.found.size()) << "the same twice: " << a << " " << b;
      EXPECT_EQ(found, it->second.up_to_names) << a << " " << b;
    }
  }
}

TEST(Search, FindsWhatThereIs) {
  Levels levels;
  for (const std::string name :
       {"biswas-enea/RA", "cerone/SI", "biswas-enea/SER", "cerone/CC", "adya/PL-2", "adya/PL-SI",
        "crooks/SI", "session/RYW", "biswas-enea/RC", "plume/TapRA"}) {
    levels.emplace(name, shipped(name));
  }
  expect_all_that_there_is(levels, 2, 2, 31);
}

// A key that nobody uses is none: these count keys, or say something of each.
TEST(Search, FindsWhatThereIsWhereKeysAreCounted) {
  const std::pair<const char*, const char*> texts[] = {
      {"two", "axiom two: exists x, y: key. x != y"},
      {"one", "axiom one: forall x, y: key. x = y"},
      {"unwritten", "axiom unwritten: exists x: key. writes ; x = initial"},
      {"unread", "axiom unread: exists x: key. no (reads ; x)"},
      {"all-read", "axiom all-read: key in transaction ; reads"},
      {"all-by-one", "axiom all-by-one: exists t: transaction. t != initial and key in t ; writes"},
      {"set",
       "witness hot : set of keys\n"
       "axiom hot: some hot and no (hot & (transaction ; reads))"},
      {"versions",
       "witness vo : version order\n"
       "axiom first: forall x: key. some vo[x]"},
      {"part",
       "witness hot : set of keys\n"
       "axiom part: some (hot & (transaction ; reads)) and exists x: key. not x in hot"},
  };
  Levels levels;
  for (const auto& [name, text] : texts) levels.emplace(name, own_level(name, text));
  levels.emplace("SI", shipped("cerone/SI"));
  expect_all_that_there_is(levels, 2, 2, 40, false);
  expect_all_that_there_is(levels, 1, 3, 20, false);
}

TEST(Search, SaysWhyALevelForbids) {
  const Definition ser = shipped("biswas-enea/SER");
  const Definition si = shipped("cerone/SI");
  const Synthesis skew = smallest({&si}, {&ser});
  ASSERT_TRUE(skew.found);
  Limits limits;
  const std::vector<Demand> why = why_forbidden(ser, skew.found->history, limits);
  EXPECT_GE(why.size(), 2u);  // each of the two reads is one
  for (const Demand& demand : why) EXPECT_FALSE(demand.bound.empty());
  EXPECT_TRUE(why_forbidden(si, skew.found->history, limits).empty());
}

}  // namespace
}  // namespace isoscope::synth
