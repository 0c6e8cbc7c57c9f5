// The prover and the explorer share nothing but the model, so each is held against the other. The
// protocols are all that come with the program, and all that differ from one of them by something
// left out (a condition, an update, an alternative). One may never prove what the other refutes.
// Facts that a proof rests on must be true in states that can be reached, and an invariant of the
// model that is false somewhere is not among those that the prover calls kept.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/judge/judge_by_texts.h"
#include "isoscope/protocol/explore.h"
#include "isoscope/protocol/model_text.h"
#include "isoscope/protocol/prove.h"
#include "protocol/language/static_checks.h"
#include "test_scale.h"

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;

FormulaPtr formula_of(Formula formula) {
  return std::make_shared<const Formula>(std::move(formula));
}

/// The formula with one thing less, in every way there is: a part of a conjunction or of a
/// disjunction, the condition of an implication, a value of a set of values.
std::vector<FormulaPtr> with_less(const FormulaPtr& formula) {
  std::vector<FormulaPtr> result;
  if (!formula) return result;
  const bool is_list = formula->kind == Kind::conjunction || formula->kind == Kind::disjunction;
  for (std::size_t i = 0; is_list && formula->children.size() > 1 && i < formula->children.size();
       ++i) {
    Formula less = *formula;
    less.children.erase(less.children.begin() + static_cast<std::ptrdiff_t>(i));
    result.push_back(formula_of(std::move(less)));
  }
  if (formula->kind == Kind::implication) result.push_back(formula->children[1]);
  for (std::uint64_t left = formula->values;
       formula->kind == Kind::is_value && std::popcount(formula->values) > 1 && left != 0;
       left &= left - 1) {
    Formula less = *formula;
    less.values &= ~(left & ~(left - 1));
    result.push_back(formula_of(std::move(less)));
  }
  for (std::size_t i = 0; i < formula->children.size(); ++i) {
    for (FormulaPtr& child : with_less(formula->children[i])) {
      Formula less = *formula;
      less.children[i] = std::move(child);
      result.push_back(formula_of(std::move(less)));
    }
  }
  return result;
}

/// The models that differ from this one by something that an event lacks, and that a text could
/// state: what the static checks refuse is left out.
std::vector<Model> mutants_of(const Model& model) {
  std::vector<Model> result;
  const auto add = [&](std::size_t event, const std::function<void(Event&)>& change) {
    Model mutant = model;
    change(mutant.events[event]);
    mutant.name +=
        " mutant " + std::to_string(result.size() + 1) + " (" + mutant.events[event].name + ")";
    const std::vector<Position> declared(mutant.components.size());
    if (check_statically(mutant, declared, "")) result.push_back(std::move(mutant));
  };
  for (std::size_t e = 0; e < model.events.size(); ++e) {
    const Event& event = model.events[e];
    for (const FormulaPtr& guard : with_less(event.guard))
      add(e, [&](Event& changed) { changed.guard = guard; });
    for (std::size_t u = 0; u < event.updates.size(); ++u) {
      add(e, [&](Event& changed) {
        changed.updates.erase(changed.updates.begin() + static_cast<std::ptrdiff_t>(u));
      });
      for (std::size_t c = 0; c < event.updates[u].cases.size(); ++c) {
        const Update::Case& one = event.updates[u].cases[c];
        const auto with = [&](const FormulaPtr& condition, const FormulaPtr& value) {
          add(e, [&](Event& changed) {
            changed.updates[u].cases[c].condition = condition;
            changed.updates[u].cases[c].formula = value;
          });
        };
        if (one.condition) with(nullptr, one.formula);
        for (const FormulaPtr& less : with_less(one.condition)) with(less, one.formula);
        for (const FormulaPtr& less : with_less(one.formula)) with(one.condition, less);
      }
    }
  }
  return result;
}

