#include "protocol/smtlib/smtlib_terms.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;
using Strings = std::vector<std::string>;

// Bars around what is not made of letters and a few signs. They are no part of the name.
std::string symbol(const std::string& text) {
  const auto is_simple = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-.@").find(c) != std::string_view::npos;
  };
  ISOSCOPE_REQUIRE(text.find_first_of("|\\") == std::string::npos);
  return std::ranges::all_of(text, is_simple) ? text : "|" + text + "|";
}

std::string negated(const std::string& text) { return "(not " + text + ")"; }

}  // namespace

std::string smt_applied(const std::string& word, const Strings& arguments) {
  if (arguments.empty()) return word;
  std::string text = "(" + word;
  for (const std::string& argument : arguments) text += " " + argument;
  return text + ")";
}

std::string smt_joined(const char* word, const Strings& parts) {
  if (parts.empty()) return std::string_view(word) == "and" ? "true" : "false";
  return parts.size() == 1 ? parts[0] : smt_applied(word, parts);
}

std::string smt_for_all(const std::string& bound, const std::string& body) {
  return bound == "()" ? body : smt_applied("forall", {bound, body});
}

std::string_view smt_sort(Sort sort) {
  switch (sort) {
    case Sort::client:
      return "Client";
    case Sort::key:
      return "Key";
    case Sort::transaction:
      return "Transaction";
  }
  return "";
}

std::string SmtScope::bind(const std::vector<Sort>& sorts) {
  std::string text;
  for (const Sort sort : sorts) {
    const char* letter = sort == Sort::client ? "c" : sort == Sort::key ? "k" : "t";
    variables.push_back(letter + std::to_string(++depth));
    text +=
        (text.empty() ? "(" : " (") + variables.back() + " " + std::string(smt_sort(sort)) + ")";
  }
  return "(" + text + ")";
}

SmtTerms::SmtTerms(const Model& model, const Event* event)
    : model_(model), event_(event), is_changed_(model.components.size()) {
  if (!event) return;
  for (const Update& update : event->updates) is_changed_[update.component] = true;
}

std::string SmtTerms::name_of(std::uint32_t component, When when) const {
  const Component& named = model_.components[component];
  if (named.is_constant) return symbol(named.name + "@always");
  const bool is_after = when == When::after && is_changed_[component];
  return symbol(named.name + (is_after ? "@after" : "@before"));
}

std::string SmtTerms::order_name(std::uint32_t order) const {
  return symbol(model_.orders[order] + "@order");
}

std::string SmtTerms::sort_of_values(std::uint32_t enumeration) const {
  return symbol(model_.enumerations[enumeration].name + "@values");
}

std::string SmtTerms::value_name(std::uint32_t enumeration, std::uint32_t value) const {
  const Enumeration& of = model_.enumerations[enumeration];
  return symbol(of.values[value] + "@" + of.name);
}

std::string SmtTerms::parameter_name(std::size_t parameter) const {
  return symbol(event_->parameters[parameter].name + "@event");
}

std::string SmtTerms::result_sort(const Component& component) const {
  switch (component.kind) {
    case Component::Kind::relation:
      return "Bool";
    case Component::Kind::enumeration:
      return sort_of_values(component.enumeration);
    case Component::Kind::reference:
      break;
  }
  return component.is_total ? "Transaction" : "Bool";
}

std::vector<Sort> SmtTerms::arguments_of(const Component& component) {
  std::vector<Sort> sorts = component.parameters;
  if (component.kind == Component::Kind::reference && !component.is_total)
    sorts.push_back(Sort::transaction);
  return sorts;
}

std::string SmtTerms::term(const Term& what, const SmtScope& scope) const {
  switch (what.kind) {
    case Term::Kind::variable:
      return scope.variables[what.index];
    case Term::Kind::initial:
      return "initial";
    case Term::Kind::owner:
      return smt_applied("owner", terms(what.arguments, scope));
    case Term::Kind::reference:
      break;
  }
  ISOSCOPE_REQUIRE(model_.components[what.index].is_total);
  return smt_applied(name_of(what.index, scope.when), terms(what.arguments, scope));
}

Strings SmtTerms::terms(const std::vector<Term>& all, const SmtScope& scope) const {
  Strings texts;
  for (const Term& one : all) texts.push_back(term(one, scope));
  return texts;
}

