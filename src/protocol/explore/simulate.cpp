#include "isoscope/protocol/simulate.h"

#include <algorithm>

#include "isoscope/base/random.h"
#include "isoscope/protocol/export.h"

namespace isoscope::protocol {

namespace {

/// A random merge of the clients' sequences, as the place of each transaction. Most protocols
/// demand that a client's timestamps grow, and would stand still otherwise.
std::vector<std::uint8_t> random_order(Sizes sizes, Random& random) {
  std::vector<std::size_t> next(sizes.clients, 0);
  std::vector<std::uint8_t> places(1 + sizes.clients * sizes.transactions, 0);
  for (std::size_t place = 1; place < places.size();) {
    const std::size_t client = random.below(sizes.clients);
    if (next[client] == sizes.transactions) continue;
    places[1 + client * sizes.transactions + next[client]++] = static_cast<std::uint8_t>(place++);
  }
  return places;
}

std::size_t places_of(const Instance& instance, const Component& component) {
  std::size_t places = 1;
  for (const Sort sort : component.parameters) places *= instance.count(sort);
  return places;
}

void choose_constants(const Instance& instance, State& state, Random& random) {
  std::size_t first = 0;
  for (const Component& component : instance.model().components) {
    const std::size_t places = places_of(instance, component);
    const std::size_t values =
        component.kind == Component::Kind::enumeration
            ? instance.model().enumerations[component.enumeration].values.size()
            : 2;
    for (std::size_t i = 0; component.is_constant && i < places; ++i) {
      state[first + i] = static_cast<std::uint8_t>(random.below(values));
    }
    first += places;
  }
}

/// To see whether an event is enabled takes at least as long as this number of steps of other
/// loops: a formula may go through all transactions and keys.
constexpr std::uint32_t guess_steps = 64;

/// Chooses one of the enabled steps, each equally likely. It guesses first, which is fast when much
/// is enabled or when there is little to guess; each enabled step is equally likely to be guessed.
/// Then it tries all steps.
class Dice {
 public:
  Dice(const Instance& instance, Random& random) : instance_(instance), random_(random) {
    for (std::uint32_t number = 0; number < instance.model().events.size(); ++number) {
      std::size_t choices = 1;
      for (const Variable& parameter : instance.model().events[number].parameters) {
        choices *= instance.count(parameter.sort);
      }
      choices_.push_back(choices);
      all_ += choices;
    }
  }

  /// Nothing if no step is enabled, or a limit was reached.
  std::optional<Trace::Step> roll(const State& state, const Limits& limits) {
    const auto is_stopped = [&] { return limits.reached(guess_steps); };
    for (std::size_t i = 0; i < 4096; ++i) {
      if (is_stopped()) return std::nullopt;
      const Trace::Step step = step_number(random_.below(all_));
      if (instance_.is_enabled(step.event, state, step.parameters)) return step;
    }
    std::vector<std::size_t> enabled;  // their numbers: there may be many millions
    for (std::size_t i = 0; i < all_; ++i) {
      if (is_stopped()) return std::nullopt;
      const Trace::Step step = step_number(i);
      if (instance_.is_enabled(step.event, state, step.parameters)) enabled.push_back(i);
    }
    if (enabled.empty()) return std::nullopt;
    return step_number(enabled[random_.below(enabled.size())]);
  }

 private:
  Trace::Step step_number(std::size_t number) const {
    Trace::Step step;
    while (number >= choices_[step.event]) number -= choices_[step.event++];
    for (const Variable& parameter : instance_.model().events[step.event].parameters) {
      const std::size_t count = instance_.count(parameter.sort);
      step.parameters.push_back(static_cast<std::uint8_t>(number % count));
      number /= count;
    }
    return step;
  }

  const Instance& instance_;
  Random& random_;
  std::vector<std::size_t> choices_;
  std::size_t all_ = 0;
};

}  // namespace

Simulation simulate(const Model& model, const SimulateOptions& options) {
  Random random(options.seed);
  Trace trace{.sizes = options.sizes, .orders = {}, .start = {}, .steps = {}};
  for (std::size_t i = 0; i < model.orders.size(); ++i) {
    trace.orders.push_back(random_order(options.sizes, random));
  }
  const Instance instance(model, trace.sizes, trace.orders);
  trace.start = instance.initial_state();
  choose_constants(instance, trace.start, random);
  State state = trace.start;
  Dice dice(instance, random);
  while (trace.steps.size() < options.most_steps) {
    auto step = dice.roll(state, options.limits);
    if (!step) break;
    state = instance.next(step->event, state, step->parameters);
    trace.steps.push_back(*std::move(step));
  }
  const auto stopped = options.limits.get().reached_now();
  History history = stopped ? History() : history_of(model, trace);
  return {std::move(trace), std::move(history), stopped};
}

}  // namespace isoscope::protocol
