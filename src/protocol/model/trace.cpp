#include "isoscope/protocol/trace.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

namespace {

std::string name_of(Sort sort, std::size_t number) {
  switch (sort) {
    case Sort::client:
      return client_name(number);
    case Sort::key:
      return key_name(number);
    case Sort::transaction:
      return transaction_name(number);
  }
  ISOSCOPE_ENSURE(false);
}

/// Calls visit(component, arguments, place) for every place of a state for which
/// is_wanted(component, place) is true: mostly few of very many.
template <class Wanted, class Visit>
void for_each_place(const Instance& instance, const Wanted& is_wanted, const Visit& visit) {
  const auto& components = instance.model().components;
  std::size_t place = 0;
  for (const Component& component : components) {
    std::size_t places = 1;
    for (const Sort sort : component.parameters) places *= instance.count(sort);
    for (std::size_t i = 0; i < places; ++i, ++place) {
      if (!is_wanted(component, place)) continue;
      std::vector<std::size_t> arguments(component.parameters.size());
      std::size_t rest = i;
      for (std::size_t p = arguments.size(); p-- > 0;) {
        arguments[p] = rest % instance.count(component.parameters[p]);
        rest /= instance.count(component.parameters[p]);
      }
      visit(component, arguments, place);
    }
  }
}

std::string application(const Component& component, const std::vector<std::size_t>& arguments) {
  std::string text = component.name;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + name_of(component.parameters[i], arguments[i]);
  }
  return arguments.empty() ? text : text + ")";
}

std::string value_text(const Model& model, const Component& component, std::uint8_t value) {
  switch (component.kind) {
    case Component::Kind::relation:
      return value != 0 ? "true" : "false";
    case Component::Kind::enumeration:
      return model.enumerations[component.enumeration].values[value];
    case Component::Kind::reference:
      return value == none ? "none" : transaction_name(value);
  }
  ISOSCOPE_ENSURE(false);
}

std::string changes(const Instance& instance, const State& before, const State& after) {
  std::string text;
  const auto has_changed = [&](const Component& component, std::size_t place) {
    return before[place] != after[place] && !component.is_history;
  };
  for_each_place(instance, has_changed,
                 [&](const Component& component, const auto& arguments, std::size_t place) {
                   if (!text.empty()) text += ", ";
                   const std::string what = application(component, arguments);
                   if (component.kind == Component::Kind::relation) {
                     text += after[place] != 0 ? what : "not " + what;
                   } else {
                     text += what + " := " + value_text(instance.model(), component, after[place]);
                   }
                 });
  return text;
}

std::string constants_text(const Instance& instance, const State& start) {
  std::string text;
  const auto is_told = [&](const Component& component, std::size_t place) {
    return component.is_constant && start[place] != 0;
  };
  for_each_place(
      instance, is_told, [&](const Component& component, const auto& arguments, std::size_t place) {
        text += (text.empty() ? "constants: " : ", ") + application(component, arguments);
        if (component.kind != Component::Kind::relation) {
          text += " = " + value_text(instance.model(), component, start[place]);
        }
      });
  return text.empty() ? text : text + "\n";
}

}  // namespace

State state_after(const Instance& instance, const Trace::Step& step, const State& state) {
  ISOSCOPE_REQUIRE(instance.is_enabled(step.event, state, step.parameters));
  return instance.next(step.event, state, step.parameters);
}

std::vector<State> states_of(const Model& model, const Trace& trace) {
  const Instance instance(model, trace.sizes, trace.orders);
  std::vector<State> states = {trace.start};
  for (const Trace::Step& step : trace.steps) {
    states.push_back(state_after(instance, step, states.back()));
  }
  return states;
}

std::string key_name(std::size_t key) {
  if (key < 3) return std::string(1, static_cast<char>('x' + key));
  return "x" + std::to_string(key + 1);
}

std::string client_name(std::size_t client) { return "c" + std::to_string(client + 1); }

std::string transaction_name(std::size_t transaction) {
  return transaction == 0 ? "init" : "T" + std::to_string(transaction);
}

std::string text_of(const Model& model, const Trace::Step& step) {
  const Event& event = model.events[step.event];
  std::string text = event.name;
  for (std::size_t i = 0; i < step.parameters.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + name_of(event.parameters[i].sort, step.parameters[i]);
  }
  return step.parameters.empty() ? text : text + ")";
}

std::string actor_of(const Model& model, const Trace::Step& step) {
  const Event& event = model.events[step.event];
  return event.at ? name_of(event.parameters[*event.at].sort, step.parameters[*event.at]) : "";
}

std::string start_text(const Model& model, const Trace& trace) {
  const Instance instance(model, trace.sizes, trace.orders);
  std::string text = constants_text(instance, trace.start);
  for (std::size_t i = 0; i < model.orders.size(); ++i) {
    std::vector<std::size_t> by_place(instance.count(Sort::transaction));
    for (std::size_t t = 0; t < by_place.size(); ++t) {
      by_place[trace.orders.empty() ? t : trace.orders[i][t]] = t;
    }
    text += "order " + model.orders[i] + ":";
    for (std::size_t place = 1; place < by_place.size(); ++place) {
      text += (place == 1 ? " " : " < ") + transaction_name(by_place[place]);
    }
    text += "\n";
  }
  return text;
}

std::string text_of(const Model& model, const Trace& trace) {
  const Instance instance(model, trace.sizes, trace.orders);
  State state = trace.start;  // one at a time: with 61 clients each takes a quarter of a megabyte
  std::size_t widest_actor = 0, widest_step = 0;
  for (const Trace::Step& step : trace.steps) {
    widest_actor = std::max(widest_actor, actor_of(model, step).size());
    widest_step = std::max(widest_step, text_of(model, step).size());
  }
  const std::size_t digits = std::to_string(trace.steps.size()).size();
  std::string text = start_text(model, trace);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const std::string actor = actor_of(model, trace.steps[i]);
    const std::string step = text_of(model, trace.steps[i]);
    text += std::string(digits - number.size() + 1, ' ') + number + "  " + actor +
            std::string(widest_actor - actor.size() + 2, ' ') + step;
    State next = state_after(instance, trace.steps[i], state);
    const std::string changed = changes(instance, state, next);
    state = std::move(next);
    if (!changed.empty()) text += std::string(widest_step - step.size() + 2, ' ') + changed;
    text += "\n";
  }
  return text;
}

}  // namespace isoscope::protocol
