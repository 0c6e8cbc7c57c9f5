#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/base/operators.h"
#include "isoscope/base/token_reader.h"
#include "isoscope/protocol/formula.h"
#include "protocol/language/lexer.h"

/// A protocol as it is written: nothing looked up, no types. The parser makes it, resolve.h turns
/// it into a Model.
namespace isoscope::protocol {

/// `t: transaction`, where a variable gets its sort.
struct Binder {
  Name name;  ///< of a component's parameter it may be empty
  Sort sort = Sort::transaction;
};

struct Expr;
using ExprPtr = std::unique_ptr<const Expr>;

/// Formulas, terms and values alike: one grammar, because a name may start any of them. The
/// resolver tells them apart.
struct Expr {
  enum class Kind : std::uint8_t {
    name,   ///< a variable, an enumeration's value, a macro without parameters
    apply,  ///< name(children)
    none,
    initial,
    truth,
    equal,
    differ,
    one_of,  ///< children[0] in { values }
    negation,
    conjunction,  ///< of any number
    disjunction,
    implication,
    equivalence,
    for_all,
    exists,
    no,  ///< not exists
  };

  Kind kind = Kind::none;
  Position where = {};  ///< of its first token
  Position sign = {};   ///< of its operator
  std::string name = {};
  bool truth = false;
  std::vector<Name> values = {};
  std::vector<Binder> binders = {};
  std::vector<ExprPtr> children = {};
  unsigned height = 1;
};

/// What a component holds.
struct TypeName {
  enum class Kind : std::uint8_t { boolean, enumeration, reference, total_reference };
  Kind kind = Kind::boolean;
  Name name = {};
};

/// One update of an event.
struct UpdateText {
  enum class Kind : std::uint8_t { assign, append, read };
  struct Case {
    ExprPtr value;
    ExprPtr condition;  ///< null: none given
  };

  Kind kind = Kind::assign;
  Position where = {};
  std::vector<Binder> binders = {};  ///< of `for`
  Name target = {};                  ///< a component, or a version list
  std::vector<ExprPtr> index = {};
  std::vector<Case> cases = {};  ///< of append and read: one, whose value is the version
  ExprPtr reader = {};           ///< of read
};

/// A formula with a heading: `installed(k, x) = F`, `reads k from w when F`.
struct Clause {
  Name name;
  std::vector<Name> variables = {};
  ExprPtr body = {};
};

/// In `refines`: `map phase(t) = done if F else idle`, `map last(k) = w when F`.
struct MapText {
  Name name;
  std::vector<Name> variables = {};
  std::vector<UpdateText::Case> cases = {};
  std::optional<Name> chosen = {};  ///< w; then the only case has no value
};

/// In `refines`: `event commit(c, t) is run(c, t)`.
struct EventMapText {
  Name name;
  std::vector<Name> variables = {};
  ExprPtr is = {};  ///< null: skip
};

struct Statement {
  enum class Kind : std::uint8_t {
    title,
    cite,
    claims,
    enumeration,
    order,
    constant,
    state,
    history,
    versions,
    participants,
    def,
    event,
    observe,
    map,
    view,
    auxiliary,
    witness,
    refines,
    invariant,
  };

  Kind kind = Kind::invariant;
  Position where = {};
  Name name = {};                       ///< what it declares; the string of title and cite
  std::vector<Name> names = {};         ///< claims, values
  std::vector<Binder> parameters = {};  ///< of a component, def or event; observe has one
  TypeName type = {};
  ExprPtr body = {};  ///< of a def or invariant; the guard; the initial value
  // Only events have these:
  Name at = {};
  std::optional<Name> begins = {}, commits = {}, answers = {};
  std::vector<UpdateText> updates = {};
  std::vector<Clause> clauses = {};  ///< of observe, map, view, auxiliary, witness
  // Only `refines` has these:
  bool is_file = false;  ///< the name is that of a file
  std::vector<MapText> maps = {};
  std::vector<EventMapText> events = {};
};

struct Syntax {
  std::vector<Statement> statements;
  Tokens tokens;  ///< with their roles
};

/// The text must outlive the result, for tokens point into it.
Result<Syntax> parse_protocol(const std::string& name, std::string_view text);

}  // namespace isoscope::protocol
