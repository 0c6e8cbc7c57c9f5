#include <algorithm>

#include "spec/resolve.h"
#include "spec/type_words.h"

// Sets, relations and keyed relations.

namespace isoscope::spec {

namespace {

/// Can it only be typed by what stands around it?
bool is_untyped(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::none:
      return true;
    case Expr::Kind::unite:
    case Expr::Kind::intersect:
    case Expr::Kind::subtract:
      return is_untyped(*expr.children[0]) && is_untyped(*expr.children[1]);
    default:
      return false;
  }
}

bool is_keyed(const Term& term) { return term.node->type.kind == Type::Kind::keyed; }
bool is_set(const Term& term) { return term.node->type.kind == Type::Kind::set; }
bool is_relation(const Term& term) { return term.node->type.kind == Type::Kind::relation; }

}  // namespace

Error Resolver::mismatch(std::string_view expected, const Term& found, const Expr& expr,
                         const Place& place) const {
  return error(expr.where, place,
               "expected " + std::string(expected) + ", found " + in_words(found.node->type));
}

Result<Term> Resolver::make(Node node, std::vector<Term> children, const Expr& expr,
                            const Place& place) {
  Term result;
  switch (node.kind) {
    case Node::Kind::for_all:
    case Node::Kind::exists:
    case Node::Kind::comprehension:
      result.binds = true;
      break;
    case Node::Kind::variable:
      node.free_variables = std::uint64_t{1} << node.index;
      break;
    default:
      break;
  }
  for (Term& child : children) {
    result.size += child.size;
    result.height = std::max(result.height, child.height + 1);
    result.binds = result.binds || child.binds;
    node.free_variables |= child.node->free_variables;
    node.children.push_back(std::move(child.node));
  }
  for (std::size_t i = 0; i < node.sorts.size(); ++i)
    node.free_variables &= ~(std::uint64_t{1} << (node.index + i));
  node.where = expr.where;
  if (result.size > max_size) {
    return error(expr.where, place,
                 "too large: with its definitions expanded this has more than " +
                     std::to_string(max_size) + " operators");
  }
  if (result.height > max_height) {
    return error(expr.where, place,
                 "nested too deep: with its definitions expanded this is nested more than " +
                     std::to_string(max_height) + " deep");
  }
  result.node = std::make_shared<const Node>(std::move(node));
  return result;
}

Result<Term> Resolver::make(Node::Kind kind, Type type, std::vector<Term> children,
                            const Expr& expr, const Place& place) {
  Node node;
  node.kind = kind;
  node.type = type;
  return make(std::move(node), std::move(children), expr, place);
}

Result<Term> Resolver::over_all_keys(Term keyed, const Expr& expr, const Place& place) {
  return make(Node::Kind::any_key, {Type::Kind::relation}, {std::move(keyed)}, expr, place);
}

Result<Term> Resolver::resolve_as(const Type& type, const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(term, resolve(expr, place, type));
  if (is_keyed(term) && type.kind == Type::Kind::relation) {
    ISOSCOPE_TRY(joined, over_all_keys(std::move(term), expr, place));
    term = std::move(joined);
  }
  if (term.node->type != type) return mismatch(in_words(type), term, expr, place);
  return term;
}

Result<Term> Resolver::set(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(term, resolve(expr, place));
  if (!is_set(term)) return mismatch("a set", term, expr, place);
  return term;
}

Result<Term> Resolver::relation(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(term, resolve(expr, place));
  if (is_keyed(term)) return over_all_keys(std::move(term), expr, place);
  if (!is_relation(term)) return mismatch("a relation", term, expr, place);
  return term;
}

Result<Term> Resolver::relation_on_one_sort(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(term, relation(expr, place));
  const Type type = term.node->type;
  if (type.left != type.right)
    return mismatch("a relation between transactions", term, expr, place);
  return term;
}

Result<Term> Resolver::resolve(const Expr& expr, const Place& place, std::optional<Type> expected) {
  if (++steps_ > max_size) {
    return error(expr.where, place,
                 "too large: there are more than " + std::to_string(max_size) +
                     " operators when definitions are expanded");
  }
  if (nesting_ >= max_height) {
    return error(expr.where, place,
                 "nested too deep: with its definitions expanded this is nested more than " +
                     std::to_string(max_height) + " deep");
  }
  ++nesting_;
  Result<Term> result = expression(expr, place, expected);
  --nesting_;
  return result;
}

