// Invariants of models as the explorer sees them, held against the plain way: every state of every
// start, one after the other, with formulas that are interpreted. The explorer leaves out states
// that are renamings of others and states that hasty steps skip; it must find the same invariants
// false, after as few steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"
#include "isoscope/protocol/prove.h"
#include "protocol/explore/roots.h"
#include "protocol/language/static_checks.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

/// For each invariant, the number of steps that it takes to break it.
using Distances = std::vector<std::optional<std::size_t>>;

std::string text_of(const Distances& distances) {
  std::string text;
  for (const auto& distance : distances) text += distance ? std::to_string(*distance) + " " : "- ";
  return text;
}

Distances by_the_plain_way(const Model& model, Sizes sizes) {
  Distances result(model.invariants.size());
  const System system(model, sizes, RememberedTime::nothing);
  const auto roots = roots_of(system, renamings(system.cells()), {}, false);
  EXPECT_TRUE(roots) << roots.error().text();
  if (!roots) return result;
  for (const Root& root : *roots) {
    const Cells& cells = system.cells();
    std::vector<std::vector<std::uint8_t>> orders;
    for (std::uint32_t order = 0; order < model.orders.size(); ++order) {
      auto& places = orders.emplace_back(cells.transactions(), 0);
      for (std::size_t t = 0; t < cells.transactions(); ++t) {
        for (std::size_t u = 0; u < cells.transactions(); ++u)
          places[t] = static_cast<std::uint8_t>(places[t] + root.values[cells.order(order, u, t)]);
      }
    }
    const Instance instance(model, sizes, orders);
    std::map<State, std::size_t> distance;
    std::vector<State> open;
    const auto reach = [&](const State& state, std::size_t steps) {
      if (!distance.emplace(state, steps).second) return;
      open.push_back(state);
      for (std::size_t i = 0; i < result.size(); ++i) {
        if (result[i] && *result[i] <= steps) continue;
        if (!instance.evaluate(*model.invariants[i].formula, state, {})) result[i] = steps;
      }
    };
    reach(cells.state(root.values.data()), 0);
    for (std::size_t at = 0; at < open.size(); ++at) {
      const State state = open[at];
      const std::size_t steps = distance.at(state) + 1;
      instance.for_each_step(state,
                             [&](std::uint32_t, auto, const State& next) { reach(next, steps); });
    }
  }
  return result;
}

/// A judge that never ends the search.
Opinion allow(const History&, AbstractLevel) { return Opinion::allows; }

Distances by_exploration(const Model& model, ExploreOptions options) {
  Distances result(model.invariants.size());
  options.threads = 1;
  options.judge = allow;
  const Result<Exploration> found = explore(model, options);
  EXPECT_TRUE(found) << found.error().text();
  if (!found) return result;
  EXPECT_TRUE(found->complete);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto number = found->invariants[i].counterexample;
    if (!number) continue;
    const Counterexample& run = found->counterexamples[*number];
    result[i] = run.trace.steps.size();
    // The run is one of the model, and the invariant is false in the end and not before.
    const Instance instance(model, run.trace.sizes, run.trace.orders);
    const std::vector<State> states = states_of(model, run.trace);
    for (const State& state : states) {
      EXPECT_EQ(instance.evaluate(*model.invariants[i].formula, state, {}),
                &state != &states.back())
          << model.invariants[i].name;
    }
    EXPECT_FALSE(run.why.empty());
  }
  return result;
}

