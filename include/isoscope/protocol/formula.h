#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoscope/base/result.h"

namespace isoscope::protocol {

/// The three kinds of things of which a model may have any number. Transactions belong to clients,
/// which run them one after the other. The initial transaction belongs to nobody.
enum class Sort : std::uint8_t { client, key, transaction };

/// Something of a sort: a variable, the initial transaction, or what a function gives.
struct Term {
  enum class Kind : std::uint8_t {
    variable,   ///< number `index`
    initial,    ///< the initial transaction
    owner,      ///< the client of the transaction arguments[0]; never of the initial one
    reference,  ///< what state component `index`, a total reference, holds at `arguments`
  };

  Kind kind = Kind::variable;
  Sort sort = Sort::transaction;
  std::uint32_t index = 0;
  std::vector<Term> arguments = {};

  bool operator==(const Term&) const = default;
};

struct Formula;
using FormulaPtr = std::shared_ptr<const Formula>;

/// A formula on one state: names resolved, macros expanded, types checked. Immutable and shared.
///
/// Variables are numbered: parameters of the event (or of the definition it stands in) first, bound
/// ones after them, each by how deep its binder stands. So a formula means the same wherever it
/// stands under the same binders.
struct Formula {
  enum class Kind : std::uint8_t {
    truth,           ///< `index` is 0 or 1
    relation,        ///< state component `index` is true at `terms`
    is_value,        ///< component `index` at `terms` has one of the values in the bit set `values`
    refers_to,       ///< component `index` at all `terms` but the last refers to the last
    refers_to_none,  ///< component `index` at `terms` refers to nothing
    equal,           ///< terms[0] and terms[1]
    session_order,   ///< terms[0] is an earlier transaction of the same client than terms[1]
    order,           ///< terms[0] is before terms[1] in the model's total order number `index`
    negation,
    conjunction,  ///< of any number of children
    disjunction,  ///< of any number of children
    implication,
    equivalence,
    for_all,  ///< binds variable `index` of `sort` in children[0]
    exists,
  };

  Kind kind = Kind::truth;
  std::uint32_t index = 0;
  std::uint64_t values = 0;
  Sort sort = Sort::transaction;
  std::vector<Term> terms = {};
  std::vector<FormulaPtr> children = {};
  Position where = {};
};

}  // namespace isoscope::protocol
