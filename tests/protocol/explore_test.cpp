#include "isoscope/protocol/explore.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "isoscope/judge/judge_by_texts.h"
#include "isoscope/protocol/model_text.h"
#include "protocol/explore/search.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

using Kind = LevelOutcome::Kind;

Model shipped(std::string_view name) {
  for (const ShippedModel& model : shipped_models()) {
    if (model.name != name) continue;
    auto read = read_model(std::string(name), model.text);
    if (read) return *std::move(read);
    ADD_FAILURE() << read.error().text();
    return {};
  }
  ADD_FAILURE() << "no model " << name;
  return {};
}

Exploration explored(const Model& model, ExploreOptions options) {
  if (!options.judge) options.judge = judge_by_texts();
  auto result = explore(model, options);
  if (result) return *std::move(result);
  ADD_FAILURE() << result.error().text();
  return {};
}

/// "RA UA TCC": those not refuted.
std::string standing(const Exploration& exploration) {
  std::string text;
  for (const AbstractLevelEntry& entry : abstract_levels()) {
    if (exploration.at(entry.level).kind != Kind::not_refuted) continue;
    text += (text.empty() ? "" : " ") + std::string(entry.name);
  }
  return text;
}

/// Steps of the level's counterexample; 0: none.
std::size_t shortest(const Exploration& exploration, AbstractLevel level) {
  const auto number = exploration.at(level).counterexample;
  return number ? exploration.counterexamples[*number].trace.steps.size() : 0;
}

/// Counterexamples that are of no level: a shorter or better one was found later.
std::size_t unused(const Exploration& exploration) {
  std::set<std::size_t> used;
  for (const LevelOutcome& outcome : exploration.levels)
    if (outcome.counterexample) used.insert(*outcome.counterexample);
  return exploration.counterexamples.size() - used.size();
}

/// A search that never stops early.
ExploreOptions everything(Sizes sizes, bool symmetry) {
  ExploreOptions options;
  options.sizes = sizes;
  options.symmetry = symmetry;
  options.eager = false;
  options.threads = 2;
  options.judge = [](const History&, AbstractLevel) { return Opinion::allows; };
  return options;
}

std::vector<std::vector<std::uint8_t>> orders_of(const Cells& cells, const Root& root) {
  std::vector<std::vector<std::uint8_t>> orders;
  for (std::uint32_t order = 0; order < cells.model().orders.size(); ++order) {
    auto& places = orders.emplace_back(cells.transactions(), 0);
    for (std::size_t t = 0; t < cells.transactions(); ++t) {
      for (std::size_t u = 0; u < cells.transactions(); ++u) {
        places[t] = static_cast<std::uint8_t>(places[t] + root.values[cells.order(order, u, t)]);
      }
    }
  }
  return orders;
}

/// The plain way: states and steps as the Instance has them, from each root on.
std::set<State> reachable(const Instance& instance, const State& start) {
  std::set<State> seen = {start};
  std::vector<State> open = {start};
  while (!open.empty()) {
    const State state = std::move(open.back());
    open.pop_back();
    instance.for_each_step(state, [&](std::uint32_t, auto, const State& next) {
      if (seen.insert(next).second) open.push_back(next);
    });
  }
  return seen;
}

class EveryModel : public testing::TestWithParam<std::string> {};