/// Adds invariants that look at one part of the state each: that it is as it was at the start,
/// everywhere; and some about two of them, of different transactions, which steps that are done in
/// haste may skip. Most are false, each after another number of steps.
void add_invariants(std::string& text, const Model& model, Random& random) {
  const auto place = [](const Component& component, std::size_t first) {
    static constexpr std::string_view letters[] = {"c", "k", "t"};
    std::string variables, places;
    for (std::size_t i = 0; i < component.parameters.size(); ++i) {
      static constexpr std::string_view sorts[] = {"client", "key", "transaction"};
      const auto sort = static_cast<std::size_t>(component.parameters[i]);
      const std::string name = std::string(letters[sort]) + std::to_string(first + i);
      variables += (i == 0 ? "" : ", ") + name + ": " + std::string(sorts[sort]);
      places += (i == 0 ? "" : ", ") + name;
    }
    return std::pair{variables, component.name + "(" + places + ")"};
  };
  const auto fact = [&](const Component& component, const std::string& where) {
    if (component.kind == Component::Kind::relation) return where;
    if (component.kind == Component::Kind::reference)
      return where + (component.is_total ? " = initial" : " = none");
    const auto& values = model.enumerations[component.enumeration].values;
    return where + " = " + values[random.below(values.size())];
  };
  std::size_t number = 0;
  const auto add = [&](const std::string& variables, const std::string& formula) {
    text +=
        "\ninvariant tried-" + std::to_string(number++) + ": forall " + variables + ". " + formula;
  };
  for (const Component& one : model.components) {
    const auto [variables, where] = place(one, 0);
    add(variables, fact(one, where));
    add(variables, "not " + fact(one, where));
    const Component& other = model.components[random.below(model.components.size())];
    const auto [more, elsewhere] = place(other, 5);
    const std::string all = variables + ", " + more;
    add(all, fact(one, where) + " => " + fact(other, elsewhere));
    // Most is true of the initial transaction, and of two that are one.
    std::string different;
    for (std::size_t i = 0; i < one.parameters.size(); ++i) {
      for (std::size_t j = 0; j < other.parameters.size(); ++j) {
        if (one.parameters[i] != Sort::transaction || other.parameters[j] != Sort::transaction)
          continue;
        const std::string t = "t" + std::to_string(i), u = "t" + std::to_string(5 + j);
        different += t + " != initial and " + u + " != initial and " + t + " != " + u + " and ";
      }
    }
    add(all, different + fact(one, where) + " => not " + fact(other, elsewhere));
    add(all, different + "not " + fact(one, where) + " => not " + fact(other, elsewhere));
  }
}

class InvariantsOf : public testing::TestWithParam<std::string> {};

TEST_P(InvariantsOf, AreSeenAsThePlainWaySeesThem) {
  const auto shipped = std::ranges::find(shipped_models(), GetParam(), &ShippedModel::name);
  Random random(7);
  std::string text(shipped->text);
  const Result<Model> model = read_model(GetParam(), text);
  ASSERT_TRUE(model);
  add_invariants(text, *model, random);
  const Result<Model> with_more = read_model(GetParam(), text);
  ASSERT_TRUE(with_more) << with_more.error().text();
  std::vector<Sizes> sizes = {Sizes{1, 1, 2}, Sizes{2, 1, 1}};
  if (test_scale() > 1) sizes.push_back(Sizes{1, 2, 2});
  if (GetParam().starts_with("s2pl-") && test_scale() == 1) GTEST_SKIP() << "nearly s2pl";
  std::size_t broken = 0;
  for (const Sizes& size : sizes) {
    const Distances distances = by_the_plain_way(*with_more, size);
    const std::string expected = text_of(distances);
    broken += static_cast<std::size_t>(std::ranges::count_if(expected, ::isdigit));
    // With one invariant at a time most steps are hasty; with all of them, hardly any.
    const std::size_t stride = test_scale() > 1 ? 1 : 6;
    for (std::size_t i = 0; i < distances.size(); i += stride) {
      Model with_one = *with_more;
      with_one.invariants = {with_more->invariants[i]};
      ExploreOptions options;
      options.sizes = size;
      EXPECT_EQ(text_of(by_exploration(with_one, options)), text_of({distances[i]}))
          << text_of(*with_one.invariants[0].formula, with_one, {});
    }
    for (const auto& [symmetry, eager] :
         {std::pair{true, true}, {false, true}, {true, false}, {false, false}}) {
      ExploreOptions options;
      options.sizes = size;
      options.symmetry = symmetry;
      options.eager = eager;
      EXPECT_EQ(text_of(by_exploration(*with_more, options)), expected)
          << size.clients << size.keys << size.transactions << symmetry << eager;
      options.without_levels = true;
      EXPECT_EQ(text_of(by_exploration(*with_more, options)), expected);
    }
  }
  EXPECT_GT(broken, model->components.size());
}

INSTANTIATE_TEST_SUITE_P(All, InvariantsOf, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const ShippedModel& model : shipped_models())
                             names.emplace_back(model.name);
                           return names;
                         }()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// Each event of a model with a part of its guard left out: invariants that held may be false.
