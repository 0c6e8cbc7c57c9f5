#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoscope/base/result.h"

namespace isoscope::spec {

enum class Sort : std::uint8_t { transaction, key };

/// What an expression stands for. A keyed relation has a pair of transactions for every key (wr);
/// used where a plain relation is expected it means the union over all keys.
struct Type {
  enum class Kind : std::uint8_t { formula, set, relation, keyed };

  Kind kind = Kind::formula;
  Sort left = Sort::transaction;   ///< a set's elements, or where a relation comes from
  Sort right = Sort::transaction;  ///< of a relation: where it goes to

  bool operator==(const Type&) const = default;
};

/// What a history says. The initial transaction writes every key, reads nothing and comes first in
/// `so` and `rt`.
enum class Base : std::uint8_t {
  so,           ///< transaction x transaction: an earlier one of the same session
  rt,           ///< transaction x transaction: ended before the other began
  writes,       ///< transaction x key
  reads,        ///< transaction x key: external reads
  update,       ///< the transactions that write, the initial one among them
  initial,      ///< the set with the initial transaction alone
  wr,           ///< keyed: the second reads the key from the first
  seen_before,  ///< keyed: the second read (another key) from the first before it read this key
  given_order,  ///< transaction x transaction: in a canonical witness, the order that is given
};

/// An expression or formula of the level language: names resolved, macros expanded, types checked.
/// Nodes are immutable and shared; a macro used twice may be one node with two parents.
///
/// Bound variables are numbered by how deep their binder stands (the outermost is 0), so a node
/// means the same wherever it stands under the same binders.
struct Node {
  enum class Kind : std::uint8_t {
    // Sets and relations.
    base,      ///< `base`
    witness,   ///< number `index` of the definition's witnesses
    variable,  ///< bound variable `index`: the set with that one element
    universe,  ///< all of a sort, within the enclosing sub-history
    identity,  ///< on the set `children[0]`
    unite,     ///< all following: of two operands of one type
    intersect,
    subtract,
    compose,  ///< set ; relation, relation ; set, relation ; relation
    product,  ///< of two sets
    transpose,
    closure,        ///< transitive
    optional,       ///< reflexive: or equal
    star,           ///< reflexive and transitive
    slice,          ///< of the keyed relation children[0] at the key children[1] (a variable)
    any_key,        ///< the union over all keys of the keyed relation children[0]
    comprehension,  ///< binds variables index, index+1, ... of `sorts`: what children[0] is true of
    // Formulas.
    truth,  ///< `index` is 0 or 1
    holds,  ///< children[0] (a set, relation, keyed) of the variables children[1...]
    subset,
    equal,
    some,  ///< the set or relation is not empty
    acyclic,
    irreflexive,
    total_order,  ///< relation children[0] is a strict total order on the set children[1]
    negation,
    conjunction,  ///< of any number
    disjunction,  ///< of any number
    implication,
    equivalence,
    for_all,  ///< binds variable `index` of sorts[0] in children[0]
    exists,
    within,  ///< formula children[1] on the sub-history of the set children[0]
  };

  Kind kind = Kind::truth;
  Type type;
  Base base = Base::so;
  std::uint32_t index = 0;
  std::vector<Sort> sorts = {};
  std::vector<std::shared_ptr<const Node>> children = {};
  Position where = {};
  std::uint64_t free_variables = 0;  ///< bit i: bound variable i occurs free (at most 64 deep)
};

using NodePtr = std::shared_ptr<const Node>;

// The sub-history of a set of transactions has these and the initial one: relations lose the pairs
// with others, quantifiers and `transaction` range over what is left, witnesses are restricted
// alike. The sub-history of a set of keys has these keys, and the transactions that read or write
// one of them, and the initial one.

}  // namespace isoscope::spec