TEST_P(EveryModel, StatesAreThoseOfTheInstance) {
  const Model model = shipped(GetParam());
  for (const Sizes sizes : {Sizes{1, 1, 2}, Sizes{2, 1, 1}, Sizes{1, 2, 1}}) {
    const System system(model, sizes, RememberedTime::nothing);
    const auto names = renamings(system.cells());
    for (const bool symmetry : {false, true}) {
      auto roots = roots_of(system, names, {}, symmetry);
      ASSERT_TRUE(roots) << roots.error().text();
      const Packing packing(system, names, *roots, true);
      const ExploreOptions options = everything(sizes, symmetry);
      Answers answers(system, packing, names);
      Search search(system, packing, options, false, answers);
      const Exploration exploration = search.run();
      ASSERT_TRUE(exploration.complete);
      std::size_t expected = 0;
      for (std::uint32_t root = 0; root < packing.roots().size(); ++root) {
        const Root& start = packing.roots()[root];
        const Instance instance(model, sizes, orders_of(system.cells(), start));
        std::set<std::vector<std::uint64_t>> least;
        for (const State& state : reachable(instance, system.cells().state(start.values.data()))) {
          std::vector<std::uint8_t> values = system.cells().values(state);
          std::copy(start.values.begin() + static_cast<std::ptrdiff_t>(state.size()),
                    start.values.end(), values.begin() + static_cast<std::ptrdiff_t>(state.size()));
          std::vector<std::uint64_t> packed(packing.words());
          packing.pack_least(root, values.data(), packed.data());
          EXPECT_TRUE(
              search.states().contains(packed.data(), hash_of(packed.data(), packed.size())));
          least.insert(packed);
          // Unpacking gives back what was packed.
          if (!symmetry) {
            std::vector<std::uint8_t> unpacked(values.size());
            packing.unpack(packed.data(), unpacked.data());
            EXPECT_EQ(system.cells().state(unpacked.data()), state);
          }
        }
        expected += least.size();
      }
      EXPECT_EQ(exploration.states, expected) << sizes.clients << sizes.keys << symmetry;
    }
  }
}

TEST_P(EveryModel, SymmetryAndThreadsChangeNoVerdict) {
  const Model model = shipped(GetParam());
  const Sizes sizes{2, 1, 1};
  ExploreOptions options;
  options.sizes = sizes;
  const Exploration first = explored(model, options);
  options.threads = 3;
  const Exploration again = explored(model, options);
  EXPECT_EQ(again.states, first.states);
  EXPECT_EQ(again.steps, first.steps);
  EXPECT_EQ(again.coverage.fired, first.coverage.fired);
  ASSERT_EQ(again.counterexamples.size(), first.counterexamples.size());
  for (std::size_t i = 0; i < first.counterexamples.size(); ++i) {
    EXPECT_EQ(again.counterexamples[i].trace.steps, first.counterexamples[i].trace.steps);
  }
  for (const auto& [symmetry, eager] : {std::pair{false, true}, {true, false}, {false, false}}) {
    options.symmetry = symmetry;
    options.eager = eager;
    const Exploration plain = explored(model, options);
    EXPECT_GE(plain.states, first.states);
    for (std::size_t i = 0; i < first.coverage.fired.size(); ++i) {
      EXPECT_EQ(plain.coverage.fired[i] == 0, first.coverage.fired[i] == 0) << model.events[i].name;
    }
    for (const AbstractLevelEntry& entry : abstract_levels()) {
      EXPECT_EQ(plain.at(entry.level).kind, first.at(entry.level).kind) << entry.name;
      EXPECT_EQ(shortest(plain, entry.level), shortest(first, entry.level)) << entry.name;
    }
  }
}

TEST(Explore, HasteChangesNoVerdict) {
  for (const std::string_view name : {"s2pl", "s2pl-read-ignores-write", "s2pl-printed-guard",
                                      "s2pl-abort-installs", "tapir-conference", "ramp"}) {
    const Model model = shipped(name);
    ExploreOptions options;
    options.sizes = {2, 2, 1};
    const Exploration hasty = explored(model, options);
    options.eager = false;
    const Exploration plain = explored(model, options);
    EXPECT_LT(hasty.states, plain.states) << name;
    EXPECT_EQ(unused(hasty), 0u) << name;
    EXPECT_EQ(unused(plain), 0u) << name;
    for (const AbstractLevelEntry& entry : abstract_levels()) {
      EXPECT_EQ(plain.at(entry.level).kind, hasty.at(entry.level).kind) << name << entry.name;
      EXPECT_EQ(shortest(plain, entry.level), shortest(hasty, entry.level)) << name << entry.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Explore, EveryModel, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const ShippedModel& model : shipped_models()) {
                             names.emplace_back(model.name);
                           }
                           return names;
                         }()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Explore, LockingIsStrictlySerializable) {
  ExploreOptions options;
  options.sizes = {2, 3, 1};
  const Exploration result = explored(shipped("s2pl"), options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.strongest(), std::vector{AbstractLevel::sser});
  EXPECT_EQ(std::ranges::count(result.coverage.fired, 0u), 0);
}

