#pragma once

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "isoscope/spec/node.h"

/// Expressions and formulas put together by hand, for tests of what happens after parsing:
///
///   subset(base(Base::so), witness_order(0))           so in co
///
/// Bound variables are named by their depth, as in Node.
namespace isoscope::spec::build {

using Kind = Node::Kind;

inline Type formula_type() { return {}; }
inline Type set_type(Sort sort) { return {Type::Kind::set, sort, sort}; }
inline Type relation_type(Sort left, Sort right) { return {Type::Kind::relation, left, right}; }
inline Type order_type() { return relation_type(Sort::transaction, Sort::transaction); }
inline Type keyed_type() { return {Type::Kind::keyed, Sort::transaction, Sort::transaction}; }

inline NodePtr node(Node content) {
  std::uint64_t free = 0;
  for (const NodePtr& child : content.children) free |= child->free_variables;
  for (std::size_t i = 0; i < content.sorts.size(); ++i) {
    free &= ~(std::uint64_t{1} << (content.index + i));
  }
  if (content.kind == Kind::variable) free |= std::uint64_t{1} << content.index;
  content.free_variables = free;
  return std::make_shared<const Node>(std::move(content));
}
inline NodePtr node(Kind kind, Type type, std::vector<NodePtr> children) {
  return node({.kind = kind, .type = type, .children = std::move(children)});
}

inline Type type_of(Base base) {
  switch (base) {
    case Base::writes:
    case Base::reads:
      return relation_type(Sort::transaction, Sort::key);
    case Base::update:
    case Base::initial:
      return set_type(Sort::transaction);
    case Base::wr:
    case Base::seen_before:
      return keyed_type();
    default:
      return order_type();
  }
}
inline NodePtr base(Base what) {
  return node({.kind = Kind::base, .type = type_of(what), .base = what});
}
inline NodePtr witness(std::uint32_t index, Type type) {
  return node({.kind = Kind::witness, .type = type, .index = index});
}
inline NodePtr variable(std::uint32_t index, Sort sort) {
  return node({.kind = Kind::variable, .type = set_type(sort), .index = index});
}
inline NodePtr universe(Sort sort) { return node(Kind::universe, set_type(sort), {}); }

inline NodePtr unite(NodePtr a, NodePtr b) { return node(Kind::unite, a->type, {a, b}); }
inline NodePtr intersect(NodePtr a, NodePtr b) { return node(Kind::intersect, a->type, {a, b}); }
inline NodePtr subtract(NodePtr a, NodePtr b) { return node(Kind::subtract, a->type, {a, b}); }
inline NodePtr compose(NodePtr a, NodePtr b) {
  Type type = relation_type(a->type.left, b->type.right);
  if (a->type.kind == Type::Kind::set) type = set_type(b->type.right);
  if (b->type.kind == Type::Kind::set) type = set_type(a->type.left);
  return node(Kind::compose, type, {a, b});
}
inline NodePtr product(NodePtr a, NodePtr b) {
  return node(Kind::product, relation_type(a->type.left, b->type.left), {a, b});
}
inline NodePtr identity(NodePtr set) {
  return node(Kind::identity, relation_type(set->type.left, set->type.left), {set});
}
inline NodePtr transpose(NodePtr a) {
  return node(Kind::transpose, relation_type(a->type.right, a->type.left), {a});
}
inline NodePtr closure(NodePtr a) { return node(Kind::closure, a->type, {a}); }
inline NodePtr optional(NodePtr a) { return node(Kind::optional, a->type, {a}); }
inline NodePtr star(NodePtr a) { return node(Kind::star, a->type, {a}); }
inline NodePtr slice(NodePtr keyed, NodePtr key) {
  return node(Kind::slice, order_type(), {keyed, key});
}
inline NodePtr any_key(NodePtr keyed) { return node(Kind::any_key, order_type(), {keyed}); }
inline NodePtr comprehension(std::uint32_t index, std::vector<Sort> sorts, NodePtr body) {
  Type type = keyed_type();
  if (sorts.size() == 1) type = set_type(sorts[0]);
  if (sorts.size() == 2) type = relation_type(sorts[0], sorts[1]);
  return node({.kind = Kind::comprehension,
               .type = type,
               .index = index,
               .sorts = std::move(sorts),
               .children = {std::move(body)}});
}

inline NodePtr formula(Kind kind, std::vector<NodePtr> children) {
  return node(kind, formula_type(), std::move(children));
}
inline NodePtr truth(bool value) {
  return node({.kind = Kind::truth, .type = {}, .index = value ? 1u : 0u});
}
inline NodePtr holds(NodePtr of, std::initializer_list<NodePtr> variables) {
  std::vector<NodePtr> children = {std::move(of)};
  children.insert(children.end(), variables);
  return formula(Kind::holds, std::move(children));
}
inline NodePtr subset(NodePtr a, NodePtr b) { return formula(Kind::subset, {a, b}); }
inline NodePtr equal(NodePtr a, NodePtr b) { return formula(Kind::equal, {a, b}); }
inline NodePtr some(NodePtr a) { return formula(Kind::some, {a}); }
inline NodePtr negation(NodePtr a) { return formula(Kind::negation, {a}); }
inline NodePtr conjunction(std::vector<NodePtr> all) {
  return formula(Kind::conjunction, std::move(all));
}
inline NodePtr disjunction(std::vector<NodePtr> any) {
  return formula(Kind::disjunction, std::move(any));
}
inline NodePtr implication(NodePtr a, NodePtr b) { return formula(Kind::implication, {a, b}); }
inline NodePtr quantifier(Kind kind, std::uint32_t index, Sort sort, NodePtr body) {
  return node({.kind = kind, .type = {}, .index = index, .sorts = {sort}, .children = {body}});
}
inline NodePtr for_all(std::uint32_t index, Sort sort, NodePtr body) {
  return quantifier(Kind::for_all, index, sort, std::move(body));
}
inline NodePtr exists(std::uint32_t index, Sort sort, NodePtr body) {
  return quantifier(Kind::exists, index, sort, std::move(body));
}
inline NodePtr within(NodePtr set, NodePtr body) { return formula(Kind::within, {set, body}); }

}  // namespace isoscope::spec::build
