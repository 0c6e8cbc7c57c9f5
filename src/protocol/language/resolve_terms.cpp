#include <algorithm>

#include "isoscope/base/suggestion.h"
#include "isoscope/base/words.h"
#include "protocol/language/resolve.h"

// What a name stands for: a variable, a part of the state, a value.

namespace isoscope::protocol {

namespace {

std::uint64_t size_of(const Term& term) {
  std::uint64_t result = 1;
  for (const Term& argument : term.arguments) result += size_of(argument);
  return result;
}

unsigned height_of(const Term& term) {
  unsigned result = 0;
  for (const Term& argument : term.arguments) result = std::max(result, height_of(argument));
  return result + 1;
}

}  // namespace

std::string_view in_words(Sort sort) {
  switch (sort) {
    case Sort::client:
      return "a client";
    case Sort::key:
      return "a key";
    case Sort::transaction:
      break;
  }
  return "a transaction";
}

const Resolver::Local* Resolver::find_local(std::string_view name, const Scope& scope) const {
  const auto found = std::find_if(scope.locals.begin(), scope.locals.end(),
                                  [&](const Local& local) { return local.name == name; });
  if (found == scope.locals.end()) return nullptr;
  found->is_used = true;
  return &*found;
}

Error Resolver::unknown(const std::string& name, Position where, const Scope& scope) const {
  if (const auto later = macros_to_come_.find(name); later != macros_to_come_.end()) {
    return error(where, "`" + name + "` is defined in line " + std::to_string(later->second) +
                            " and can only be used after that; definitions are not recursive");
  }
  std::vector<std::string> known = {"owner", "so", "initial", "none"};
  for (const Local& local : scope.locals) known.push_back(local.name);
  for (const auto& [other, global] : globals_) {
    if (global.kind != Global::Kind::versions) known.push_back(other);
  }
  return error(where, "unknown name `" + name + "`" + did_you_mean(name, known));
}

Status Resolver::bind(const Name& name, Sort sort, Scope& scope) const {
  const auto same = [&](const Local& local) { return local.name == name.text; };
  if (std::any_of(scope.locals.begin(), scope.locals.end(), same))
    return error(name.where, "`" + name.text + "` is the name of another variable here");
  if (scope.depth == max_binders) {
    return error(name.where,
                 "more than " + std::to_string(max_binders) + " variables at the same time");
  }
  Term variable;
  variable.sort = sort;
  variable.index = scope.depth++;
  scope.locals.push_back({name.text, std::move(variable)});
  return Done{};
}

Result<std::uint32_t> Resolver::component_named(const Name& name, const Scope& scope) const {
  const auto found = globals_.find(name.text);
  if (found == globals_.end()) return unknown(name.text, name.where, scope);
  if (found->second.kind == Global::Kind::component) return found->second.number;
  if (found->second.kind == Global::Kind::versions) {
    return error(name.where, "`" + name.text + "` is a version list, changed by `append " +
                                 name.text + "(k) t` and `read " + name.text + "(k) w by t`");
  }
  return error(name.where,
               "expected a part of the state, found `" + name.text + "`, " +
                   (found->second.kind == Global::Kind::order ? "an order" : "a definition"));
}

Result<std::uint32_t> Resolver::value_of(const Name& value, std::uint32_t enumeration) const {
  const Enumeration& type = result_.enumerations[enumeration];
  const auto found = std::find(type.values.begin(), type.values.end(), value.text);
  if (found != type.values.end()) return static_cast<std::uint32_t>(found - type.values.begin());
  return error(value.where, "`" + value.text + "` is not a value of `" + type.name + "`" +
                                did_you_mean(value.text, type.values));
}

std::string wrong_count(const std::string& name, const std::vector<Sort>& sorts,
                        std::size_t found) {
  return "expected " + std::to_string(sorts.size()) +
         (sorts.size() == 1 ? " argument" : " arguments") + " of `" + name +
         (sorts.empty() ? "`"
                        : "` (" + joined(sorts, [](Sort sort) { return in_words(sort); }) + ")") +
         ", found " + std::to_string(found);
}

Result<std::vector<Term>> Resolver::arguments(const Expr& expr, const std::vector<Sort>& sorts,
                                              const Scope& scope) {
  if (expr.children.size() != sorts.size()) {
    return error(expr.where, wrong_count(expr.name, sorts, expr.children.size()));
  }
  std::vector<Term> result;
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    ISOSCOPE_TRY(argument, term(*expr.children[i], sorts[i], scope));
    result.push_back(std::move(argument));
  }
  return result;
}