TEST(Explore, AStateTakesLessThan64Bytes) {
  if (test_scale() == 1) GTEST_SKIP() << "half a million states: in the full run only";
  ExploreOptions options = everything({2, 3, 1}, false);
  const Exploration result = explored(shipped("s2pl"), options);
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.states, 500'000u);
  EXPECT_LE(result.memory, 64 * result.states);
}

TEST(Explore, MutantsOfLockingAreRefuted) {
  for (const std::string_view name :
       {"s2pl-read-ignores-write", "s2pl-write-ignores-read", "s2pl-early-read-release",
        "s2pl-printed-guard", "s2pl-abort-installs"}) {
    ExploreOptions options;
    options.sizes = {2, 2, 1};
    options.level = AbstractLevel::ser;
    const Model model = shipped(name);
    const Exploration result = explored(model, options);
    const LevelOutcome& outcome = result.at(AbstractLevel::ser);
    ASSERT_EQ(outcome.kind, Kind::violated) << name;
    const Counterexample& example = result.counterexamples[*outcome.counterexample];
    EXPECT_FALSE(example.why.empty());
    // The run is one of the model.
    EXPECT_EQ(states_of(model, example.trace).size(), example.trace.steps.size() + 1);
    EXPECT_LT(result.states, 20'000u) << name;
  }
}

TEST(Explore, Tapir) {
  ExploreOptions options;
  options.sizes = {2, 2, 1};
  options.level = AbstractLevel::ra;
  const Exploration journal = explored(shipped("tapir-journal"), options);
  EXPECT_EQ(journal.at(AbstractLevel::ra).kind, Kind::violated);
  EXPECT_LT(journal.states, 50'000u);
  options.level = AbstractLevel::ser;
  EXPECT_EQ(explored(shipped("tapir-journal"), options).at(AbstractLevel::ser).kind,
            Kind::violated);
  EXPECT_EQ(explored(shipped("tapir-conference"), options).at(AbstractLevel::ser).kind,
            Kind::violated);
  options.level = AbstractLevel::ra;
  EXPECT_NE(explored(shipped("tapir-conference"), options).at(AbstractLevel::ra).kind,
            Kind::violated);
  options.level = std::nullopt;
  const Exploration repaired = explored(shipped("tapir-repaired"), options);
  EXPECT_EQ(standing(repaired), "RA UA TCC PSI PC SI SER");
  EXPECT_EQ(repaired.at(AbstractLevel::sser).kind, Kind::not_checked);
  // Clients' clocks may disagree, so the order of timestamps need not be that of real time.
  options.level = AbstractLevel::sser;
  EXPECT_NE(explored(shipped("tapir-repaired"), options).at(AbstractLevel::sser).kind,
            Kind::not_refuted);
}

TEST(Explore, TapirOfTheConferenceNeedsFourTransactions) {
  auto shapes = read_shapes("w(x)w(y), w(x)w(y), r(x)r(y), w(y)");
  ASSERT_TRUE(shapes);
  ExploreOptions options;
  options.sizes = {4, 2, 1};
  options.level = AbstractLevel::ra;
  options.shapes = *shapes;
  const Exploration result = explored(shipped("tapir-conference"), options);
  EXPECT_EQ(result.at(AbstractLevel::ra).kind, Kind::violated);
}

TEST(Explore, SnapshotIsolationAllowsWriteSkew) {
  ExploreOptions options;
  options.sizes = {2, 2, 1};
  const Exploration result = explored(shipped("mvcc-si"), options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(standing(result), "RA UA TCC PSI PC SI");
  EXPECT_EQ(result.strongest(), std::vector{AbstractLevel::si});
  EXPECT_EQ(result.at(AbstractLevel::ser).kind, Kind::violated);
}

TEST(Explore, StopsAtLimits) {
  ExploreOptions options;
  options.sizes = {2, 2, 1};
  options.max_states = 100;
  const Exploration few = explored(shipped("s2pl"), options);
  EXPECT_FALSE(few.complete);
  EXPECT_FALSE(few.stopped.empty());
  Limits limits;
  limits.request_stop();
  options.max_states = 1'000'000;
  options.limits = limits;
  const Exploration none_at_all = explored(shipped("s2pl"), options);
  EXPECT_FALSE(none_at_all.complete);
  EXPECT_FALSE(none_at_all.stopped.empty());
}

TEST(Explore, RefusesWhatItCannotDo) {
  const Model model = shipped("s2pl");
  ExploreOptions options;
  options.sizes = {0, 1, 1};
  EXPECT_FALSE(explore(model, options));
  options.sizes = {100, 1, 1};
  EXPECT_FALSE(explore(model, options));
  options.sizes = {4, 8, 1};  // 32 constants
  EXPECT_FALSE(explore(model, options));
  options.sizes = {2, 2, 1};
  options.shapes = {{{{"q", 0}}}};
  EXPECT_FALSE(explore(model, options));
  options.shapes = {{{{"participant", 2}}}};
  EXPECT_FALSE(explore(model, options));
  options.shapes = {{}, {}, {}};
  EXPECT_FALSE(explore(model, options));
  options.shapes = {};
  Model unmapped = model;
  unmapped.refinement.reset();
  EXPECT_FALSE(explore(unmapped, options));
}

// All renamings of six clients and six keys would not fit into memory.
TEST(Explore, ManyClientsAndKeysHaveSomeRenamings) {
  const Model model = shipped("s2pl");
  for (const std::size_t size : {2u, 4u, 6u, 10u}) {
    const Cells cells(model, {size, size, 1}, RememberedTime::nothing);
    const std::vector<Renaming> some = renamings(cells);
    EXPECT_GE(some.size(), size == 2 ? 4u : 100u);
    EXPECT_LE(some.size(), most_renamings);
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell)
      ASSERT_EQ(some[0].source[cell], cell);  // the identity is the first
  }
}

TEST(Explore, AWitnessOfSerializabilityIsOneOfWhatIsWeaker) {
  int serial = 0;
  for (const char* name : {"ramp", "tapir-journal", "tapir-conference"}) {
    const auto explored = explore(shipped(name), {.sizes = {2, 1, 2}, .max_states = 20'000});
    ASSERT_TRUE(explored);
    const bool is_serial = explored->at(AbstractLevel::ser).kind == LevelOutcome::Kind::not_refuted;
    serial += is_serial ? 1 : 0;
    for (const AbstractLevelEntry& entry : abstract_levels()) {
      if (entry.real_time || !is_serial) continue;
      EXPECT_EQ(explored->at(entry.level).kind, LevelOutcome::Kind::not_refuted)
          << name << " " << entry.name;
    }
  }
  EXPECT_GE(serial, 2);
}

TEST(Explore, StatesThatAreTooLargeAreRefused) {
  const auto explored = explore(shipped("s2pl"), {.sizes = {61, 64, 1}});
  ASSERT_FALSE(explored);
  EXPECT_EQ(explored.error().text(), "a state of this size has 508030 places: too many to explore");
}

TEST(Explore, Shapes) {
  const auto shapes = read_shapes("w(x)w(y), r(z) , -");
  ASSERT_TRUE(shapes);
  ASSERT_EQ(shapes->size(), 3u);
  EXPECT_EQ((*shapes)[0], (Shape{{{"w", 0}, {"w", 1}}}));
  EXPECT_EQ((*shapes)[1], (Shape{{{"r", 2}}}));
  EXPECT_EQ((*shapes)[2], Shape{});
  for (const std::string_view bad : {"w", "w(", "w(x", "(x)", "w(q)", "w(x))"}) {
    EXPECT_FALSE(read_shapes(bad)) << bad;
  }
}

}  // namespace
}  // namespace isoscope::protocol