std::string SmtTerms::formula(const Formula& what, SmtScope scope) const {
  switch (what.kind) {
    case Kind::truth:
      return what.index != 0 ? "true" : "false";
    case Kind::relation:
      return smt_applied(name_of(what.index, scope.when), terms(what.terms, scope));
    case Kind::is_value:
      return is_value(what, scope);
    case Kind::refers_to: {
      Strings arguments = terms(what.terms, scope);
      const std::string name = name_of(what.index, scope.when);
      if (!model_.components[what.index].is_total) return smt_applied(name, arguments);
      const std::string target = std::move(arguments.back());
      arguments.pop_back();
      return smt_applied("=", {smt_applied(name, arguments), target});
    }
    case Kind::refers_to_none:
      return refers_to_none(what, std::move(scope));
    case Kind::equal:
      return smt_applied("=", terms(what.terms, scope));
    case Kind::session_order:
      return smt_applied("so", terms(what.terms, scope));
    case Kind::order:
      return smt_applied(order_name(what.index), terms(what.terms, scope));
    case Kind::for_all:
    case Kind::exists:
      return quantified(what, std::move(scope));
    case Kind::negation:
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::implication:
    case Kind::equivalence:
      break;
  }
  Strings parts;
  for (const FormulaPtr& child : what.children) parts.push_back(formula(*child, scope));
  switch (what.kind) {
    case Kind::negation:
      return negated(parts[0]);
    case Kind::conjunction:
      return smt_joined("and", parts);
    case Kind::disjunction:
      return smt_joined("or", parts);
    case Kind::implication:
      return smt_applied("=>", parts);
    default:
      return smt_applied("=", parts);
  }
}

// Quantifiers of one kind, one right below the other, become one.
std::string SmtTerms::quantified(const Formula& outermost, SmtScope scope) const {
  std::vector<Sort> sorts;
  const Formula* body = &outermost;
  for (; body->kind == outermost.kind; body = body->children[0].get()) {
    ISOSCOPE_REQUIRE(body->index == scope.variables.size() + sorts.size());
    sorts.push_back(body->sort);
  }
  const std::string bound = scope.bind(sorts);
  return smt_applied(outermost.kind == Kind::for_all ? "forall" : "exists",
                     {bound, formula(*body, std::move(scope))});
}

std::string SmtTerms::is_value(const Formula& what, const SmtScope& scope) const {
  const std::string place = smt_applied(name_of(what.index, scope.when), terms(what.terms, scope));
  const std::uint32_t enumeration = model_.components[what.index].enumeration;
  Strings any;
  for (std::uint32_t v = 0; v < model_.enumerations[enumeration].values.size(); ++v)
    if ((what.values >> v & 1) != 0)
      any.push_back(smt_applied("=", {place, value_name(enumeration, v)}));
  return smt_joined("or", any);
}

std::string SmtTerms::refers_to_none(const Formula& what, SmtScope scope) const {
  if (model_.components[what.index].is_total) return "false";
  Strings arguments = terms(what.terms, scope);
  const std::string bound = scope.bind({Sort::transaction});
  arguments.push_back(scope.variables.back());
  return smt_for_all(bound, negated(smt_applied(name_of(what.index, scope.when), arguments)));
}

std::string SmtTerms::claim(const Claim& what, std::optional<When> all_at) const {
  SmtScope scope;
  if (event_)
    for (std::size_t i = 0; i < event_->parameters.size(); ++i)
      scope.variables.push_back(parameter_name(i));
  const std::string bound = scope.bind(what.variables);
  return smt_for_all(bound, proposition(what.body, scope, all_at));
}

std::string SmtTerms::proposition(const Proposition& what, const SmtScope& scope,
                                  std::optional<When> all_at) const {
  Strings arguments;
  for (const std::uint32_t argument : what.arguments)
    arguments.push_back(argument == initial_variable ? "initial" : scope.variables[argument]);
  switch (what.kind) {
    case Proposition::Kind::formula:
      return formula(*what.formula,
                     {std::move(arguments), scope.depth, all_at.value_or(what.when)});
    case Proposition::Kind::equal:
      return smt_applied("=", arguments);
    case Proposition::Kind::session_order:
      return smt_applied("so", arguments);
    case Proposition::Kind::same_owner: {
      const std::string &a = arguments[0], &b = arguments[1];
      return "(and (not (= " + a + " initial)) (not (= " + b + " initial)) (= (owner " + a +
             ") (owner " + b + ")))";
    }
    case Proposition::Kind::negation:
      return negated(proposition(what.parts[0], scope, all_at));
    case Proposition::Kind::conjunction:
    case Proposition::Kind::disjunction:
      break;
  }
  Strings parts;
  for (const Proposition& part : what.parts) parts.push_back(proposition(part, scope, all_at));
  return smt_joined(what.kind == Proposition::Kind::conjunction ? "and" : "or", parts);
}

}  // namespace isoscope::protocol
