#include "isoscope/protocol/instance.h"

#include <algorithm>
#include <optional>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

namespace {

using Values = std::vector<std::uint8_t>;

/// The value of owner(initial), and of a total reference that would refer to nothing. No atom that
/// mentions it is true, except that it equals itself.
constexpr std::uint8_t undefined = none;

/// Calls `visit` with every tuple of values of these sorts appended to `values`.
template <class Visit>
void for_each_tuple(const Instance& instance, std::span<const Sort> sorts, Values& values,
                    const Visit& visit) {
  if (sorts.empty()) {
    visit();
    return;
  }
  for (std::size_t i = 0; i < instance.count(sorts.front()); ++i) {
    values.push_back(static_cast<std::uint8_t>(i));
    for_each_tuple(instance, sorts.subspan(1), values, visit);
    values.pop_back();
  }
}

/// One evaluation: the variables grow at binders.
class Evaluation {
 public:
  Evaluation(const Instance& instance, const std::vector<std::vector<std::uint8_t>>& orders,
             const State& state, Values variables)
      : instance_(instance), orders_(orders), state_(state), variables_(std::move(variables)) {}

  std::uint8_t value(const Term& term) {
    switch (term.kind) {
      case Term::Kind::variable:
        ISOSCOPE_REQUIRE(term.index < variables_.size());
        return variables_[term.index];
      case Term::Kind::initial:
        return 0;
      case Term::Kind::owner: {
        const std::uint8_t transaction = value(term.arguments[0]);
        return transaction == 0 || transaction == undefined ? undefined
                                                            : instance_.owner(transaction);
      }
      case Term::Kind::reference: {
        const std::optional<std::size_t> place = place_of(term.index, term.arguments);
        return place ? state_[*place] : undefined;
      }
    }
    ISOSCOPE_ENSURE(false);
  }

  /// Nothing if one of the arguments is undefined.
  std::optional<std::size_t> place_of(std::uint32_t component, std::span<const Term> terms) {
    Values arguments;
    for (const Term& term : terms) {
      arguments.push_back(value(term));
      if (arguments.back() == undefined) return std::nullopt;
    }
    return instance_.place(component, arguments);
  }

  bool truth(const Formula& formula) {
    switch (formula.kind) {
      case Formula::Kind::truth:
        return formula.index != 0;
      case Formula::Kind::relation: {
        const auto place = place_of(formula.index, formula.terms);
        return place && state_[*place] != 0;
      }
      case Formula::Kind::is_value: {
        const auto place = place_of(formula.index, formula.terms);
        return place && (formula.values >> state_[*place] & 1) != 0;
      }
      case Formula::Kind::refers_to: {
        const std::span<const Term> terms(formula.terms);
        const auto place = place_of(formula.index, terms.first(terms.size() - 1));
        const std::uint8_t target = value(terms.back());
        return place && target != undefined && state_[*place] == target;
      }
      case Formula::Kind::refers_to_none: {
        const auto place = place_of(formula.index, formula.terms);
        return place && state_[*place] == none;
      }
      case Formula::Kind::equal:
        return value(formula.terms[0]) == value(formula.terms[1]);
      case Formula::Kind::session_order: {
        const std::uint8_t first = value(formula.terms[0]), second = value(formula.terms[1]);
        return first != undefined && second != undefined && first != 0 && first < second &&
               instance_.owner(first) == instance_.owner(second);
      }
      case Formula::Kind::order: {
        const std::uint8_t first = value(formula.terms[0]), second = value(formula.terms[1]);
        return first != undefined && second != undefined &&
               orders_[formula.index][first] < orders_[formula.index][second];
      }
      case Formula::Kind::negation:
        return !truth(*formula.children[0]);
      case Formula::Kind::conjunction:
        return std::ranges::all_of(formula.children,
                                   [&](const FormulaPtr& child) { return truth(*child); });
      case Formula::Kind::disjunction:
        return std::ranges::any_of(formula.children,
                                   [&](const FormulaPtr& child) { return truth(*child); });
      case Formula::Kind::implication:
        return !truth(*formula.children[0]) || truth(*formula.children[1]);
      case Formula::Kind::equivalence:
        return truth(*formula.children[0]) == truth(*formula.children[1]);
      case Formula::Kind::for_all:
      case Formula::Kind::exists:
        return quantified(formula);
    }
    ISOSCOPE_ENSURE(false);
  }

  /// What the update writes where. Its bound variables follow the parameters.
  void apply(const Update& update, State& next) {
    for_each_tuple(instance_, update.bound, variables_, [&] {
      const auto place = place_of(update.component, update.index);
      if (!place) return;
      for (const Update::Case& one : update.cases) {
        if (one.condition && !truth(*one.condition)) continue;
        const Component& component = instance_.model().components[update.component];
        switch (component.kind) {
          case Component::Kind::relation:
            next[*place] = truth(*one.formula) ? 1 : 0;
            break;
          case Component::Kind::enumeration:
            next[*place] = static_cast<std::uint8_t>(one.value);
            break;
          case Component::Kind::reference:
            next[*place] = referred(one.reference);
            break;
        }
        break;
      }
    });
  }