TEST(Invariants, OfMutantsAreSeenAsThePlainWaySeesThem) {
  std::size_t broken = 0, mutants = 0;
  for (const std::string_view name :
       {"mvcc-si", "psi", "ramp", "timestamp-ordering", "tapir-repaired", "ssi"}) {
    const auto shipped = std::ranges::find(shipped_models(), name, &ShippedModel::name);
    const Result<Model> model = read_model(std::string(name), shipped->text);
    ASSERT_TRUE(model);
    std::size_t number = 0;
    for (std::size_t e = 0; e < model->events.size(); ++e) {
      const FormulaPtr& guard = model->events[e].guard;
      for (std::size_t i = 0;
           guard->kind == Formula::Kind::conjunction && i < guard->children.size(); ++i) {
        Model mutant = *model;
        Formula less = *guard;
        less.children.erase(less.children.begin() + static_cast<std::ptrdiff_t>(i));
        mutant.events[e].guard = std::make_shared<const Formula>(std::move(less));
        if (!check_statically(mutant, std::vector<Position>(mutant.components.size()), ""))
          continue;
        if (number++ % (test_scale() > 1 ? 1 : 4) != 0) continue;
        ++mutants;
        const Sizes sizes{2, 1, 1};
        const std::string expected = text_of(by_the_plain_way(mutant, sizes));
        ExploreOptions options;
        options.sizes = sizes;
        EXPECT_EQ(text_of(by_exploration(mutant, options)), expected)
            << name << ": " << mutant.events[e].name << " without part " << i;
        broken += static_cast<std::size_t>(std::ranges::count_if(expected, ::isdigit));
      }
    }
  }
  EXPECT_GE(mutants, 20u);
  EXPECT_GE(broken, 10u);
}

/// The prover calls no invariant kept that is false in some state; and what it calls broken by an
/// event it has a picture of.
TEST(Invariants, ThatAreFalseAreNotKept) {
  std::size_t kept = 0, false_ones = 0;
  for (const std::string_view name : {"atomic-steps", "timestamp-ordering"}) {
    const auto shipped = std::ranges::find(shipped_models(), name, &ShippedModel::name);
    std::string text(shipped->text);
    Random random(3);
    const Result<Model> bare = read_model(std::string(name), text);
    ASSERT_TRUE(bare);
    add_invariants(text, *bare, random);
    const Result<Model> model = read_model(std::string(name), text);
    ASSERT_TRUE(model) << model.error().text();
    Limits limits;
    Progress progress;
    const Proof proof = prove(*model, AbstractLevel::ra, limits, progress, {.widen = false});
    EXPECT_NE(proof.outcome, Proof::Outcome::proved);
    std::set<std::string> unkept;
    for (const UnkeptInvariant& invariant : proof.unkept) {
      unkept.insert(invariant.name);
      if (invariant.broken) {
        EXPECT_FALSE(invariant.broken->broken.empty()) << invariant.name;
      }
    }
    kept += model->invariants.size() - unkept.size();
    for (const Sizes sizes : {Sizes{2, 1, 1}, Sizes{1, 1, 2}}) {
      const Distances distances = by_exploration(*model, {.sizes = sizes});
      for (std::size_t i = 0; i < distances.size(); ++i) {
        if (!distances[i]) continue;
        ++false_ones;
        EXPECT_TRUE(unkept.contains(model->invariants[i].name)) << model->invariants[i].name;
      }
    }
  }
  EXPECT_GE(kept, 1u);
  EXPECT_GE(false_ones, 20u);
}

/// A step that nobody notices is done at once, so the state before it is not among those seen; an
/// invariant that looks at it must be found false all the same.
TEST(Invariants, MayLookAtWhatHasteSkips) {
  const Result<Model> model = read_model("skips", R"(
title "A client that makes two steps of its own before it commits"
claims RA
enum Phase { idle, half, ready, done }
state phase(transaction) : Phase = idle
event first(c: client, t: transaction) at c begins t
  when owner(t) = c and t != initial and phase(t) = idle
  then phase(t) := half
event second(c: client, t: transaction) at c
  when owner(t) = c and phase(t) = half
  then phase(t) := ready
event commit(c: client, t: transaction) at c commits t
  when owner(t) = c and phase(t) = ready
  then phase(t) := done
observe t: transaction { committed when phase(t) = done }
map installed(k, x) = x = initial
map before(k, x, y) = false
map reader(k, w, x) = false
invariant never-half: forall t: transaction. phase(t) != half
invariant never-so-far: forall t, u: transaction. phase(t) = idle and phase(u) = ready => t = initial
invariant never-two: forall t, u: transaction. phase(t) = half and phase(u) = half => t = u
)");
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(text_of(by_the_plain_way(*model, {2, 1, 1})), "1 2 2 ");
  EXPECT_EQ(text_of(by_exploration(*model, {.sizes = {2, 1, 1}})), "1 2 2 ");
  // With all of them nothing is done in haste.
  std::string one_by_one;
  for (const Invariant& invariant : model->invariants) {
    Model with_one = *model;
    with_one.invariants = {invariant};
    one_by_one += text_of(by_exploration(with_one, {.sizes = {2, 1, 1}}));
  }
  EXPECT_EQ(one_by_one, "1 2 2 ");
}

}  // namespace
}  // namespace isoscope::protocol
