#include <utility>

#include "protocol/language/resolve.h"
#include "protocol/model/make_formula.h"

namespace isoscope::protocol {

Error Resolver::too_large(Position where) const {
  return error(where, "too large: with all definitions put in, the formulas have more than " +
                          std::to_string(max_size) + " parts");
}

Result<FormulaPtr> Resolver::make(Formula formula) {
  size_ += 1 + formula.terms.size();
  if (size_ > max_size) return too_large(formula.where);
  return isoscope::protocol::formula_of(std::move(formula));
}

Result<FormulaPtr> Resolver::negated(Result<FormulaPtr> inner, Position where) {
  if (!inner) return inner;
  Formula result;
  result.kind = Formula::Kind::negation;
  result.children = {*std::move(inner)};
  result.where = where;
  return make(std::move(result));
}

Result<FormulaPtr> Resolver::formula(const Expr& expr, const Scope& scope) {
  if (nesting_ >= max_nesting) {
    return error(expr.where, "with all definitions put in, this is nested more than " +
                                 std::to_string(max_nesting) + " deep");
  }
  ++nesting_;
  Result<FormulaPtr> result = formula_of(expr, scope);
  --nesting_;
  return result;
}

Result<FormulaPtr> Resolver::formula_of(const Expr& expr, const Scope& scope) {
  switch (expr.kind) {
    case Expr::Kind::name:
    case Expr::Kind::apply:
      return application(expr, scope);
    case Expr::Kind::none:
      return error(expr.where, "expected a formula, found `none`");
    case Expr::Kind::initial:
      return error(expr.where, "expected a formula, found `initial`, a transaction");
    case Expr::Kind::truth: {
      Formula result;
      result.index = expr.truth ? 1 : 0;
      result.where = expr.where;
      return make(std::move(result));
    }
    case Expr::Kind::equal:
      return comparison(expr, scope);
    case Expr::Kind::differ:
      return negated(comparison(expr, scope), expr.where);
    case Expr::Kind::one_of:
      return one_of(expr, scope);
    case Expr::Kind::negation:
      return connective(Formula::Kind::negation, expr, scope);
    case Expr::Kind::conjunction:
      return connective(Formula::Kind::conjunction, expr, scope);
    case Expr::Kind::disjunction:
      return connective(Formula::Kind::disjunction, expr, scope);
    case Expr::Kind::implication:
      return connective(Formula::Kind::implication, expr, scope);
    case Expr::Kind::equivalence:
      return connective(Formula::Kind::equivalence, expr, scope);
    case Expr::Kind::for_all:
    case Expr::Kind::exists:
      return quantify(expr, scope);
    case Expr::Kind::no:
      break;
  }
  return negated(quantify(expr, scope), expr.where);
}

Result<FormulaPtr> Resolver::connective(Formula::Kind kind, const Expr& expr, const Scope& scope) {
  Formula result;
  result.kind = kind;
  result.where = expr.where;
  for (const ExprPtr& child : expr.children) {
    ISOSCOPE_TRY(part, formula(*child, scope));
    result.children.push_back(std::move(part));
  }
  return make(std::move(result));
}

Result<FormulaPtr> Resolver::quantify(const Expr& expr, const Scope& scope) {
  Scope inner = scope;
  for (const Binder& binder : expr.binders)
    ISOSCOPE_TRY_STATUS(bind(binder.name, binder.sort, inner));
  ISOSCOPE_TRY(body, formula(*expr.children[0], inner));
  // The scope is a copy, in which alone the outer variables are now marked as used.
  for (std::size_t i = 0; i < scope.locals.size(); ++i) {
    if (inner.locals[i].is_used) scope.locals[i].is_used = true;
  }
  for (std::size_t i = expr.binders.size(); i-- > 0;) {
    Formula result;
    result.kind = expr.kind == Expr::Kind::for_all ? Formula::Kind::for_all : Formula::Kind::exists;
    result.index = scope.depth + static_cast<std::uint32_t>(i);
    result.sort = expr.binders[i].sort;
    result.children = {std::move(body)};
    result.where = expr.where;
    ISOSCOPE_TRY(bound, make(std::move(result)));
    body = std::move(bound);
  }
  return body;
}

Result<FormulaPtr> Resolver::application(const Expr& expr, const Scope& scope) {
  Formula result;
  result.where = expr.where;
  if (expr.name == "so") {
    result.kind = Formula::Kind::session_order;
    ISOSCOPE_TRY(terms, arguments(expr, {Sort::transaction, Sort::transaction}, scope));
    result.terms = std::move(terms);
    return make(std::move(result));
  }
  if (expr.name == "owner")
    return error(expr.where, "expected a formula, found `owner(...)`, a client");
  // No variable is a formula, so a global name of the same letters is meant.
  const auto found = globals_.find(expr.name);
  if (found == globals_.end()) {
    const Local* local = find_local(expr.name, scope);
    if (local == nullptr) return unknown(expr.name, expr.where, scope);
    return error(expr.where, "expected a formula, found `" + expr.name + "`, " +
                                 std::string(in_words(local->term.sort)));
  }
  const Global& global = found->second;
  switch (global.kind) {
    case Global::Kind::macro:
      return call(*global.statement, expr, scope);
    case Global::Kind::order: {
      result.kind = Formula::Kind::order;
      result.index = global.number;
      ISOSCOPE_TRY(terms, arguments(expr, {Sort::transaction, Sort::transaction}, scope));
      result.terms = std::move(terms);
      return make(std::move(result));
    }
    case Global::Kind::versions:
      return error(expr.where, "`" + expr.name + "` is a version list; its parts are `" +
                                   expr.name + ".installed`, `.before`, `.reader` and `.last`");
    case Global::Kind::component:
      break;
  }
  const Component& component = result_.components[global.number];
  if (component.kind == Component::Kind::enumeration) {
    return error(expr.where, "expected a formula, found a value of `" +
                                 result_.enumerations[component.enumeration].name +
                                 "`; compare it: `" + expr.name + "(...) = " +
                                 result_.enumerations[component.enumeration].values[0] + "`");
  }
  if (component.kind == Component::Kind::reference) {
    return error(expr.where,
                 "expected a formula, found a reference to a transaction; compare it: "
                 "`" +
                     expr.name + "(...) = t`");
  }
  result.kind = Formula::Kind::relation;
  result.index = global.number;
  ISOSCOPE_TRY(terms, arguments(expr, component.parameters, scope));
  result.terms = std::move(terms);
  return make(std::move(result));
}

Result<FormulaPtr> Resolver::call(const Statement& macro, const Expr& expr, const Scope& scope) {
  std::vector<Sort> sorts;
  for (const Binder& parameter : macro.parameters) sorts.push_back(parameter.sort);
  ISOSCOPE_TRY(terms, arguments(expr, sorts, scope));
  Scope inner;
  inner.depth = scope.depth;
  for (std::size_t i = 0; i < terms.size(); ++i)
    inner.locals.push_back({macro.parameters[i].name.text, std::move(terms[i])});
  return formula(*macro.body, inner);
}

Result<FormulaPtr> Resolver::one_of(const Expr& expr, const Scope& scope) {
  ISOSCOPE_TRY(left, side(*expr.children[0], scope));
  if (left.kind == Side::Kind::word)
    return unknown(expr.children[0]->name, expr.children[0]->where, scope);
  if (left.kind != Side::Kind::value) {
    return error(expr.children[0]->where,
                 "expected a part of the state that holds a value of an enumeration before `in`");
  }
  std::uint64_t values = 0;
  for (const Name& name : expr.values) {
    ISOSCOPE_TRY(value, value_of(name, result_.components[left.component].enumeration));
    if ((values >> value & 1) != 0) return error(name.where, "`" + name.text + "` stands twice");
    values |= std::uint64_t{1} << value;
  }
  return has_values(left.component, std::move(left.at), values, expr.where);
}

Result<FormulaPtr> Resolver::has_values(std::uint32_t component, std::vector<Term> at,
                                        std::uint64_t values, Position where) {
  Formula result;
  result.kind = Formula::Kind::is_value;
  result.index = component;
  result.values = values;
  result.terms = std::move(at);
  result.where = where;
  return make(std::move(result));
}

Result<FormulaPtr> Resolver::comparison(const Expr& expr, const Scope& scope) {
  ISOSCOPE_TRY(left, side(*expr.children[0], scope));
  ISOSCOPE_TRY(right, side(*expr.children[1], scope));
  for (int i = 0; i < 2; ++i) {
    const Side& named = i == 0 ? left : right;
    const Side& other = i == 0 ? right : left;
    const Expr& written = *expr.children[static_cast<std::size_t>(i)];
    if (written.kind == Expr::Kind::name && other.kind == Side::Kind::value) {
      // Compared with a value, a name is one, even if there is a variable of the same letters.
      ISOSCOPE_TRY(value, value_of({written.name, written.where},
                                   result_.components[other.component].enumeration));
      return has_values(other.component, other.at, std::uint64_t{1} << value, expr.where);
    }
    if (named.kind == Side::Kind::word) return unknown(written.name, written.where, scope);
  }
  if (right.kind == Side::Kind::reference && left.kind != Side::Kind::reference)
    return equal(expr, right, left, scope);
  return equal(expr, left, right, scope);
}

Result<FormulaPtr> Resolver::equal(const Expr& expr, const Side& left, const Side& right,
                                   const Scope& scope) {
  Formula result;
  result.where = expr.where;
  if (left.kind == Side::Kind::value && right.kind == Side::Kind::value)
    return same_value(expr, left, right);
  if (left.kind == Side::Kind::reference && right.kind == Side::Kind::reference)
    return same_reference(expr, left, right, scope);
  if (left.kind == Side::Kind::reference && right.kind == Side::Kind::none) {
    result.kind = Formula::Kind::refers_to_none;
    result.index = left.component;
    result.terms = left.at;
    return make(std::move(result));
  }
  if (left.kind == Side::Kind::reference && right.kind == Side::Kind::term &&
      right.term.sort == Sort::transaction) {
    result.kind = Formula::Kind::refers_to;
    result.index = left.component;
    result.terms = left.at;
    result.terms.push_back(right.term);
    return make(std::move(result));
  }
  if (left.kind == Side::Kind::term && right.kind == Side::Kind::term &&
      left.term.sort == right.term.sort) {
    result.kind = Formula::Kind::equal;
    result.terms = {left.term, right.term};
    return make(std::move(result));
  }
  const auto in_words_of = [this](const Side& side) -> std::string {
    switch (side.kind) {
      case Side::Kind::term:
        return std::string(in_words(side.term.sort)) +
               (side.term.kind == Term::Kind::reference ? " that is never none" : "");
      case Side::Kind::reference:
        return "a reference to a transaction";
      case Side::Kind::value:
        return "a value of `" +
               result_.enumerations[result_.components[side.component].enumeration].name + "`";
      case Side::Kind::none:
      case Side::Kind::word:
        break;
    }
    return "`none`";
  };
  return error(expr.sign,
               "these cannot be compared: " + in_words_of(left) + " and " + in_words_of(right));
}

Result<FormulaPtr> Resolver::same_value(const Expr& expr, const Side& left, const Side& right) {
  const std::uint32_t type = result_.components[left.component].enumeration;
  if (type != result_.components[right.component].enumeration) {
    return error(expr.sign, "these cannot be compared: a value of `" +
                                result_.enumerations[type].name + "` and a value of another type");
  }
  Formula result;
  result.kind = Formula::Kind::disjunction;
  result.where = expr.where;
  for (std::size_t i = 0; i < result_.enumerations[type].values.size(); ++i) {
    Formula both;
    both.kind = Formula::Kind::conjunction;
    both.where = expr.where;
    for (const Side* side : {&left, &right}) {
      ISOSCOPE_TRY(one, has_values(side->component, side->at, std::uint64_t{1} << i, expr.where));
      both.children.push_back(std::move(one));
    }
    ISOSCOPE_TRY(made, make(std::move(both)));
    result.children.push_back(std::move(made));
  }
  return make(std::move(result));
}

// The formula that says that both refer to something, and to the same thing.
Result<FormulaPtr> Resolver::same_reference(const Expr& expr, const Side& left, const Side& right,
                                            const Scope& scope) {
  Term variable;
  variable.index = scope.depth;
  Formula both;
  both.kind = Formula::Kind::conjunction;
  both.where = expr.where;
  for (const Side* side : {&left, &right}) {
    Formula one;
    one.kind = Formula::Kind::refers_to;
    one.index = side->component;
    one.terms = side->at;
    one.terms.push_back(variable);
    one.where = expr.where;
    ISOSCOPE_TRY(made, make(std::move(one)));
    both.children.push_back(std::move(made));
  }
  ISOSCOPE_TRY(body, make(std::move(both)));
  Formula result;
  result.kind = Formula::Kind::exists;
  result.index = scope.depth;
  result.children = {std::move(body)};
  result.where = expr.where;
  return make(std::move(result));
}

}  // namespace isoscope::protocol