 private:
  bool quantified(const Formula& formula) {
    const bool for_all = formula.kind == Formula::Kind::for_all;
    // An outer binder's, or the end: then it vanishes again, since updates count from the end.
    const std::size_t size = variables_.size();
    if (size <= formula.index) variables_.resize(formula.index + 1, undefined);
    const std::uint8_t outer = variables_[formula.index];
    bool result = for_all;
    for (std::size_t i = 0; i < instance_.count(formula.sort) && result == for_all; ++i) {
      variables_[formula.index] = static_cast<std::uint8_t>(i);
      result = truth(*formula.children[0]);
    }
    variables_[formula.index] = outer;
    variables_.resize(size);
    return result;
  }

  std::uint8_t referred(const Update::Reference& reference) {
    switch (reference.kind) {
      case Update::Reference::Kind::none:
        return none;
      case Update::Reference::Kind::term:
        return value(reference.term);
      case Update::Reference::Kind::copy: {
        const auto place = place_of(reference.component, reference.at);
        return place ? state_[*place] : none;
      }
    }
    ISOSCOPE_ENSURE(false);
  }

  const Instance& instance_;
  const std::vector<std::vector<std::uint8_t>>& orders_;
  const State& state_;
  Values variables_;
};

}  // namespace

Instance::Instance(const Model& model, Sizes sizes, std::vector<std::vector<std::uint8_t>> orders)
    : model_(model), sizes_(sizes), orders_(std::move(orders)) {
  ISOSCOPE_REQUIRE(count(Sort::transaction) < none && sizes.keys < none && sizes.clients < none);
  ISOSCOPE_REQUIRE(orders_.empty() || orders_.size() == model.orders.size());
  if (orders_.empty()) {
    std::vector<std::uint8_t> by_number(count(Sort::transaction));
    for (std::size_t i = 0; i < by_number.size(); ++i) by_number[i] = static_cast<std::uint8_t>(i);
    orders_.assign(model.orders.size(), by_number);
  }
  for (const Component& component : model.components) {
    offsets_.push_back(size_);
    std::size_t places = 1;
    for (const Sort sort : component.parameters) places *= count(sort);
    size_ += places;
  }
}

std::size_t Instance::count(Sort sort) const {
  switch (sort) {
    case Sort::client:
      return sizes_.clients;
    case Sort::key:
      return sizes_.keys;
    case Sort::transaction:
      return 1 + sizes_.clients * sizes_.transactions;
  }
  ISOSCOPE_ENSURE(false);
}

std::uint8_t Instance::owner(std::uint8_t transaction) const {
  ISOSCOPE_REQUIRE(transaction > 0 && transaction < count(Sort::transaction));
  return static_cast<std::uint8_t>((transaction - 1u) / sizes_.transactions);
}

std::size_t Instance::place(std::uint32_t component,
                            std::span<const std::uint8_t> arguments) const {
  const std::vector<Sort>& sorts = model_.components[component].parameters;
  ISOSCOPE_REQUIRE(arguments.size() == sorts.size());
  std::size_t index = 0;
  for (std::size_t i = 0; i < sorts.size(); ++i) index = index * count(sorts[i]) + arguments[i];
  return offsets_[component] + index;
}

State Instance::initial_state() const {
  State state(size_, 0);
  for (std::uint32_t number = 0; number < model_.components.size(); ++number) {
    const Component& component = model_.components[number];
    Values arguments;
    for_each_tuple(*this, component.parameters, arguments, [&] {
      std::uint8_t& value = state[place(number, arguments)];
      switch (component.kind) {
        case Component::Kind::relation:
          value = component.initially && evaluate(*component.initially, state, arguments) ? 1 : 0;
          break;
        case Component::Kind::enumeration:
          value = static_cast<std::uint8_t>(component.initial_value);
          break;
        case Component::Kind::reference:
          value = component.is_total || component.initially_initial ? 0 : none;
          break;
      }
    });
  }
  return state;
}

bool Instance::evaluate(const Formula& formula, const State& state,
                        std::span<const std::uint8_t> variables) const {
  return Evaluation(*this, orders_, state, Values(variables.begin(), variables.end()))
      .truth(formula);
}

std::uint8_t Instance::evaluate(const Term& term, const State& state,
                                std::span<const std::uint8_t> variables) const {
  return Evaluation(*this, orders_, state, Values(variables.begin(), variables.end())).value(term);
}

bool Instance::is_enabled(std::uint32_t event, const State& state,
                          std::span<const std::uint8_t> parameters) const {
  const FormulaPtr& guard = model_.events[event].guard;
  return !guard || evaluate(*guard, state, parameters);
}

State Instance::next(std::uint32_t event, const State& state,
                     std::span<const std::uint8_t> parameters) const {
  State next = state;
  Evaluation evaluation(*this, orders_, state, Values(parameters.begin(), parameters.end()));
  for (const Update& update : model_.events[event].updates) evaluation.apply(update, next);
  return next;
}

void Instance::for_each_step(const State& state, const Visit& visit) const {
  for (std::uint32_t number = 0; number < model_.events.size(); ++number) {
    const Event& event = model_.events[number];
    std::vector<Sort> sorts;
    for (const Variable& parameter : event.parameters) sorts.push_back(parameter.sort);
    Values parameters;
    for_each_tuple(*this, sorts, parameters, [&] {
      if (is_enabled(number, state, parameters)) {
        visit(number, parameters, next(number, state, parameters));
      }
    });
  }
}

}  // namespace isoscope::protocol
