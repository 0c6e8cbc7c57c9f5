#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/protocol/model.h"
#include "protocol/language/syntax.h"

namespace isoscope::protocol {

/// Turns statements into a Model: looks names up, expands macros, checks types.
///
/// Enumerations, parts of the state, orders and events are known everywhere; a macro from its
/// statement on, so none is recursive. A macro's arguments are terms, whose variables are numbered
/// for the place of the call; its body's bound variables are numbered from there on. So names in a
/// body never catch those of an argument, nor the other way.
///
/// Limits, for hostile texts: formulas max_nesting deep and max_binders variables at once, max_size
/// nodes in all.
class Resolver {
 public:
  static constexpr std::uint64_t max_size = 100'000;
  static constexpr std::uint32_t max_binders = 64;
  static constexpr unsigned max_term_height = 16;
  static constexpr std::size_t max_values = 64;
  static constexpr std::size_t max_parameters = 8;

  /// Finds the model that a `refines` names.
  using FindModel = std::function<Result<Model>(const Statement&)>;

  Resolver(const std::string& source, FindModel find) : source_(source), find_(std::move(find)) {}

  Result<Model> run(const Syntax& syntax);

 private:
  /// A variable, or a macro's parameter, and what it stands for.
  struct Local {
    std::string name;
    Term term;
    mutable bool is_used = false;
  };

  /// Where a formula stands.
  struct Scope {
    std::vector<Local> locals = {};
    std::uint32_t depth = 0;  ///< number of the next variable
  };

  struct Global {
    enum class Kind : std::uint8_t { component, order, versions, macro };
    Kind kind = Kind::component;
    std::uint32_t number = 0;              ///< for versions, that of the first component
    const Statement* statement = nullptr;  ///< of a macro
    std::uint32_t line = 0;
  };

  /// One side of a comparison.
  struct Side {
    enum class Kind : std::uint8_t { term, reference, value, none, word };
    Kind kind = Kind::none;
    Term term = {};
    std::uint32_t component = 0;  ///< of a reference that may be none, and of a value
    std::vector<Term> at = {};
  };

  // resolve_statements.cpp: what is declared where.
  Status declare(const Statement& statement);
  Status declare_enumeration(const Statement& statement);
  Status declare_component(const Statement& statement);
  Status declare_event(const Statement& statement);
  Status add_name(const Name& name, Global global);
  Status add(const Statement& statement, std::size_t event);
  Status add_text(const Statement& statement, std::string& place, std::string_view what);
  Status add_claims(const Statement& statement);
  Status add_initial_value(const Statement& statement);
  Status add_macro(const Statement& statement);
  Status add_invariant(const Statement& statement);
  Status check_participants(const Statement& statement);
  Status check_whole(const Syntax& syntax) const;

  // resolve_clauses.cpp: what clients see, refinement, witness.
  Status add_observe(const Statement& statement);
  Status add_map(const Statement& statement);
  Status add_view(const Statement& statement);
  Status add_witness(const Statement& statement);
  Result<Named> named_formula(const Clause& clause, std::vector<Variable> variables);
  Result<std::vector<Variable>> variables_of(const Clause& clause,
                                             const std::vector<Sort>& sorts) const;

  // resolve_refines.cpp
  Status add_refines(const Statement& statement);
  Result<ComponentMap> component_map(const Component& component, const MapText& text);
  Result<std::vector<FormulaPtr>> map_value(const Component& component, const Expr& value,
                                            const Scope& scope, std::optional<Term>& only_term);
  Result<std::vector<FormulaPtr>> copied_values(const Enumeration& type, const Side& from,
                                                Position where);
  Status map_by_name(const Component& component, ComponentMap& to);
  Status add_event_maps(const Statement& statement);
  Status check_refines() const;

  // resolve_events.cpp
  Status add_event(const Statement& statement, Event& event);
  Status add_update(const UpdateText& text, const Scope& outer, Event& event);
  Status add_assignment(const UpdateText& text, const Scope& scope, Update update, Event& event);
  /// Does the index have every variable of `for`?
  Status check_places(const UpdateText& text, const std::vector<Term>& index,
                      const Event& event) const;
  Result<Update::Case> update_case(const Component& component, const Expr& value,
                                   const Scope& scope);
  Result<Update::Reference> reference_value(const Component& component, const Expr& value,
                                            const Scope& scope);
  /// A variable of that sort, such as the places of updates are made of.
  Result<Term> place(const Expr& expr, Sort sort, const Scope& scope);
  Result<std::uint32_t> parameter_of(const Name& name, const Event& event) const;