/// Nothing is widened, so that it takes as long for what is wrong as for what is right.
Proof prove_plainly(const Model& model, AbstractLevel level) {
  Limits limits;
  Progress progress;
  return prove(model, level, limits, progress, {.widen = false, .pictures = false});
}

/// What the explorer says at two small sizes: the worse of both answers for every level, and the
/// invariants that are false somewhere.
struct Refuted {
  std::array<LevelOutcome::Kind, abstract_level_count> levels = {};
  std::set<std::string> invariants;
};

Refuted refuted(const Model& model) {
  Refuted refuted;
  auto& result = refuted.levels;
  for (const Sizes sizes : {Sizes{2, 2, 1}, Sizes{2, 1, 2}}) {
    ExploreOptions options;
    options.sizes = sizes;
    options.threads = 1;
    options.max_states = test_scale() > 1 ? 20'000 : 3'000;
    options.judge = judge_by_texts();
    const Result<Exploration> found = explore(model, options);
    EXPECT_TRUE(found) << model.name << ": " << found.error().text();
    if (!found) continue;
    for (std::size_t i = 0; i < abstract_level_count; ++i) {
      const LevelOutcome::Kind kind = found->levels[i].kind;
      if (result[i] != LevelOutcome::Kind::violated && found->levels[i].counterexample)
        result[i] = kind;
    }
    for (std::size_t i = 0; i < model.invariants.size(); ++i)
      if (found->invariants[i].counterexample) refuted.invariants.insert(model.invariants[i].name);
  }
  return refuted;
}

/// The claimed level, one that it implies, and one that implies it.
std::vector<AbstractLevel> levels_for(const Model& model) {
  std::vector<AbstractLevel> result;
  const auto add = [&](std::size_t i) {
    const auto level = static_cast<AbstractLevel>(i);
    if (model.witness && level == AbstractLevel::sser) return;  // refused: it says nothing of time
    if (std::ranges::find(result, level) == result.end()) result.push_back(level);
  };
  for (const std::string& name : model.claims) {
    const AbstractLevel level = *find_abstract_level(name);
    const auto i = static_cast<std::size_t>(level);
    add(i);
    std::size_t weaker = i, stronger = i;
    while (weaker > 0 && !implies(level, static_cast<AbstractLevel>(--weaker))) continue;
    while (stronger + 1 < abstract_level_count &&
           !implies(static_cast<AbstractLevel>(++stronger), level))
      continue;
    add(weaker);
    add(stronger);
  }
  return result;
}

/// The invariants of a proof as formulas of the model that `text` states. Invariants about which
/// transactions have begun and which have been answered are the prover's own, and are left out.
std::vector<Invariant> readable(const std::string& text, const Proof& proof) {
  std::string more = text;
  std::size_t count = 0;
  for (const std::string& invariant : proof.invariants) {
    if (invariant.find(" begun") != std::string::npos ||
        invariant.find(" answered") != std::string::npos)
      continue;
    if (std::ranges::find(invariant, ' ') == invariant.end()) continue;  // the author's, a name
    // Clauses are about any key and any two transactions.
    const bool is_closed = invariant.starts_with("forall") || invariant.starts_with("no ");
    more += "\ninvariant inferred-" + std::to_string(count++) + ": " +
            (is_closed ? "" : "forall k: key, t, u: transaction. ") + invariant;
  }
  const Result<Model> model = read_model("with invariants", more);
  EXPECT_TRUE(model) << model.error().text();
  if (!model) return {};
  return model->invariants;
}

