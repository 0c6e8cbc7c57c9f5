#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/spec/level_text.h"
#include "spec/syntax.h"

namespace isoscope::spec {

/// A node under construction, with what bounds its growth.
struct Term {
  NodePtr node;
  std::uint64_t size = 1;  ///< as a tree: what is shared counts every time
  unsigned height = 1;
  bool binds = false;  ///< a binder is inside, so it is numbered for the depth it was made for
};

/// Turns statements into a Definition: looks names up, expands macros, checks types.
///
/// A macro is expanded anew for every depth it is used at, because bound variables are numbered by
/// depth; at one depth all uses share a node. Arguments are passed by name: an argument is an
/// expression with the scope of the call, made for the depth where the body uses it. So names in a
/// body never catch those of an argument, nor the other way.
///
/// Limits, for hostile texts: 64 binders deep, max_height nodes high, max_size nodes in all, as a
/// tree, and as many steps.
class Resolver {
 public:
  static constexpr std::uint64_t max_size = 100'000;
  static constexpr unsigned max_height = 256;
  static constexpr unsigned max_binders = 64;
  static constexpr unsigned max_includes = 32;

  explicit Resolver(const FindText& find) : find_(find) {}

  Result<Definition> definition(const LevelText& text);
  Result<Definition> formula(const LevelText& text);

 private:
  struct Frame;

  /// Where an expression stands.
  struct Place {
    const Frame* frame = nullptr;            ///< innermost local name
    unsigned depth = 0;                      ///< binders around it
    const std::string* source = nullptr;     ///< the text's name, for errors
    std::optional<std::size_t> canonical{};  ///< in that canonical statement
  };

  /// An expression and where it would stand: an argument, or the canonical value of a witness.
  struct Closure {
    const Expr* expr = nullptr;  ///< null: the dummy of a parameter whose macro is being checked
    Place place;
    Type type;
    Term term{};  ///< made for the depth of `place`
  };

  /// A local name: a bound variable or an argument.
  struct Frame {
    std::string_view name;
    const Frame* outer = nullptr;
    Type type;                ///< of a variable: a set
    std::uint32_t index = 0;  ///< of a variable
    const Closure* argument = nullptr;
  };

  struct Global {
    enum class Kind : std::uint8_t { base, witness, macro };

    Kind kind = Kind::base;
    Type type;
    Base base = Base::so;
    std::uint32_t witness = 0;
    // The statement that is the macro, or that declared the name:
    const Statement* statement = nullptr;
    const std::string* source = nullptr;
    std::map<std::pair<std::optional<std::size_t>, unsigned>, Term> expanded{};
  };

  struct CanonicalStatement {
    const Statement* statement;
    const std::string* source;
    std::map<std::uint32_t, Closure> values;  ///< by witness; filled while it is resolved
  };

  // resolve_statements.cpp
  Status load(const LevelText& text, bool included);
  Status add(const Statement& statement, const std::string& source, bool included);
  Status add_text(const Statement& statement, const std::string& source, bool included);
  Status add_include(const Statement& statement, const std::string& source);
  Status add_witness(const Statement& statement, const std::string& source);
  Status add_macro(const Statement& statement, const std::string& source);
  Status add_axiom(const Statement& statement, const std::string& source);
  Status add_canonical(std::size_t number);
  Status declare(const Statement& statement, const std::string& source, Global global);
  Status count_root(const Term& term, const Expr& expr, const Place& place);
  Type type_of(Witness::Kind kind) const;

