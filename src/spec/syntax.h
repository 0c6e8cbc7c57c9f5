#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/operators.h"
#include "isoscope/base/result.h"
#include "isoscope/base/token_reader.h"
#include "isoscope/spec/definition.h"
#include "isoscope/spec/level_text.h"
#include "spec/lexer.h"

/// A level text as it is written: nothing looked up, no types. The parser makes it, resolve.h turns
/// it into Nodes.
namespace isoscope::spec {

struct Expr;
using ExprPtr = std::unique_ptr<const Expr>;

/// `t, s: transaction` or `t, s in E`.
struct Binders {
  std::vector<Name> names;
  Sort sort = Sort::transaction;  ///< if there is no bound
  ExprPtr bound = {};
};

/// Expressions and formulas alike: one grammar, because `(` may start either. The checker tells
/// them apart by their type.
struct Expr {
  enum class Kind : std::uint8_t {
    name,
    apply,     ///< name(children): a macro, or a tuple in a relation
    universe,  ///< `transaction`, `key`
    none,
    given_order,
    identity,
    comprehension,
    unite,
    intersect,
    subtract,
    compose,
    restrict_domain,
    restrict_range,
    product,
    transpose,
    closure,
    optional,
    star,
    slice,
    truth,
    subset,
    equal,
    differ,
    some,
    no,
    acyclic,
    irreflexive,
    total_order,
    negation,
    conjunction,  ///< of any number
    disjunction,
    implication,
    equivalence,
    for_all,
    exists,
    within,
  };

  Kind kind = Kind::none;
  Position where = {};  ///< of its first token
  Position sign = {};   ///< of its operator
  std::string name = {};
  Sort sort = Sort::transaction;
  bool truth = false;
  std::vector<Binders> binders = {};
  std::vector<ExprPtr> children = {};
  unsigned height = 1;
};

/// Both sorts the same, though `right` says nothing of sets: so equal ones are equal.
constexpr Type set_of(Sort sort) { return {Type::Kind::set, sort, sort}; }

struct Parameter {
  Name name;
  Type type;
  bool element = false;  ///< one transaction or key: a variable, not any set
};

struct Statement {
  enum class Kind : std::uint8_t {
    title,
    cite,
    defines,
    include,
    witness,
    def,
    axiom,
    canonical,
  };

  Kind kind = Kind::axiom;
  Position where = {};
  Name name = {};  ///< what it declares; the string of title, cite, include
  Witness::Kind witness = Witness::Kind::total_order;
  std::vector<Parameter> parameters = {};
  ExprPtr body = {};     ///< of a def or axiom; the `from` of a witness
  ExprPtr at_most = {};  ///< the `to` of a witness
  struct Value {
    Name witness;
    ExprPtr value;
  };
  std::vector<Value> values = {};  ///< of canonical
};

struct Syntax {
  std::vector<Statement> statements;
  ExprPtr formula = {};  ///< what ends a text that parse_formula read
  Tokens tokens;         ///< with their roles
};

/// The statements of a level. The text must outlive the result, for tokens point into it.
Result<Syntax> parse_level(const LevelText& text);

/// Any number of `include` and `def`, then a formula.
Result<Syntax> parse_formula(const LevelText& text);

}  // namespace isoscope::spec
