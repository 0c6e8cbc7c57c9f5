#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "isoscope/protocol/instance.h"
#include "refines_models.h"
#include "test_scale.h"

// Small instances are explored, with none of the machinery of proofs: the map of every state that
// is reached is looked at, and so is every step.

namespace isoscope::protocol {
namespace {

/// A model and the one that it refines, with as many of everything.
class Pair {
 public:
  Pair(const Model& model, Sizes sizes, const std::vector<std::uint8_t>& order)
      : model_(model),
        map_(*model.refines),
        here_(model, sizes, std::vector(model.orders.size(), order)),
        there_(*map_.model, sizes, std::vector(map_.model->orders.size(), order)) {}

  /// The first event that does something else than the other model allows; "start" for the start.
  std::optional<std::string> first_difference() {
    std::deque<State> open;
    std::set<State> seen;
    std::optional<std::string> found;
    for (const State& start : starts()) {
      if (mapped(start) != at_start(mapped(start)) || !is_seen_alike(start)) return "start";
      if (seen.insert(start).second) open.push_back(start);
    }
    while (!open.empty() && !found) {
      const State state = std::move(open.front());
      open.pop_front();
      here_.for_each_step(state, [&](std::uint32_t event, std::span<const std::uint8_t> parameters,
                                     const State& next) {
        if (!found && !is_step(event, state, parameters, next)) found = model_.events[event].name;
        if (seen.insert(next).second) open.push_back(next);
      });
    }
    states_ = seen.size();
    return found;
  }
  std::size_t states() const { return states_; }

 private:
  static void for_each(const Instance& instance, const std::vector<Sort>& sorts,
                       const std::function<void(const std::vector<std::uint8_t>&)>& visit) {
    std::vector<std::uint8_t> at(sorts.size());
    while (true) {
      visit(at);
      std::size_t i = 0;
      for (; i < at.size() && ++at[i] == instance.count(sorts[i]); ++i) at[i] = 0;
      if (i == at.size()) return;
    }
  }

  std::vector<State> starts() const {
    std::vector<State> result = {here_.initial_state()};
    for (std::uint32_t c = 0; c < model_.components.size(); ++c) {
      if (!model_.components[c].is_constant) continue;
      for_each(here_, model_.components[c].parameters, [&](const auto& at) {
        const std::size_t count = result.size();
        for (std::size_t i = 0; i < count; ++i) {
          result.push_back(result[i]);
          result.back()[here_.place(c, at)] = 1;
        }
      });
    }
    return result;
  }

  /// The other model's state; what is left out is as at the start.
  State mapped(const State& state) const {
    State result = there_.initial_state();
    for (std::uint32_t c = 0; c < map_.components.size(); ++c) {
      const Component& component = map_.model->components[c];
      const ComponentMap& map = map_.components[c];
      if (map.formulas.empty()) continue;
      for_each(there_, component.parameters, [&](const std::vector<std::uint8_t>& at) {
        std::uint8_t value = component.kind == Component::Kind::reference ? none : 0;
        if (component.kind == Component::Kind::relation) {
          value = here_.evaluate(*map.formulas[0], state, at) ? 1 : 0;
        } else if (component.kind == Component::Kind::enumeration) {
          for (std::size_t v = 0; v < map.formulas.size(); ++v)
            if (here_.evaluate(*map.formulas[v], state, at)) value = static_cast<std::uint8_t>(v);
        } else {
          std::vector<std::uint8_t> with_target = at;
          with_target.push_back(0);
          for (std::uint8_t t = 0; t < here_.count(Sort::transaction); ++t) {
            with_target.back() = t;
            if (here_.evaluate(*map.formulas[0], state, with_target)) value = t;
          }
        }
        result[there_.place(c, at)] = value;
      });
    }
    return result;
  }