  // resolve_names.cpp
  void add_base_names();
  const Frame* find_local(std::string_view name, const Place& place) const;
  Result<Term> named(const Expr& expr, const Place& place);
  Result<Term> local(const Frame& frame, const Expr& expr, const Place& place);
  Result<Term> at_depth_of(const Place& place, const Closure& closure, const Expr& expr);
  Result<Term> given_order(const Expr& expr, const Place& place);
  /// A bound variable of that sort.
  Result<Term> element(Sort sort, const Expr& expr, const Place& place);
  Result<Term> global(const std::string& name, Global& global, const Expr& expr,
                      const Place& place);
  Result<Term> witness(const std::string& name, const Global& global, const Expr& expr,
                       const Place& place);
  Result<Term> apply(const Expr& expr, const Place& place);
  Result<Term> call(Global& macro, const Expr& expr, const Place& place);
  Result<Term> tuple(Term relation, const Expr& expr, const Place& place);
  /// A set or relation of that type with no meaning, to check a macro's body with.
  Result<Term> dummy(const Type& type, const Expr& expr, const Place& place);
  Error unknown(const std::string& name, const Expr& expr, const Place& place) const;

  // resolve_expressions.cpp
  /// `expected` only tells `none` its type.
  Result<Term> resolve(const Expr& expr, const Place& place,
                       std::optional<Type> expected = std::nullopt);
  Result<Term> expression(const Expr& expr, const Place& place, std::optional<Type> expected);
  /// Resolves an expression of this type. Where a relation is expected, a keyed relation is taken
  /// for one.
  Result<Term> resolve_as(const Type& type, const Expr& expr, const Place& place);
  Result<Term> set(const Expr& expr, const Place& place);
  Result<Term> relation(const Expr& expr, const Place& place);
  Result<Term> relation_on_one_sort(const Expr& expr, const Place& place);
  Result<Term> empty(const Expr& expr, const Place& place, std::optional<Type> type);
  Result<Term> of_one_type(Node::Kind kind, const Expr& expr, const Place& place,
                           std::optional<Type> expected);
  Result<Term> compose(const Expr& expr, const Place& place);
  Result<Term> restrict(const Expr& expr, const Place& place);
  Result<Term> product(const Expr& expr, const Place& place);
  Result<Term> slice(const Expr& expr, const Place& place);
  Result<Term> comprehension(const Expr& expr, const Place& place);

  // resolve_formulas.cpp
  Result<Term> formula_of(const Expr& expr, const Place& place);
  Result<Term> connective(Node::Kind kind, const Expr& expr, const Place& place);
  Result<Term> some(const Expr& expr, const Place& place);
  Result<Term> negated(Result<Term> term, const Expr& expr, const Place& place);
  Result<Term> total_order(const Expr& expr, const Place& place);
  Result<Term> within(const Expr& expr, const Place& place);
  /// Binds the variables from number `variable` of group number `group` on. The group's bound
  /// stands in `outside`, all else in `place`.
  Result<Term> quantify(const Expr& expr, std::size_t group, std::size_t variable,
                        const Place& outside, const Place& place);
  /// Is there room for `count` more binders?
  Status check_depth(const Name& name, const Place& place, unsigned count = 1) const;
  Status check_names(const std::vector<Binders>& binders, const Place& place) const;

  /// A node with these children; an Error if it is too large or too high.
  Result<Term> make(Node node, std::vector<Term> children, const Expr& expr, const Place& place);
  Result<Term> make(Node::Kind kind, Type type, std::vector<Term> children, const Expr& expr,
                    const Place& place);
  Result<Term> over_all_keys(Term keyed, const Expr& expr, const Place& place);

  Error error(Position where, const Place& place, std::string what) const {
    return {std::move(what), *place.source, where};
  }
  Error mismatch(std::string_view expected, const Term& found, const Expr& expr,
                 const Place& place) const;

  const FindText& find_;
  std::deque<LevelText> texts_;
  std::deque<Syntax> syntaxes_;  // macros point into them
  std::vector<std::string> loading_;
  std::map<std::string, Global, std::less<>> globals_;
  std::vector<CanonicalStatement> canonicals_;
  std::map<std::string, std::string> later_;  // where a name will be declared, "FILE:LINE"
  Definition result_;
  std::map<std::string, std::string> axiom_names_;  // and where they are
  bool has_title_ = false;
  bool has_citation_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t size_ = 0;
  unsigned nesting_ = 0;
};

}  // namespace isoscope::spec