Result<Term> Resolver::expression(const Expr& expr, const Place& place,
                                  std::optional<Type> expected) {
  using Kind = Expr::Kind;
  switch (expr.kind) {
    case Kind::name:
      return named(expr, place);
    case Kind::apply:
      return apply(expr, place);
    case Kind::universe:
      return make(Node::Kind::universe, set_of(expr.sort), {}, expr, place);
    case Kind::none:
      return empty(expr, place, expected);
    case Kind::given_order:
      return given_order(expr, place);
    case Kind::identity: {
      ISOSCOPE_TRY(inner, set(*expr.children[0], place));
      const Sort sort = inner.node->type.left;
      return make(Node::Kind::identity, {Type::Kind::relation, sort, sort}, {std::move(inner)},
                  expr, place);
    }
    case Kind::comprehension:
      return comprehension(expr, place);
    case Kind::unite:
      return of_one_type(Node::Kind::unite, expr, place, expected);
    case Kind::intersect:
      return of_one_type(Node::Kind::intersect, expr, place, expected);
    case Kind::subtract:
      return of_one_type(Node::Kind::subtract, expr, place, expected);
    case Kind::compose:
      return compose(expr, place);
    case Kind::restrict_domain:
    case Kind::restrict_range:
      return restrict(expr, place);
    case Kind::product:
      return product(expr, place);
    case Kind::transpose: {
      ISOSCOPE_TRY(inner, relation(*expr.children[0], place));
      const Type type = inner.node->type;
      return make(Node::Kind::transpose, {Type::Kind::relation, type.right, type.left},
                  {std::move(inner)}, expr, place);
    }
    case Kind::closure:
    case Kind::optional:
    case Kind::star: {
      ISOSCOPE_TRY(inner, relation_on_one_sort(*expr.children[0], place));
      const Type type = inner.node->type;
      const Node::Kind kind = expr.kind == Kind::closure    ? Node::Kind::closure
                              : expr.kind == Kind::optional ? Node::Kind::optional
                                                            : Node::Kind::star;
      return make(kind, type, {std::move(inner)}, expr, place);
    }
    case Kind::slice:
      return slice(expr, place);
    default:
      return formula_of(expr, place);
  }
}

// There is no node for `none`, so it becomes the set or relation of all things for which "false" is
// true.
Result<Term> Resolver::empty(const Expr& expr, const Place& place, std::optional<Type> type) {
  if (!type || type->kind == Type::Kind::formula) {
    return error(expr.where, place,
                 "cannot tell what `none` is empty of here; it can stand beside `in`, `=`, `!=`, "
                 "`|`, `&` and `\\`");
  }
  Node node;
  node.kind = Node::Kind::comprehension;
  node.type = *type;
  node.index = place.depth;
  node.sorts = {type->left};
  if (type->kind == Type::Kind::relation) node.sorts.push_back(type->right);
  if (type->kind == Type::Kind::keyed)
    node.sorts = {Sort::transaction, Sort::key, Sort::transaction};
  ISOSCOPE_TRY_STATUS(
      check_depth({expr.name, expr.where}, place, static_cast<unsigned>(node.sorts.size())));
  ISOSCOPE_TRY(nothing, make(Node::Kind::truth, {Type::Kind::formula}, {}, expr, place));
  return make(std::move(node), {std::move(nothing)}, expr, place);
}

// Two operands of one type. If one is a relation and the other a keyed relation, the keyed one is
// taken over all keys.
Result<Term> Resolver::of_one_type(Node::Kind kind, const Expr& expr, const Place& place,
                                   std::optional<Type> expected) {
  const bool right_first = is_untyped(*expr.children[0]);
  const Expr& first_expr = *expr.children[right_first ? 1 : 0];
  const Expr& second_expr = *expr.children[right_first ? 0 : 1];
  ISOSCOPE_TRY(first, resolve(first_expr, place, expected));
  ISOSCOPE_TRY(second, resolve(second_expr, place, first.node->type));
  if (kind == Node::Kind::equal && first.node->type.kind == Type::Kind::formula) {
    return error(first_expr.where, place,
                 "expected a set or a relation, found a formula; formulas are compared with `<=>`");
  }
  if (first.node->type.kind == Type::Kind::formula)
    return mismatch("a set or a relation", first, first_expr, place);
  if (second.node->type.kind == Type::Kind::formula)
    return mismatch("a set or a relation", second, second_expr, place);
  if (is_keyed(first) && is_relation(second)) {
    ISOSCOPE_TRY(joined, over_all_keys(std::move(first), first_expr, place));
    first = std::move(joined);
  } else if (is_relation(first) && is_keyed(second)) {
    ISOSCOPE_TRY(joined, over_all_keys(std::move(second), second_expr, place));
    second = std::move(joined);
  }
  if (first.node->type != second.node->type)
    return mismatch(in_words(first.node->type), second, second_expr, place);
  const bool compares = kind == Node::Kind::subset || kind == Node::Kind::equal;
  const Type type = compares ? Type{Type::Kind::formula} : first.node->type;
  if (right_first) std::swap(first, second);
  return make(kind, type, {std::move(first), std::move(second)}, expr, place);
}

