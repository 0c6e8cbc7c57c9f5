#include "isoscope/protocol/instance.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "isoscope/protocol/model_text.h"
#include "isoscope/protocol/trace.h"

namespace isoscope::protocol {
namespace {

Model model_of(std::string_view text) {
  auto model = read_model("test.protocol", text);
  if (!model) {
    ADD_FAILURE() << model.error().text();
    return {};
  }
  return *std::move(model);
}

// A register per key that remembers its last writer, and clients that copy and clear references.
constexpr std::string_view registers = R"(
title "Registers"
claims RA
enum Phase { idle, busy, done }
order ts
state phase(transaction) : Phase = idle
state first(transaction t) : bool = t != initial and no u: transaction. so(u, t)
state newest(key) : transaction = initial
state seen(key, transaction) : transaction? = none
state older(key, transaction) : bool = false

event start(c: client, t: transaction) at c begins t
  when owner(t) = c and phase(t) = idle and (forall u: transaction. so(u, t) => phase(u) = done)
  then phase(t) := busy
event swap(k: key, t: transaction) at k
  when phase(t) = busy and seen(k, t) = none and newest(k) != t
  then seen(k, t) := newest(k), newest(k) := t,
       for u: transaction: older(k, u) := true if ts(u, t) and u != initial
event forget(k: key, t: transaction) at k
  when seen(k, t) != none and phase(t) = done
  then seen(k, t) := none
event finish(c: client, t: transaction) at c commits t answers t
  when owner(t) = c and phase(t) = busy
  then phase(t) := done

observe t: transaction {
  committed when phase(t) = done
  reads k from w when seen(k, t) = w
  writes k when newest(k) = t
}
witness order(t, u) = ts(t, u)
)";

std::uint32_t component(const Model& model, std::string_view name) {
  for (std::uint32_t i = 0; i < model.components.size(); ++i) {
    if (model.components[i].name == name) return i;
  }
  ADD_FAILURE() << "no component " << name;
  return 0;
}

std::uint32_t event(const Model& model, std::string_view name) {
  for (std::uint32_t i = 0; i < model.events.size(); ++i) {
    if (model.events[i].name == name) return i;
  }
  ADD_FAILURE() << "no event " << name;
  return 0;
}

class Registers : public testing::Test {
 protected:
  std::uint8_t at(const State& state, std::string_view name,
                  std::vector<std::uint8_t> arguments) const {
    return state[instance.place(component(model, name), arguments)];
  }
  State step(const State& state, std::string_view name,
             std::vector<std::uint8_t> parameters) const {
    EXPECT_TRUE(instance.is_enabled(event(model, name), state, parameters)) << name;
    return instance.next(event(model, name), state, parameters);
  }

  Model model = model_of(registers);
  // Two clients with two transactions each; in the order, 4 is before 1.
  Instance instance{model, {.clients = 2, .keys = 2, .transactions = 2}, {{0, 2, 3, 4, 1}}};
};

TEST_F(Registers, NumbersTransactionsByClient) {
  EXPECT_EQ(instance.count(Sort::transaction), 5u);
  EXPECT_EQ(instance.owner(1), 0);
  EXPECT_EQ(instance.owner(2), 0);
  EXPECT_EQ(instance.owner(3), 1);
  EXPECT_EQ(instance.owner(4), 1);
}

TEST_F(Registers, StartsAsTheModelSays) {
  const State start = instance.initial_state();
  ASSERT_EQ(start.size(), instance.state_size());
  const std::array<std::uint8_t, 5> first = {0, 1, 0, 1, 0};
  for (std::uint8_t t = 0; t < 5; ++t) {
    EXPECT_EQ(at(start, "first", {t}), first[t]) << int{t};
    EXPECT_EQ(at(start, "seen", {0, t}), none);
  }
  EXPECT_EQ(at(start, "newest", {1}), 0);
}

TEST_F(Registers, OnlyFirstTransactionsStart) {
  std::set<std::string> steps;
  const State start = instance.initial_state();
  instance.for_each_step(start, [&](std::uint32_t number, auto parameters, const State& next) {
    EXPECT_NE(next, start);
    steps.insert(text_of(model, Trace::Step{number, {parameters.begin(), parameters.end()}}));
  });
  EXPECT_EQ(steps, (std::set<std::string>{"start(c1, T1)", "start(c2, T3)"}));
}

TEST_F(Registers, UpdatesLookAtTheStateBefore) {
  State state = step(instance.initial_state(), "start", {0, 1});
  state = step(state, "start", {1, 3});
  state = step(state, "swap", {0, 1});
  EXPECT_EQ(at(state, "seen", {0, 1}), 0);
  EXPECT_EQ(at(state, "newest", {0}), 1);
  state = step(state, "swap", {0, 3});
  EXPECT_EQ(at(state, "seen", {0, 3}), 1);
  EXPECT_EQ(at(state, "newest", {0}), 3);
  EXPECT_EQ(at(state, "newest", {1}), 0);
}

TEST_F(Registers, UpdatesForAllLookAtTheOrder) {
  State state = step(instance.initial_state(), "start", {0, 1});
  state = step(state, "swap", {1, 1});
  for (std::uint8_t t = 0; t < 5; ++t) EXPECT_EQ(at(state, "older", {1, t}), t == 4 ? 1 : 0);
}

TEST_F(Registers, ReferencesBecomeNone) {
  State state = step(instance.initial_state(), "start", {0, 1});
  state = step(state, "swap", {0, 1});
  EXPECT_FALSE(
      instance.is_enabled(event(model, "forget"), state, std::array<std::uint8_t, 2>{0, 1}));
  state = step(state, "finish", {0, 1});
  state = step(state, "forget", {0, 1});
  EXPECT_EQ(at(state, "seen", {0, 1}), none);
}

TEST_F(Registers, NobodyOwnsTheInitialTransaction) {
  const State start = instance.initial_state();
  for (std::uint8_t c = 0; c < 2; ++c) {
    EXPECT_FALSE(
        instance.is_enabled(event(model, "start"), start, std::array<std::uint8_t, 2>{c, 0}));
  }
}

}  // namespace
}  // namespace isoscope::protocol
