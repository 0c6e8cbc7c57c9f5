#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/protocol/model.h"
#include "protocol/claims/claim.h"

namespace isoscope::protocol {

/// (word a b c), or the word alone.
std::string smt_applied(const std::string& word, const std::vector<std::string>& arguments);
/// `word` is "and" or "or".
std::string smt_joined(const char* word, const std::vector<std::string>& parts);
/// If there are no bound variables, it is the body alone.
std::string smt_for_all(const std::string& bound, const std::string& body);
std::string_view smt_sort(Sort sort);

/// What stands for the variables of a formula.
struct SmtScope {
  std::vector<std::string> variables;
  std::size_t depth = 0;  ///< how many quantified variables are around it
  When when = When::before;

  /// One more quantified variable for each of the sorts, of names that no other one around has.
  /// Gives how they are bound: "((k1 Key) (t2 Transaction))".
  std::string bind(const std::vector<Sort>& sorts);
};

/// Formulas of a model in SMT-LIB.
///
/// A name that comes from the model gets a suffix with "@", as in `st@before`, `idle@Stage`,
/// `t@event`: so it is no word of SMT-LIB, and two things of one name are told apart. Optional
/// references are relations, with the transaction referred to as last argument; total ones are
/// functions.
class SmtTerms {
 public:
  /// `event` null: nothing changes.
  SmtTerms(const Model& model, const Event* event);

  bool is_changed(std::uint32_t component) const { return is_changed_[component]; }
  std::string name_of(std::uint32_t component, When when) const;
  std::string order_name(std::uint32_t order) const;
  std::string sort_of_values(std::uint32_t enumeration) const;
  std::string value_name(std::uint32_t enumeration, std::uint32_t value) const;
  std::string parameter_name(std::size_t parameter) const;

  /// Sort of what the component gives; its parameters, with the one that a reference adds.
  std::string result_sort(const Component& component) const;
  static std::vector<Sort> arguments_of(const Component& component);

  std::string term(const Term& term, const SmtScope& scope) const;
  std::vector<std::string> terms(const std::vector<Term>& terms, const SmtScope& scope) const;
  std::string formula(const Formula& formula, SmtScope scope) const;
  /// The claim with its variables quantified. `all_at`: as if the claim were about that state
  /// alone.
  std::string claim(const Claim& claim, std::optional<When> all_at = {}) const;

 private:
  std::string quantified(const Formula& formula, SmtScope scope) const;
  std::string is_value(const Formula& formula, const SmtScope& scope) const;
  std::string refers_to_none(const Formula& formula, SmtScope scope) const;
  std::string proposition(const Proposition& proposition, const SmtScope& scope,
                          std::optional<When> all_at) const;

  const Model& model_;
  const Event* event_;
  std::vector<bool> is_changed_;
};

}  // namespace isoscope::protocol