/// An invariant that is false in a state that can be reached, or "".
std::string false_somewhere(const Model& model, const std::vector<Invariant>& invariants) {
  const std::size_t most = test_scale() > 1 ? 2000 : 200;  // states of each size
  Random random(5);
  for (const Sizes sizes : {Sizes{2, 2, 1}, Sizes{2, 1, 2}, Sizes{3, 1, 1}}) {
    std::vector<std::vector<std::uint8_t>> orders;
    for (std::size_t o = 0; o < model.orders.size(); ++o) {
      std::vector<std::uint8_t> places(1 + sizes.clients * sizes.transactions);
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint8_t>(i);
      for (std::size_t i = places.size(); i > 2; --i)
        std::swap(places[i - 1], places[1 + random.below(i - 1)]);
      orders.push_back(std::move(places));
    }
    const Instance instance(model, sizes, orders);
    std::set<State> seen;
    std::deque<State> open;
    const auto reach = [&](const State& state) {
      if (seen.size() < most && seen.insert(state).second) open.push_back(state);
    };
    for (int i = 0; i < 8; ++i) {
      State start = instance.initial_state();
      for (std::uint32_t c = 0; c < model.components.size(); ++c) {
        if (!model.components[c].is_constant) continue;
        std::size_t places = 1;
        for (const Sort sort : model.components[c].parameters) places *= instance.count(sort);
        const std::vector<std::uint8_t> zeros(model.components[c].parameters.size(), 0);
        for (std::size_t p = 0; p < places; ++p)
          start[instance.place(c, zeros) + p] =
              static_cast<std::uint8_t>(i == 0 ? 1 : random.below(2));
      }
      reach(start);
    }
    while (!open.empty()) {
      const State state = std::move(open.front());
      open.pop_front();
      for (const Invariant& invariant : invariants) {
        if (!instance.evaluate(*invariant.formula, state, {}))
          return text_of(*invariant.formula, model, {});
      }
      instance.for_each_step(state, [&](std::uint32_t, std::span<const std::uint8_t>,
                                        const State& next) { reach(next); });
    }
  }
  return "";
}

/// Questions of a certificate whose answer must be `unsat` and is not, by z3.
int unconfirmed(const std::string& certificate) {
  const std::string file = testing::TempDir() + "isoscope-mutants.smt2";
  int asked = 0, confirmed = 0;
  {
    std::ofstream out(file);
    std::istringstream lines(certificate);
    bool is_wanted = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("(set-info :status ")) is_wanted = line.ends_with(" unsat)");
      if (line == "(check-sat)" && !is_wanted) continue;
      if (line == "(check-sat)") ++asked;
      out << line << "\n";
    }
  }
  std::FILE* output = popen(("z3 '" + file + "' 2>&1").c_str(), "r");
  EXPECT_NE(output, nullptr);
  if (output == nullptr) return asked;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), output) != nullptr)
    confirmed += std::string_view(line.data()) == "unsat\n" ? 1 : 0;
  pclose(output);
  std::remove(file.c_str());
  return asked - confirmed;
}

struct Tally {
  int asked = 0, proved = 0, violated = 0, in_order_only = 0, vacuous = 0, neither = 0;
  int invariants = 0, certificates = 0, false_invariants = 0;
};

/// Asks both about one model and some levels.
void compare(const Model& model, std::span<const AbstractLevel> levels, const std::string& text,
             Tally& tally) {
  SCOPED_TRACE(model.name);
  const auto& [outcome, false_invariants] = refuted(model);
  tally.false_invariants += static_cast<int>(false_invariants.size());
  for (const AbstractLevel level : levels) {
    ++tally.asked;
    const Proof proof = prove_plainly(model, level);
    std::set<std::string> unkept;
    for (const UnkeptInvariant& invariant : proof.unkept) unkept.insert(invariant.name);
    EXPECT_TRUE(std::ranges::includes(unkept, false_invariants)) << entry_of(level).name;
    const LevelOutcome::Kind kind = outcome[static_cast<std::size_t>(level)];
    if (kind == LevelOutcome::Kind::violated) ++tally.violated;
    if (kind == LevelOutcome::Kind::violated_in_version_order) ++tally.in_order_only;
    if (proof.outcome == Proof::Outcome::vacuous) ++tally.vacuous;
    if (proof.outcome == Proof::Outcome::open && kind == LevelOutcome::Kind::not_refuted)
      ++tally.neither;
    if (proof.outcome != Proof::Outcome::proved) continue;
    ++tally.proved;
    for (const AbstractLevelEntry& other : abstract_levels()) {
      if (!implies(level, other.level)) continue;
      EXPECT_EQ(outcome[static_cast<std::size_t>(other.level)], LevelOutcome::Kind::not_refuted)
          << "proved " << entry_of(level).name << ", refuted " << other.name;
    }
    const std::vector<Invariant> invariants = readable(text, proof);
    tally.invariants += static_cast<int>(invariants.size());
    EXPECT_EQ(false_somewhere(model, invariants), "");
    if (tally.proved % 8 == 1 && std::system("command -v z3 >/dev/null 2>&1") == 0) {
      ++tally.certificates;
      EXPECT_EQ(unconfirmed(proof.certificate), 0);
    }
  }
}