  // resolve_versions.cpp
  Status declare_versions(const Statement& statement);
  Status add_to_versions(const UpdateText& text, const Scope& scope, const Update& common,
                         Event& event);
  Status add_append(const UpdateText& text, const Scope& scope, const Update& common,
                    std::uint32_t list, const Term& key, Event& event);
  Status add_read(const UpdateText& text, const Scope& scope, const Update& common,
                  std::uint32_t list, const Term& key, Event& event);
  /// The formula, or true if it is null, and the condition of the update.
  Result<FormulaPtr> with_condition(const UpdateText& text, const Scope& scope, FormulaPtr first);
  Result<Update::Case> becomes_true(FormulaPtr condition, Position where);

  // resolve_formulas.cpp
  Result<FormulaPtr> formula(const Expr& expr, const Scope& scope);
  Result<FormulaPtr> formula_of(const Expr& expr, const Scope& scope);
  Result<FormulaPtr> application(const Expr& expr, const Scope& scope);
  Result<FormulaPtr> call(const Statement& macro, const Expr& expr, const Scope& scope);
  Result<FormulaPtr> connective(Formula::Kind kind, const Expr& expr, const Scope& scope);
  Result<FormulaPtr> quantify(const Expr& expr, const Scope& scope);
  Result<FormulaPtr> comparison(const Expr& expr, const Scope& scope);
  Result<FormulaPtr> equal(const Expr& expr, const Side& left, const Side& right,
                           const Scope& scope);
  Result<FormulaPtr> same_value(const Expr& expr, const Side& left, const Side& right);
  Result<FormulaPtr> same_reference(const Expr& expr, const Side& left, const Side& right,
                                    const Scope& scope);
  Result<FormulaPtr> one_of(const Expr& expr, const Scope& scope);
  Result<FormulaPtr> make(Formula formula);
  Result<FormulaPtr> negated(Result<FormulaPtr> inner, Position where);
  Result<FormulaPtr> has_values(std::uint32_t component, std::vector<Term> at, std::uint64_t values,
                                Position where);

  // resolve_terms.cpp
  Result<Term> term(const Expr& expr, Sort sort, const Scope& scope);
  Result<Term> term_of(const Expr& expr, const Scope& scope);
  /// Counts a new term's parts; an Error if it is too large or too high.
  Status count(const Term& term, Position where);
  Result<std::vector<Term>> arguments(const Expr& expr, const std::vector<Sort>& sorts,
                                      const Scope& scope);
  Result<Side> side(const Expr& expr, const Scope& scope);
  const Local* find_local(std::string_view name, const Scope& scope) const;
  Result<std::uint32_t> value_of(const Name& value, std::uint32_t enumeration) const;
  Result<std::uint32_t> component_named(const Name& name, const Scope& scope) const;
  /// Adds variables, numbered from the scope's depth on.
  Status bind(const Name& name, Sort sort, Scope& scope) const;
  Error unknown(const std::string& name, Position where, const Scope& scope) const;

  Error too_large(Position where) const;
  Error error(Position where, std::string what) const { return {std::move(what), source_, where}; }

  const std::string& source_;
  FindModel find_;
  Model result_;
  std::map<std::string, Global, std::less<>> globals_;
  std::map<std::string, std::uint32_t, std::less<>> macros_to_come_;  // their lines
  std::map<std::string, std::uint32_t, std::less<>> event_numbers_;
  std::vector<Position> declared_;                              // where each component is
  std::vector<bool> commits_;                                   // by number of the event
  std::vector<std::pair<std::uint32_t, Position>> event_maps_;  // event, and whose step it is there
  std::uint64_t size_ = 0;
  unsigned nesting_ = 0;
};

/// "a client", "a key", "a transaction"
std::string_view in_words(Sort sort);

/// "expected 2 arguments of `st` (a key, a transaction), found 1"
std::string wrong_count(const std::string& name, const std::vector<Sort>& sorts, std::size_t found);

}  // namespace isoscope::protocol
