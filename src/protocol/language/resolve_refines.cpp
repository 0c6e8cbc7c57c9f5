#include <algorithm>

#include "isoscope/base/suggestion.h"
#include "protocol/language/resolve.h"
#include "protocol/model/make_formula.h"
#include "protocol/model/translate.h"

// `refines`: names of the other model on the left, formulas of this one on the right.

namespace isoscope::protocol {

namespace {

using Kind = Formula::Kind;

template <class Items>
std::optional<std::uint32_t> number_of(const std::string& name, const Items& items) {
  for (std::uint32_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return i;
  return std::nullopt;
}

template <class Items>
std::string suggested(const std::string& name, const Items& items) {
  std::vector<std::string> known;
  for (const auto& item : items) known.push_back(item.name);
  return did_you_mean(name, known);
}

std::vector<Term> parameters_of(const std::vector<Sort>& sorts) {
  std::vector<Term> result;
  for (const Sort sort : sorts)
    result.push_back(variable_of(sort, static_cast<std::uint32_t>(result.size())));
  return result;
}

std::vector<Sort> sorts_of(const Event& event) {
  std::vector<Sort> result;
  for (const Variable& parameter : event.parameters) result.push_back(parameter.sort);
  return result;
}

// A component that the formula or term reads and that some event changes.
const Component* changing(const Model& model, const Term& term, const std::vector<bool>& changes) {
  if (term.kind == Term::Kind::reference && changes[term.index])
    return &model.components[term.index];
  for (const Term& argument : term.arguments)
    if (const Component* found = changing(model, argument, changes)) return found;
  return nullptr;
}

const Component* changing(const Model& model, const Formula& formula,
                          const std::vector<bool>& changes) {
  const bool is_of_component = formula.kind == Kind::relation || formula.kind == Kind::is_value ||
                               formula.kind == Kind::refers_to ||
                               formula.kind == Kind::refers_to_none;
  if (is_of_component && changes[formula.index]) return &model.components[formula.index];
  for (const Term& term : formula.terms)
    if (const Component* found = changing(model, term, changes)) return found;
  for (const FormulaPtr& child : formula.children)
    if (const Component* found = changing(model, *child, changes)) return found;
  return nullptr;
}

// Does the other model's formula read a component that the map leaves out?
const Component* left_out(const ModelMap& map, const Formula& formula) {
  std::vector<bool> is_left_out;
  for (const ComponentMap& component : map.components)
    is_left_out.push_back(component.formulas.empty());
  return changing(*map.model, formula, is_left_out);
}

}  // namespace

Status Resolver::add_refines(const Statement& statement) {
  if (result_.refines) return error(statement.where, "expected one `refines`, found a second");
  ISOSCOPE_TRY(other, find_(statement));
  ModelMap& map = result_.refines.emplace();
  map.name = statement.name.text;
  map.where = statement.name.where;
  map.model = std::make_shared<const Model>(std::move(other));
  for (const std::string& order : map.model->orders) {
    const auto found = std::ranges::find(result_.orders, order);
    if (found == result_.orders.end()) {
      return error(statement.name.where, "`" + map.name + "` has the order `" + order +
                                             "`, which this model must have, too: `order " + order +
                                             "`");
    }
    map.orders.push_back(static_cast<std::uint32_t>(found - result_.orders.begin()));
  }
  map.components.resize(map.model->components.size());
  for (const MapText& text : statement.maps) {
    const auto number = number_of(text.name.text, map.model->components);
    if (!number) {
      return error(text.name.where, "`" + map.name + "` has no part `" + text.name.text + "`" +
                                        suggested(text.name.text, map.model->components));
    }
    if (!map.components[*number].formulas.empty()) {
      return error(text.name.where, "expected one `map " + text.name.text + "`, found a second");
    }
    ISOSCOPE_TRY(component, component_map(map.model->components[*number], text));
    map.components[*number] = std::move(component);
  }
  for (std::size_t i = 0; i < map.components.size(); ++i) {
    if (!map.components[i].formulas.empty()) continue;
    ISOSCOPE_TRY_STATUS(map_by_name(map.model->components[i], map.components[i]));
  }
  return add_event_maps(statement);
}

Result<ComponentMap> Resolver::component_map(const Component& component, const MapText& text) {
  if (text.variables.size() != component.parameters.size()) {
    return error(text.name.where,
                 wrong_count(text.name.text, component.parameters, text.variables.size()));
  }
  Scope scope;
  for (std::size_t i = 0; i < text.variables.size(); ++i)
    ISOSCOPE_TRY_STATUS(bind(text.variables[i], component.parameters[i], scope));
  ComponentMap result;
  result.where = text.name.where;
  if (text.chosen) {
    if (component.kind != Component::Kind::reference) {
      return error(text.chosen->where,
                   "`" + component.name + "` is no reference; only these are `w when ...`");
    }
    ISOSCOPE_TRY_STATUS(bind(*text.chosen, Sort::transaction, scope));
    ISOSCOPE_TRY(body, formula(*text.cases[0].condition, scope));
    const auto target = static_cast<std::uint32_t>(component.parameters.size());
    result.is_chosen = true;
    result.formulas = {body};
    if (!component.is_total)
      result.formulas.push_back(negation_of(exists_of(Sort::transaction, target, body)));
    return result;
  }
  const UpdateText::Case& last = text.cases.back();
  if (last.condition) {
    return error(last.condition->where,
                 "expected `else` and a value after this condition: a map says what `" +
                     component.name + "` is in every state");
  }
  std::vector<FormulaPtr> conditions;
  std::vector<std::vector<FormulaPtr>> values;  // by formula of the map, then by case
  for (const UpdateText::Case& one : text.cases) {
    if (one.condition) {
      ISOSCOPE_TRY(condition, formula(*one.condition, scope));
      conditions.push_back(std::move(condition));
    }
    ISOSCOPE_TRY(formulas, map_value(component, *one.value, scope, result.term));
    values.resize(formulas.size());
    for (std::size_t i = 0; i < formulas.size(); ++i) values[i].push_back(std::move(formulas[i]));
  }
  if (!conditions.empty()) result.term.reset();
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<FormulaPtr> below = conditions;
    if (component.kind == Component::Kind::reference && i == 0) {
      // One more variable is known there.
      Translation translation(*result_.refines);
      for (FormulaPtr& condition : below)
        condition = translation.put(*condition, parameters_of(component.parameters),
                                    static_cast<std::uint32_t>(component.parameters.size()) + 1);
      if (translation.is_too_large()) return too_large(text.name.where);
    }
    result.formulas.push_back(choice_of(below, values[i]));
  }
  return result;
}

// What the value is as formulas of a ComponentMap.
Result<std::vector<FormulaPtr>> Resolver::map_value(const Component& component, const Expr& value,
                                                    const Scope& scope,
                                                    std::optional<Term>& only_term) {
  std::vector<FormulaPtr> result;
  switch (component.kind) {
    case Component::Kind::relation: {
      ISOSCOPE_TRY(body, formula(value, scope));
      return std::vector{std::move(body)};
    }
    case Component::Kind::enumeration: {
      const Enumeration& type = result_.refines->model->enumerations[component.enumeration];
      if (value.kind == Expr::Kind::name) {
        const auto found = std::ranges::find(type.values, value.name);
        if (found == type.values.end()) {
          return error(value.where, "`" + value.name + "` is not a value of `" + type.name +
                                        "` in `" + result_.refines->name + "`" +
                                        did_you_mean(value.name, type.values));
        }
        for (auto it = type.values.begin(); it != type.values.end(); ++it)
          result.push_back(truth_of(it == found, value.where));
        return result;
      }
      ISOSCOPE_TRY(found, side(value, scope));
      if (found.kind != Side::Kind::value)
        return error(value.where, "expected a value of `" + type.name + "`");
      return copied_values(type, found, value.where);
    }
    case Component::Kind::reference:
      break;
  }
  ISOSCOPE_TRY(reference, reference_value(component, value, scope));
  const auto target = variable_of(Sort::transaction, scope.depth);
  const bool is_copy = reference.kind == Update::Reference::Kind::copy;
  std::vector<Term> at = reference.at;
  FormulaPtr none = truth_of(reference.kind == Update::Reference::Kind::none, value.where);
  if (is_copy) none = atom_of(Kind::refers_to_none, reference.component, at, value.where);
  at.push_back(target);
  result.push_back(is_copy
                       ? atom_of(Kind::refers_to, reference.component, std::move(at), value.where)
                   : reference.kind == Update::Reference::Kind::term
                       ? equality_of(reference.term, target, value.where)
                       : truth_of(false, value.where));
  if (component.is_total) {
    only_term = reference.term;
  } else {
    result.push_back(std::move(none));
  }
  return result;
}

Result<std::vector<FormulaPtr>> Resolver::copied_values(const Enumeration& type, const Side& from,
                                                        Position where) {
  const Enumeration& own = result_.enumerations[result_.components[from.component].enumeration];
  for (const std::string& value : own.values) {
    if (std::ranges::count(type.values, value) != 0) continue;
    return error(where, "`" + result_.components[from.component].name + "` can be `" + value +
                            "`, which is not a value of `" + type.name + "` in `" +
                            result_.refines->name + "`");
  }
  std::vector<FormulaPtr> result;
  for (const std::string& value : type.values) {
    const auto found = std::ranges::find(own.values, value);
    if (found == own.values.end()) {
      result.push_back(truth_of(false, where));
      continue;
    }
    ISOSCOPE_TRY(one, has_values(from.component, from.at,
                                 std::uint64_t{1} << (found - own.values.begin()), where));
    result.push_back(std::move(one));
  }
  return result;
}

// What is of the same name and type is the same.
Status Resolver::map_by_name(const Component& component, ComponentMap& to) {
  const ModelMap& map = *result_.refines;
  const auto number = number_of(component.name, result_.components);
  const auto is_alike = [&](const Component& own) {
    return own.kind == component.kind && own.parameters == component.parameters &&
           (own.is_total || !component.is_total) && (own.is_constant || !component.is_constant);
  };
  if (!number || !is_alike(result_.components[*number])) {
    if (component.is_history) return Done{};
    return error(map.where, "expected `map " + component.name + "(...) = ...` in `refines " +
                                map.name + "`: no part of this model has the same name and type");
  }
  const Component& own = result_.components[*number];
  std::vector<Term> at = parameters_of(component.parameters);
  to.where = map.where;
  switch (component.kind) {
    case Component::Kind::relation:
      to.formulas = {atom_of(Kind::relation, *number, std::move(at), map.where)};
      return Done{};
    case Component::Kind::enumeration: {
      Side side;
      side.component = *number;
      side.at = std::move(at);
      ISOSCOPE_TRY(values,
                   copied_values(map.model->enumerations[component.enumeration], side, map.where));
      to.formulas = std::move(values);
      return Done{};
    }
    case Component::Kind::reference:
      break;
  }
  const Term target = variable_of(Sort::transaction, static_cast<std::uint32_t>(at.size()));
  if (own.is_total) {
    Term term{.kind = Term::Kind::reference, .index = *number, .arguments = std::move(at)};
    to.formulas = {equality_of(term, target, map.where)};
    if (component.is_total) {
      to.term = std::move(term);
    } else {
      to.formulas.push_back(truth_of(false, map.where));
    }
    return Done{};
  }
  FormulaPtr none = atom_of(Kind::refers_to_none, *number, at, map.where);
  at.push_back(target);
  to.formulas = {atom_of(Kind::refers_to, *number, std::move(at), map.where), std::move(none)};
  return Done{};
}

Status Resolver::add_event_maps(const Statement& statement) {
  ModelMap& map = *result_.refines;
  map.events.resize(result_.events.size());
  std::vector<bool> is_given(result_.events.size());
  for (const EventMapText& text : statement.events) {
    const auto number = number_of(text.name.text, result_.events);
    if (!number) {
      return error(text.name.where, "unknown event `" + text.name.text + "`" +
                                        suggested(text.name.text, result_.events));
    }
    const Event& event = result_.events[*number];
    if (is_given[*number])
      return error(text.name.where, "expected one `event " + event.name + "`, found a second");
    is_given[*number] = true;
    const std::vector<Sort> sorts = sorts_of(event);
    if (text.variables.size() != sorts.size())
      return error(text.name.where, wrong_count(event.name, sorts, text.variables.size()));
    Scope scope;
    for (std::size_t i = 0; i < sorts.size(); ++i)
      ISOSCOPE_TRY_STATUS(bind(text.variables[i], sorts[i], scope));
    if (!text.is) continue;
    const auto other = number_of(text.is->name, map.model->events);
    if (!other) {
      return error(text.is->where, "`" + map.name + "` has no event `" + text.is->name + "`" +
                                       suggested(text.is->name, map.model->events));
    }
    const Event& there = map.model->events[*other];
    ISOSCOPE_TRY(terms, arguments(*text.is, sorts_of(there), scope));
    event_maps_.push_back({*number, text.is->children[*there.at]->where});
    map.events[*number] = EventMap{*other, std::move(terms)};
  }
  return Done{};
}

// What can be said only when all of this model is known.
Status Resolver::check_refines() const {
  if (!result_.refines) return Done{};
  const ModelMap& map = *result_.refines;
  for (const auto& [number, where] : event_maps_) {
    const Event& event = result_.events[number];
    const Event& there = map.model->events[map.events[number]->event];
    const Variable& own = event.parameters[*event.at];
    if (map.events[number]->arguments[*there.at] == variable_of(own.sort, *event.at)) continue;
    return error(where, "`" + event.name + "` is a step of " + std::string(in_words(own.sort)) +
                            ", its parameter `" + own.name + "`; so `" + there.name +
                            "` must be a step of the same");
  }
  std::vector<bool> changes(result_.components.size());
  for (const Event& event : result_.events)
    for (const Update& update : event.updates) changes[update.component] = true;
  for (std::size_t i = 0; i < map.components.size(); ++i) {
    const Component& there = map.model->components[i];
    if (!there.is_constant) continue;
    if (const Component* found = changing(result_, *map.components[i].formulas[0], changes)) {
      return error(map.components[i].where, "`" + there.name + "` is constant in `" + map.name +
                                                "`, but here it depends on `" + found->name +
                                                "`, which events change");
    }
  }
  const Observation& seen = map.model->observation;
  for (const Named* named : {&seen.committed, &seen.reads, &seen.writes}) {
    if (const Component* found = left_out(map, *named->formula)) {
      return error(map.where, "expected `map " + found->name + "(...) = ...` in `refines " +
                                  map.name + "`, for what clients see there depends on it");
    }
  }
  return Done{};
}

}  // namespace isoscope::protocol
