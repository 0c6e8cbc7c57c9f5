#include <algorithm>

#include "isoscope/base/suggestion.h"
#include "protocol/language/resolve.h"

namespace isoscope::protocol {

Result<std::uint32_t> Resolver::parameter_of(const Name& name, const Event& event) const {
  std::vector<std::string> known;
  for (const Variable& parameter : event.parameters) {
    if (parameter.name == name.text) return static_cast<std::uint32_t>(known.size());
    known.push_back(parameter.name);
  }
  return error(name.where, "`" + name.text + "` is not a parameter of the event" +
                               did_you_mean(name.text, known));
}

Status Resolver::add_event(const Statement& statement, Event& event) {
  Scope scope;
  for (const Binder& parameter : statement.parameters)
    ISOSCOPE_TRY_STATUS(bind(parameter.name, parameter.sort, scope));
  ISOSCOPE_TRY(whose, parameter_of(statement.at, event));
  if (event.parameters[whose].sort == Sort::transaction) {
    return error(statement.at.where,
                 "expected a client or a key after `at`, found a transaction; a transaction's "
                 "steps are its client's or those of the keys it uses");
  }
  event.at = whose;
  scope.locals[whose].is_used = true;
  const auto annotate = [&](const std::optional<Name>& name,
                            std::optional<std::uint32_t>& place) -> Status {
    if (!name) return Done{};
    ISOSCOPE_TRY(which, parameter_of(*name, event));
    if (event.parameters[which].sort != Sort::transaction) {
      return error(name->where, "expected a transaction, found " +
                                    std::string(in_words(event.parameters[which].sort)));
    }
    place = which;
    scope.locals[which].is_used = true;
    return Done{};
  };
  ISOSCOPE_TRY_STATUS(annotate(statement.begins, event.begins));
  ISOSCOPE_TRY_STATUS(annotate(statement.commits, event.commits));
  ISOSCOPE_TRY_STATUS(annotate(statement.answers, event.answers));
  if (statement.body) {
    ISOSCOPE_TRY(guard, formula(*statement.body, scope));
    event.guard = std::move(guard);
  } else {
    Formula always;
    always.index = 1;
    always.where = statement.where;
    ISOSCOPE_TRY(guard, make(std::move(always)));
    event.guard = std::move(guard);
  }
  for (const UpdateText& update : statement.updates)
    ISOSCOPE_TRY_STATUS(add_update(update, scope, event));
  for (std::size_t i = 0; i < scope.locals.size(); ++i) {
    if (scope.locals[i].is_used) continue;
    return error(statement.parameters[i].name.where,
                 "the parameter `" + scope.locals[i].name + "` is not used in the event");
  }
  return Done{};
}

Status Resolver::add_update(const UpdateText& text, const Scope& outer, Event& event) {
  Scope scope = outer;
  Update update;
  update.where = text.where;
  for (const Binder& binder : text.binders) {
    ISOSCOPE_TRY_STATUS(bind(binder.name, binder.sort, scope));
    update.bound.push_back(binder.sort);
  }
  Status result = text.kind == UpdateText::Kind::assign
                      ? add_assignment(text, scope, std::move(update), event)
                      : add_to_versions(text, scope, std::move(update), event);
  for (std::size_t i = 0; i < outer.locals.size(); ++i) {
    if (scope.locals[i].is_used) outer.locals[i].is_used = true;
  }
  return result;
}

Result<Term> Resolver::place(const Expr& expr, Sort sort, const Scope& scope) {
  ISOSCOPE_TRY(result, term(expr, sort, scope));
  if (result.kind == Term::Kind::variable) return result;
  return error(expr.where,
               "expected a variable: an update says where by variables only; give the event a "
               "parameter and its guard an equation, or use `for w: " +
                   std::string(in_words(sort)).substr(2) + ": ... if w = ...`");
}

Status Resolver::check_places(const UpdateText& text, const std::vector<Term>& index,
                              const Event& event) const {
  for (std::size_t i = 0; i < text.binders.size(); ++i) {
    const std::size_t number = event.parameters.size() + i;
    const auto is_it = [&](const Term& term) { return term.index == number; };
    if (std::any_of(index.begin(), index.end(), is_it)) continue;
    return error(text.binders[i].name.where,
                 "`" + text.binders[i].name.text + "` does not say where `" + text.target.text +
                     "` is changed, so there would be several values for one place");
  }
  return Done{};
}

Status Resolver::add_assignment(const UpdateText& text, const Scope& scope, Update update,
                                Event& event) {
  ISOSCOPE_TRY(number, component_named(text.target, scope));
  const Component& component = result_.components[number];
  if (component.is_constant)
    return error(text.target.where, "`" + component.name + "` is constant: no event changes it");
  if (text.index.size() != component.parameters.size()) {
    return error(text.target.where,
                 wrong_count(component.name, component.parameters, text.index.size()));
  }
  update.component = number;
  for (std::size_t i = 0; i < text.index.size(); ++i) {
    ISOSCOPE_TRY(where, place(*text.index[i], component.parameters[i], scope));
    update.index.push_back(std::move(where));
  }
  for (const UpdateText::Case& written : text.cases) {
    ISOSCOPE_TRY(next, update_case(component, *written.value, scope));
    if (written.condition) {
      ISOSCOPE_TRY(condition, formula(*written.condition, scope));
      next.condition = std::move(condition);
    }
    update.cases.push_back(std::move(next));
  }
  ISOSCOPE_TRY_STATUS(check_places(text, update.index, event));
  event.updates.push_back(std::move(update));
  return Done{};
}

Result<Update::Case> Resolver::update_case(const Component& component, const Expr& value,
                                           const Scope& scope) {
  Update::Case result;
  switch (component.kind) {
    case Component::Kind::relation: {
      ISOSCOPE_TRY(body, formula(value, scope));
      result.formula = std::move(body);
      break;
    }
    case Component::Kind::enumeration: {
      if (value.kind != Expr::Kind::name) {
        return error(value.where, "expected a value of `" +
                                      result_.enumerations[component.enumeration].name + "`");
      }
      ISOSCOPE_TRY(number, value_of({value.name, value.where}, component.enumeration));
      result.value = number;
      break;
    }
    case Component::Kind::reference: {
      ISOSCOPE_TRY(reference, reference_value(component, value, scope));
      result.reference = std::move(reference);
      break;
    }
  }
  return result;
}

Result<Update::Reference> Resolver::reference_value(const Component& component, const Expr& value,
                                                    const Scope& scope) {
  Update::Reference result;
  ISOSCOPE_TRY(found, side(value, scope));
  switch (found.kind) {
    case Side::Kind::none:
      if (!component.is_total) return result;
      return error(value.where, "`" + component.name + "` is never none");
    case Side::Kind::reference:
      if (component.is_total) {
        return error(value.where, "`" + component.name + "` is never none, but `" + value.name +
                                      "` may be; name what it refers to in the guard");
      }
      result.kind = Update::Reference::Kind::copy;
      result.component = found.component;
      result.at = std::move(found.at);
      return result;
    case Side::Kind::term:
    case Side::Kind::value:
    case Side::Kind::word:
      break;
  }
  ISOSCOPE_TRY(what, term(value, Sort::transaction, scope));
  result.kind = Update::Reference::Kind::term;
  result.term = std::move(what);
  return result;
}

}  // namespace isoscope::protocol
