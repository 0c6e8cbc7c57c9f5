#include "isoscope/protocol/coverage.h"

#include <gtest/gtest.h>

#include <string>

#include "golden.h"
#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"

namespace isoscope::protocol {
namespace {

Model model_of(const std::string& name, std::string_view text) {
  Result<Model> model = read_model(name, text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model{};
}

/// The judge allows everything, so the search does not end before all states were seen.
Exploration explored(const Model& model, ExploreOptions options) {
  options.judge = [](const History&, AbstractLevel) { return Opinion::allows; };
  Result<Exploration> found = explore(model, options);
  EXPECT_TRUE(found) << found.error().text();
  return found ? *std::move(found) : Exploration{};
}

// Every protocol that comes with the program does something, and shows it to clients.
TEST(Coverage, OfShippedModels) {
  std::string all;
  for (const ShippedModel& shipped : shipped_models()) {
    const Model model = model_of(std::string(shipped.name), shipped.text);
    const Exploration found = explored(model, {.sizes = {2, 2, 1}});
    all += std::string(shipped.name) + ": " + text_of(model, found.coverage) + "\n";
    EXPECT_TRUE(hidden_accesses(model).empty()) << shipped.name;
    EXPECT_TRUE(never_shown(model, found.coverage).empty()) << shipped.name;
    EXPECT_FALSE(found.breaks_invariant()) << shipped.name;
  }
  expect_golden("tests/protocol/coverage.txt", all);
}

/// What was shown at all, not how often: that must not depend on states that are left out.
std::string kinds(const Coverage& coverage) {
  std::string text;
  for (const std::uint64_t count : {coverage.commits, coverage.writers, coverage.readers,
                                    coverage.readers_of_others, coverage.runs_with_overlap})
    text += count == 0 ? "-" : "+";
  for (const std::uint64_t count : coverage.fired) text += count == 0 ? "-" : "+";
  return text;
}

TEST(Coverage, DoesNotDependOnWhatIsLeftOut) {
  for (const ShippedModel& shipped : shipped_models()) {
    const Model model = model_of(std::string(shipped.name), shipped.text);
    ExploreOptions options{.sizes = {2, 1, 1}};
    const std::string expected = kinds(explored(model, options).coverage);
    options.symmetry = false;
    EXPECT_EQ(kinds(explored(model, options).coverage), expected) << shipped.name;
    options.eager = false;
    EXPECT_EQ(kinds(explored(model, options).coverage), expected) << shipped.name;
  }
}

// An event that needs three transactions at once never happens at the sizes that proofs look at
// first; random runs of larger ones show it.
TEST(Coverage, RandomRunsShowWhatNeedsLargerSizes) {
  const Model model = model_of("crowd", R"(
title "Three at once"
claims RA
enum Stage { idle, running, done }
constant writes(key, transaction) : bool
state stage(transaction) : Stage = idle
state rv(transaction, key) : transaction? = none
state crowded(transaction) : bool = false
event begin(c: client, t: transaction) at c begins t
  when owner(t) = c and t != initial and stage(t) = idle
  then stage(t) := running
event get(c: client, t: transaction, k: key, w: transaction) at c
  when owner(t) = c and stage(t) = running and rv(t, k) = none
    and (w = initial or stage(w) = done and writes(k, w))
  then rv(t, k) := w
event meet(c: client, t: transaction, u: transaction, v: transaction) at c
  when owner(t) = c and t != u and t != v and u != v and not crowded(t)
    and stage(t) = running and stage(u) = running and stage(v) = running
  then crowded(t) := true
event commit(c: client, t: transaction) at c commits t answers t
  when owner(t) = c and stage(t) = running
  then stage(t) := done
observe t: transaction {
  committed when stage(t) = done
  reads k from w when rv(t, k) = w
  writes k when t != initial and writes(k, t)
}
map installed(k, x) = x = initial or stage(x) = done and writes(k, x)
map before(k, x, y) = false
map reader(k, w, x) = stage(x) = done and rv(x, k) = w
)");
  Coverage coverage = explored(model, {.sizes = {2, 2, 1}, .without_levels = true}).coverage;
  EXPECT_EQ(never_shown(model, coverage), std::vector<std::string>{"event meet never happens"});
  Limits limits;
  limits.request_stop();
  Coverage stopped = coverage;
  cover_by_random_runs(model, Question::levels, limits, stopped);
  EXPECT_EQ(stopped, coverage) << "limits are kept";
  cover_by_random_runs(model, Question::levels, Limits(), coverage);
  EXPECT_TRUE(never_shown(model, coverage).empty());
}

// One step at a time never overlaps, whatever is used; two that wait for nobody do.
TEST(Coverage, KnowsWhetherConflictsOverlap) {
  int explored_models = 0;
  for (const ShippedModel& shipped : shipped_models()) {
    if (shipped.name != "atomic" && shipped.name != "atomic-steps" && shipped.name != "ramp")
      continue;
    const Model model = model_of(std::string(shipped.name), shipped.text);
    const Coverage coverage = explored(model, {.sizes = {2, 1, 1}}).coverage;
    EXPECT_EQ(coverage.runs_with_overlap != 0, shipped.name == "ramp") << shipped.name;
    ++explored_models;
  }
  EXPECT_EQ(explored_models, 3);
}

}  // namespace
}  // namespace isoscope::protocol