Status Resolver::count(const Term& term, Position where) {
  size_ += size_of(term);
  if (size_ > max_size) return too_large(where);
  if (height_of(term) <= max_term_height) return Done{};
  return error(where, "with all definitions put in, this term is nested more than " +
                          std::to_string(max_term_height) + " deep");
}

Result<Term> Resolver::term(const Expr& expr, Sort sort, const Scope& scope) {
  ISOSCOPE_TRY(result, term_of(expr, scope));
  if (result.sort == sort) return result;
  return error(expr.where, "expected " + std::string(in_words(sort)) + ", found " +
                               std::string(in_words(result.sort)));
}

Result<Term> Resolver::term_of(const Expr& expr, const Scope& scope) {
  ISOSCOPE_TRY(found, side(expr, scope));
  switch (found.kind) {
    case Side::Kind::term:
      return std::move(found.term);
    case Side::Kind::word:
      return unknown(expr.name, expr.where, scope);
    case Side::Kind::reference:
      return error(expr.where, "`" + expr.name +
                                   "` may be none here; name what it refers to: `exists w: "
                                   "transaction. " +
                                   expr.name + "(...) = w and ...`");
    case Side::Kind::value:
      return error(expr.where,
                   "expected a client, a key or a transaction, found a value of `" +
                       result_.enumerations[result_.components[found.component].enumeration].name +
                       "`");
    case Side::Kind::none:
      break;
  }
  return error(expr.where, "expected a client, a key or a transaction, found `none`");
}

Result<Resolver::Side> Resolver::side(const Expr& expr, const Scope& scope) {
  Side result;
  if (expr.kind == Expr::Kind::none) return result;
  result.kind = Side::Kind::term;
  if (expr.kind == Expr::Kind::initial) {
    result.term.kind = Term::Kind::initial;
    return result;
  }
  if (expr.kind == Expr::Kind::name) {
    const Local* local = find_local(expr.name, scope);
    if (local == nullptr) {
      result.kind = Side::Kind::word;
    } else {
      result.term = local->term;
    }
    return result;
  }
  if (expr.kind != Expr::Kind::apply)
    return error(expr.where, "expected a term or a value, found a formula");
  if (expr.name == "owner") {
    ISOSCOPE_TRY(of, arguments(expr, {Sort::transaction}, scope));
    if (of[0].kind == Term::Kind::initial)
      return error(expr.where, "the initial transaction belongs to no client");
    result.term.kind = Term::Kind::owner;
    result.term.sort = Sort::client;
    result.term.arguments = std::move(of);
    ISOSCOPE_TRY_STATUS(count(result.term, expr.where));
    return result;
  }
  const auto global = globals_.find(expr.name);
  if (global == globals_.end() && expr.name != "so") return unknown(expr.name, expr.where, scope);
  if (expr.name == "so" || global->second.kind != Global::Kind::component ||
      result_.components[global->second.number].kind == Component::Kind::relation) {
    return error(expr.where, "expected a term or a value, found the formula `" + expr.name +
                                 "(...)`; formulas are compared by `<=>`");
  }
  const Component& component = result_.components[global->second.number];
  ISOSCOPE_TRY(at, arguments(expr, component.parameters, scope));
  if (component.kind == Component::Kind::reference && component.is_total) {
    result.term.kind = Term::Kind::reference;
    result.term.index = global->second.number;
    result.term.arguments = std::move(at);
    ISOSCOPE_TRY_STATUS(count(result.term, expr.where));
    return result;
  }
  const bool is_value = component.kind == Component::Kind::enumeration;
  result.kind = is_value ? Side::Kind::value : Side::Kind::reference;
  result.component = global->second.number;
  result.at = std::move(at);
  return result;
}

}  // namespace isoscope::protocol