/// Only one in `every` questions of a model is asked: all would take an hour.
struct Share {
  std::string_view model;
  std::size_t every;          ///< in ./test; 0: none
  std::size_t every_in_full;  ///< in ./test --full
};

constexpr Share shares[] = {
    {"atomic", 3, 1}, {"atomic-steps", 11, 2},   {"timestamp-ordering", 8, 1},
    {"occ", 17, 2},   {"mvcc-si", 0, 12},        {"ramp", 0, 12},
    {"psi", 0, 20},   {"s2pl", 0, 12},           {"causal", 0, 12},
    {"ssi", 0, 12},   {"tapir-repaired", 0, 20},
};

TEST(Mutants, AreNeverBothProvedAndRefuted) {
  Tally tally;
  for (const Share& share : shares) {
    const std::size_t every = test_scale() > 1 ? share.every_in_full : share.every;
    if (every == 0) continue;
    const auto shipped = std::ranges::find(shipped_models(), share.model, &ShippedModel::name);
    ASSERT_NE(shipped, shipped_models().end());
    const Result<Model> model = read_model(std::string(share.model), shipped->text);
    ASSERT_TRUE(model) << model.error().text();
    const std::vector<AbstractLevel> levels = levels_for(*model);
    std::size_t question = 0;
    for (const Model& mutant : mutants_of(*model)) {
      std::vector<AbstractLevel> asked;
      for (const AbstractLevel level : levels)
        if (question++ % every == 0) asked.push_back(level);
      if (!asked.empty()) compare(mutant, asked, std::string(shipped->text), tally);
    }
  }
  EXPECT_GE(tally.asked, 30);
  EXPECT_GE(tally.proved * 5, tally.asked);
  EXPECT_GE(tally.violated * 6, tally.asked);
  EXPECT_GE(tally.invariants, tally.proved);
  if (test_scale() > 1) {
    EXPECT_GE(tally.false_invariants, 3);
  }
}

// Timestamps that go against a session are no serial order of what its client saw: that a
// transaction does not see an earlier one of its session.
TEST(Mutants, SessionsCountForSerializability) {
  const auto shipped =
      std::ranges::find(shipped_models(), "timestamp-ordering", &ShippedModel::name);
  ASSERT_NE(shipped, shipped_models().end());
  std::string text(shipped->text);
  const auto change = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  change(" and ts(u, t)", "");
  change("live(k, x) and ts(w, x)", "live(k, x) and ts(w, x) and ts(x, t)");
  const Result<Model> model = read_model("against sessions", text);
  ASSERT_TRUE(model) << model.error().text();
  ExploreOptions options;
  options.sizes = {1, 1, 2};
  options.level = AbstractLevel::ser;
  options.judge = judge_by_texts();
  const Result<Exploration> found = explore(*model, options);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->at(AbstractLevel::ser).kind, LevelOutcome::Kind::violated);
}

}  // namespace
}  // namespace isoscope::protocol