  /// The initial state of the other model, with the same constants.
  State at_start(const State& state) const {
    State result = there_.initial_state();
    for (std::uint32_t c = 0; c < map_.components.size(); ++c) {
      const Component& component = map_.model->components[c];
      if (!component.is_constant) continue;
      for_each(there_, component.parameters,
               [&](const auto& at) { result[there_.place(c, at)] = state[there_.place(c, at)]; });
    }
    // What is true at the start may depend on them.
    for (std::uint32_t c = 0; c < map_.components.size(); ++c) {
      const Component& component = map_.model->components[c];
      if (!component.initially) continue;
      for_each(there_, component.parameters, [&](const auto& at) {
        result[there_.place(c, at)] = there_.evaluate(*component.initially, result, at) ? 1 : 0;
      });
    }
    return result;
  }

  bool is_seen_alike(const State& state) const {
    const State other = mapped(state);
    const Observation& own = model_.observation;
    const Observation& others = map_.model->observation;
    bool is_alike = true;
    for_each(here_, {Sort::transaction, Sort::key, Sort::transaction}, [&](const auto& at) {
      const auto agree = [&](const Named& a, const Named& b, std::size_t count) {
        const std::span<const std::uint8_t> values = std::span(at).first(count);
        return here_.evaluate(*a.formula, state, values) ==
               there_.evaluate(*b.formula, other, values);
      };
      if (at[0] == 0) return;
      const bool is_committed =
          here_.evaluate(*own.committed.formula, state, std::span(at).first(1));
      is_alike = is_alike && agree(own.committed, others.committed, 1) &&
                 (!is_committed ||
                  (agree(own.writes, others.writes, 2) && agree(own.reads, others.reads, 3)));
    });
    return is_alike;
  }

  bool is_step(std::uint32_t event, const State& state, std::span<const std::uint8_t> parameters,
               const State& next) const {
    if (!is_seen_alike(next)) return false;
    const State from = mapped(state), to = mapped(next);
    const std::optional<EventMap>& map = map_.events[event];
    if (!map) return from == to;
    std::vector<std::uint8_t> arguments;
    for (const Term& term : map->arguments)
      arguments.push_back(here_.evaluate(term, state, parameters));
    if (!there_.is_enabled(map->event, from, arguments)) return false;
    State expected = there_.next(map->event, from, arguments);
    for (std::uint32_t c = 0; c < map_.components.size(); ++c) {
      if (!map_.components[c].formulas.empty()) continue;
      for_each(there_, map_.model->components[c].parameters,
               [&](const auto& at) { expected[there_.place(c, at)] = to[there_.place(c, at)]; });
    }
    return expected == to;
  }

  const Model& model_;
  const ModelMap& map_;
  Instance here_, there_;
  std::size_t states_ = 0;
};

/// At several sizes and orders.
std::optional<std::string> first_difference(const std::string& text, std::size_t& states) {
  const Result<Model> model = read_refining(text);
  EXPECT_TRUE(model) << model.error().text();
  if (!model) return "wrong";
  const std::pair<Sizes, std::vector<std::uint8_t>> instances[] = {
      {{.clients = 1, .keys = 1, .transactions = 2}, {0, 1, 2}},
      {{.clients = 2, .keys = 1, .transactions = 1}, {0, 1, 2}},
      {{.clients = 2, .keys = 1, .transactions = 1}, {0, 2, 1}},
      {{.clients = 1, .keys = 2, .transactions = 1}, {0, 1}},
  };
  for (const auto& [sizes, order] : instances) {
    Pair pair(*model, sizes, order);
    if (auto found = pair.first_difference()) return found;
    states += pair.states();
  }
  return std::nullopt;
}

TEST(RefinesOracle, WhatIsProvedIsTrueOfSmallInstances) {
  for (const std::string& text : {text_of_shipped("atomic-steps"), keeper}) {
    std::size_t states = 0;
    EXPECT_EQ(first_difference(text, states), std::nullopt);
    EXPECT_GT(states, 500u);
  }
}

// All of these are wrong, and small instances show it.
TEST(RefinesOracle, WhatStaysOpenIsSeenToFail) {
  for (const BrokenRefinement& broken : broken_refinements()) {
    std::size_t states = 0;
    EXPECT_NE(first_difference(broken.text, states), std::nullopt) << broken.what;
  }
}

}  // namespace
}  // namespace isoscope::protocol
