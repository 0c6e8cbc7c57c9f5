#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <unordered_set>

#include "isoscope/base/random.h"
#include "isoscope/protocol/instance.h"
#include "protocol/prove/candidate_clauses.h"

namespace isoscope::protocol {
namespace {

constexpr std::size_t most_states = 4000;  // of one size
constexpr std::size_t most_starts = 64;
constexpr std::size_t most_orders = 6;

// Where the constants stand in a state.
std::vector<std::size_t> constant_places(const Instance& instance) {
  std::vector<std::size_t> places;
  const Model& model = instance.model();
  for (std::uint32_t c = 0; c < model.components.size(); ++c) {
    if (!model.components[c].is_constant) continue;
    std::size_t count = 1;
    for (const Sort sort : model.components[c].parameters) count *= instance.count(sort);
    const std::vector<std::uint8_t> zeros(model.components[c].parameters.size(), 0);
    for (std::size_t i = 0; i < count; ++i) places.push_back(instance.place(c, zeros) + i);
  }
  return places;
}

// All values of the constants, while they are few; else some at random.
std::vector<State> starts(const Instance& instance, Random& random) {
  const std::vector<std::size_t> places = constant_places(instance);
  const bool are_few = places.size() <= 6;
  const std::size_t count = are_few ? std::size_t{1} << places.size() : most_starts;
  std::vector<State> result;
  for (std::size_t i = 0; i < count; ++i) {
    State state = instance.initial_state();
    for (std::size_t b = 0; b < places.size(); ++b)
      state[places[b]] = static_cast<std::uint8_t>(are_few ? i >> b & 1 : random.below(2));
    result.push_back(std::move(state));
  }
  return result;
}

// The model's orders, some ways: the initial transaction first in all.
std::vector<std::vector<std::vector<std::uint8_t>>> some_orders(const Model& model, Sizes sizes,
                                                                Random& random) {
  std::vector<std::vector<std::vector<std::uint8_t>>> result = {{}};
  if (model.orders.empty()) return result;
  result.clear();
  const std::size_t n = 1 + sizes.clients * sizes.transactions;
  for (std::size_t i = 0; i < most_orders; ++i) {
    std::vector<std::vector<std::uint8_t>> orders;
    for (std::size_t o = 0; o < model.orders.size(); ++o) {
      std::vector<std::uint8_t> place(n);
      std::iota(place.begin(), place.end(), std::uint8_t{0});
      for (std::size_t j = n; j > 2 && i > 0; --j)
        std::swap(place[j - 1], place[1 + random.below(j - 1)]);
      orders.push_back(std::move(place));
    }
    result.push_back(std::move(orders));
  }
  return result;
}

class Sampler {
 public:
  Sampler(const Model& model, const Atoms& atoms, const Limits& limits)
      : model_(model), atoms_(atoms), limits_(limits) {}

  Samples run() {
    Random random(1);
    for (const Sizes sizes : {Sizes{2, 1, 2}, Sizes{3, 1, 1}, Sizes{2, 2, 1}, Sizes{1, 1, 3}}) {
      const auto orders = some_orders(model_, sizes, random);
      for (const auto& order : orders)
        visit(Instance(model_, sizes, order), most_states / orders.size(), random);
    }
    return std::move(samples_);
  }

 private:
  void visit(const Instance& instance, std::size_t most, Random& random) {
    std::deque<State> open;
    std::unordered_set<std::string> seen;
    const auto reach = [&](const State& state) {
      if (seen.size() < most && seen.emplace(state.begin(), state.end()).second)
        open.push_back(state);
    };
    for (const State& state : starts(instance, random)) reach(state);
    while (!open.empty() && !limits_.reached_now()) {
      const State state = std::move(open.front());
      open.pop_front();
      add_facts(instance, state);
      instance.for_each_step(state, [&](std::uint32_t, std::span<const std::uint8_t>,
                                        const State& next) { reach(next); });
    }
  }

  void add_facts(const Instance& instance, const State& state) {
    Samples::Sampled sampled;
    sampled.keys = static_cast<std::uint8_t>(instance.count(Sort::key));
    sampled.transactions = static_cast<std::uint8_t>(instance.count(Sort::transaction));
    for (std::uint8_t k = 0; k < sampled.keys; ++k) {
      for (std::uint8_t t = 0; t < sampled.transactions; ++t) {
        for (std::uint8_t u = 0; u < sampled.transactions; ++u) {
          AtomSet facts = {};
          const std::uint8_t variables[] = {k, t, u};
          for (std::size_t i = 0; i < atoms_.list.size() && t != u; ++i)
            if (instance.evaluate(*atoms_.list[i].formula, state, variables)) add(facts, i);
          if (t != u && seen_.insert(facts).second) samples_.facts.push_back(facts);
          sampled.facts.push_back(facts);
        }
      }
    }
    samples_.states.push_back(std::move(sampled));
  }

  const Model& model_;
  const Atoms& atoms_;
  const Limits& limits_;
  Samples samples_;
  std::set<AtomSet> seen_;
};

}  // namespace

Samples sample(const Model& model, const Atoms& atoms, const Limits& limits) {
  return Sampler(model, atoms, limits).run();
}

}  // namespace isoscope::protocol