Result<Term> Resolver::compose(const Expr& expr, const Place& place) {
  std::vector<Term> operands;
  for (const ExprPtr& child : expr.children) {
    ISOSCOPE_TRY(term, resolve(*child, place));
    if (term.node->type.kind == Type::Kind::formula)
      return mismatch("a set or a relation", term, *child, place);
    if (is_keyed(term)) {
      ISOSCOPE_TRY(joined, over_all_keys(std::move(term), *child, place));
      term = std::move(joined);
    }
    operands.push_back(std::move(term));
  }
  const Type left = operands[0].node->type;
  const Type right = operands[1].node->type;
  if (is_set(operands[0]) && is_set(operands[1])) {
    return error(expr.sign, place,
                 "`;` needs a relation on at least one side, found " + in_words(left) + " and " +
                     in_words(right) + "; `&` has what is in both, `*` all pairs");
  }
  const Sort middle = is_set(operands[0]) ? left.left : left.right;
  if (middle != right.left) {
    const char* expected = is_set(operands[1])
                               ? (middle == Sort::key ? "a set of keys" : "a set of transactions")
                           : middle == Sort::key ? "a relation from keys"
                                                 : "a relation from transactions";
    return mismatch(expected, operands[1], *expr.children[1], place);
  }
  Type type{Type::Kind::relation, left.left, right.right};
  if (is_set(operands[0])) type = set_of(right.right);
  if (is_set(operands[1])) type = set_of(left.left);
  return make(Node::Kind::compose, type, std::move(operands), expr, place);
}

// S <: r is [S] ; r, and r :> S is r ; [S].
Result<Term> Resolver::restrict(const Expr& expr, const Place& place) {
  const bool domain = expr.kind == Expr::Kind::restrict_domain;
  const Expr& set_expr = *expr.children[domain ? 0 : 1];
  const Expr& relation_expr = *expr.children[domain ? 1 : 0];
  ISOSCOPE_TRY(inner, relation(relation_expr, place));
  const Type type = inner.node->type;
  const Sort sort = domain ? type.left : type.right;
  ISOSCOPE_TRY(elements, resolve_as(set_of(sort), set_expr, place));
  ISOSCOPE_TRY(identity, make(Node::Kind::identity, {Type::Kind::relation, sort, sort},
                              {std::move(elements)}, set_expr, place));
  if (domain) std::swap(inner, identity);
  return make(Node::Kind::compose, type, {std::move(inner), std::move(identity)}, expr, place);
}

Result<Term> Resolver::product(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(left, set(*expr.children[0], place));
  ISOSCOPE_TRY(right, set(*expr.children[1], place));
  const Type type{Type::Kind::relation, left.node->type.left, right.node->type.left};
  return make(Node::Kind::product, type, {std::move(left), std::move(right)}, expr, place);
}

Result<Term> Resolver::slice(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY(keyed, resolve_as({Type::Kind::keyed}, *expr.children[0], place));
  ISOSCOPE_TRY(key, element(Sort::key, *expr.children[1], place));
  return make(Node::Kind::slice, {Type::Kind::relation}, {std::move(keyed), std::move(key)}, expr,
              place);
}

Result<Term> Resolver::comprehension(const Expr& expr, const Place& place) {
  ISOSCOPE_TRY_STATUS(check_names(expr.binders, place));
  std::size_t count = 0;
  for (const Binders& group : expr.binders) count += group.names.size();
  Node node;
  node.kind = Node::Kind::comprehension;
  node.index = place.depth;
  std::vector<Frame> frames(count);  // never moved: each points to the one before
  Place inside = place;
  for (const Binders& group : expr.binders) {
    for (const Name& name : group.names) {
      Frame& frame = frames[node.sorts.size()];
      frame = {name.text, inside.frame, set_of(group.sort), inside.depth, nullptr};
      inside.frame = &frame;
      ++inside.depth;
      node.sorts.push_back(group.sort);
    }
  }
  const std::vector<Sort> keyed = {Sort::transaction, Sort::key, Sort::transaction};
  if (count == 1) {
    node.type = set_of(node.sorts[0]);
  } else if (count == 2) {
    node.type = {Type::Kind::relation, node.sorts[0], node.sorts[1]};
  } else if (node.sorts == keyed) {
    node.type = {Type::Kind::keyed};
  } else {
    return error(expr.where, place,
                 "expected one variable (a set), two (a relation), or a transaction, a key and a "
                 "transaction (a keyed relation)");
  }
  ISOSCOPE_TRY(body, resolve_as({Type::Kind::formula}, *expr.children[0], inside));
  return make(std::move(node), {std::move(body)}, expr, place);
}

}  // namespace isoscope::spec
