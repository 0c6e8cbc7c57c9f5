#include <algorithm>

#include "spec/resolve.h"

namespace isoscope::spec {

namespace {

constexpr Type formula_type{Type::Kind::formula};

}  // namespace

Result<Term> Resolver::formula_of(const Expr& expr, const Place& place) {
  using Kind = Expr::Kind;
  switch (expr.kind) {
    case Kind::truth: {
      Node node;
      node.kind = Node::Kind::truth;
      node.index = expr.truth ? 1 : 0;
      return make(std::move(node), {}, expr, place);
    }
    case Kind::subset:
      return of_one_type(Node::Kind::subset, expr, place, std::nullopt);
    case Kind::equal:
      return of_one_type(Node::Kind::equal, expr, place, std::nullopt);
    case Kind::differ:
      return negated(of_one_type(Node::Kind::equal, expr, place, std::nullopt), expr, place);
    case Kind::some:
      return some(expr, place);
    case Kind::no:
      return negated(some(expr, place), expr, place);
    case Kind::acyclic:
    case Kind::irreflexive: {
      ISOSCOPE_TRY(inner, relation_on_one_sort(*expr.children[0], place));
      const bool acyclic = expr.kind == Kind::acyclic;
      return make(acyclic ? Node::Kind::acyclic : Node::Kind::irreflexive, formula_type,
                  {std::move(inner)}, expr, place);
    }
    case Kind::total_order:
      return total_order(expr, place);
    case Kind::negation:
      return negated(resolve_as(formula_type, *expr.children[0], place), expr, place);
    case Kind::conjunction:
      return connective(Node::Kind::conjunction, expr, place);
    case Kind::disjunction:
      return connective(Node::Kind::disjunction, expr, place);
    case Kind::implication:
      return connective(Node::Kind::implication, expr, place);
    case Kind::equivalence:
      return connective(Node::Kind::equivalence, expr, place);
    case Kind::for_all:
    case Kind::exists:
      ISOSCOPE_TRY_STATUS(check_names(expr.binders, place));
      return quantify(expr, 0, 0, place, place);
    default:
      ISOSCOPE_ENSURE(expr.kind == Kind::within);
      return within(expr, place);
  }
}

Result<Term> Resolver::connective(Node::Kind kind, const Expr& expr, const Place& place) {
  std::vector<Term> children;
  for (const ExprPtr& child : expr.children) {
    ISOSCOPE_TRY(term, resolve_as(formula_type, *child, place));
    children.push_back(std::move(term));
  }
  return make(kind, formula_type, std::move(children), expr, place);
}

Result<Term> Resolver::negated(Result<Term> term, const Expr& expr, const Place& place) {
  if (!term) return term;
  return make(Node::Kind::negation, formula_type, {*std::move(term)}, expr, place);
}

Result<Term> Resolver::some(const Expr& expr, const Place& place) {
  const Expr& child = *expr.children[0];
  ISOSCOPE_TRY(inner, resolve(child, place));
  if (inner.node->type.kind == Type::Kind::formula)
    return mismatch("a set or a relation", inner, child, place);
  if (inner.node->type.kind == Type::Kind::keyed) {
    ISOSCOPE_TRY(joined, over_all_keys(std::move(inner), child, place));
    inner = std::move(joined);
  }
  return make(Node::Kind::some, formula_type, {std::move(inner)}, expr, place);
}

Result<Term> Resolver::total_order(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(inner, relation_on_one_sort(*expr.children[0], place));
  const Type elements = set_of(inner.node->type.left);
  ISOSCOPE_TRY(on, resolve_as(elements, *expr.children[1], place));
  return make(Node::Kind::total_order, formula_type, {std::move(inner), std::move(on)}, expr,
              place);
}

Result<Term> Resolver::within(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(part, set(*expr.children[0], place));
  ISOSCOPE_TRY(body, resolve_as(formula_type, *expr.children[1], place));
  return make(Node::Kind::within, formula_type, {std::move(part), std::move(body)}, expr, place);
}

Status Resolver::check_names(const std::vector<Binders>& binders, const Place& place) const {
  std::vector<std::string_view> seen;
  for (const Binders& group : binders) {
    for (const Name& name : group.names) {
      ISOSCOPE_TRY_STATUS(check_depth(name, place, static_cast<unsigned>(seen.size()) + 1));
      if (std::find(seen.begin(), seen.end(), name.text) != seen.end())
        return error(name.where, place, "the variable `" + name.text + "` is bound twice here");
      seen.push_back(name.text);
      const auto found = globals_.find(name.text);
      if (found != globals_.end() && found->second.kind == Global::Kind::base) {
        return error(name.where, place,
                     "`" + name.text + "` is part of every history and cannot be a variable");
      }
    }
  }
  return Done{};
}

Status Resolver::check_depth(const Name& name, const Place& place, unsigned count) const {
  if (place.depth + count <= max_binders) return Done{};
  return error(name.where, place,
               "variables are bound more than " + std::to_string(max_binders) + " deep here");
}

// forall t, s in E. F becomes forall t. t in E => forall s. s in E => F; exists has `and` instead.
Result<Term> Resolver::quantify(const Expr& expr, std::size_t group_number,
                                std::size_t variable_number, const Place& outside,
                                const Place& place) {
  if (group_number == expr.binders.size())
    return resolve_as(formula_type, *expr.children[0], place);
  const Binders& group = expr.binders[group_number];
  if (variable_number == group.names.size())
    return quantify(expr, group_number + 1, 0, place, place);

  const Name& name = group.names[variable_number];
  ISOSCOPE_TRY_STATUS(check_depth(name, place));
  Sort sort = group.sort;
  Place bound_place = outside;
  bound_place.depth = place.depth + 1;
  std::optional<Term> bound;
  if (group.bound) {
    ISOSCOPE_TRY(elements, set(*group.bound, bound_place));
    sort = elements.node->type.left;
    bound = std::move(elements);
  }
  const Frame frame{name.text, place.frame, set_of(sort), place.depth, nullptr};
  Place inside = place;
  inside.frame = &frame;
  ++inside.depth;
  ISOSCOPE_TRY(body, quantify(expr, group_number, variable_number + 1, outside, inside));
  const bool for_all = expr.kind == Expr::Kind::for_all;
  if (bound) {
    ISOSCOPE_TRY(variable, local(frame, expr, inside));
    ISOSCOPE_TRY(inner, make(Node::Kind::subset, formula_type,
                             {std::move(variable), *std::move(bound)}, *group.bound, inside));
    ISOSCOPE_TRY(guarded, make(for_all ? Node::Kind::implication : Node::Kind::conjunction,
                               formula_type, {std::move(inner), std::move(body)}, expr, inside));
    body = std::move(guarded);
  }
  Node node;
  node.kind = for_all ? Node::Kind::for_all : Node::Kind::exists;
  node.index = frame.index;
  node.sorts = {sort};
  return make(std::move(node), {std::move(body)}, expr, place);
}

}  // namespace isoscope::spec
