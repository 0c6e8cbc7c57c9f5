#include "isoscope/protocol/formula_text.h"

#include <algorithm>
#include <array>
#include <span>

#include "isoscope/base/contract.h"
#include "isoscope/base/operators.h"
#include "isoscope/base/words.h"

// Formulas in the notation of protocols. Reading the text again gives a formula of the same
// meaning.

namespace isoscope::protocol {

namespace {

// Components that the prover adds. They are no part of the language, so people read a sentence.
struct Sentence {
  std::string_view component, yes, no;
};
constexpr Sentence sentences[] = {
    {"isoscope.begun", " has begun", " has not begun"},
    {"isoscope.answered", " was answered", " was not answered"},
};

std::string_view sort_word(Sort sort) {
  static constexpr std::array<std::string_view, 3> words = {"client", "key", "transaction"};
  return words[static_cast<std::size_t>(sort)];
}

class Printer {
 public:
  Printer(const Model& model, const std::vector<std::string>& variables)
      : model_(model), variables_(variables) {}

  std::string run(const Formula& formula) { return print(formula).text; }

  std::string term(const Term& term) const {
    switch (term.kind) {
      case Term::Kind::variable:
        ISOSCOPE_REQUIRE(term.index < variables_.size());
        return variables_[term.index];
      case Term::Kind::initial:
        return "initial";
      case Term::Kind::owner:
        return "owner(" + list(term.arguments) + ")";
      case Term::Kind::reference:
        break;
    }
    return model_.components[term.index].name + "(" + list(term.arguments) + ")";
  }

 private:
  std::string list(std::span<const Term> terms) const {
    return joined(terms, [this](const Term& next) { return term(next); });
  }

  /// The usual letters for a sort, then those with a number; none that is in use.
  std::string fresh_name(Sort sort) const {
    static constexpr std::array<std::string_view, 3> letters = {"cde", "kij", "tuvwxyz"};
    const std::string_view choice = letters[static_cast<std::size_t>(sort)];
    for (std::size_t round = 0;; ++round) {
      for (const char letter : choice) {
        std::string name(1, letter);
        if (round != 0) name += std::to_string(round);
        if (std::find(variables_.begin(), variables_.end(), name) == variables_.end()) return name;
      }
    }
  }

  BoundText chain(const Formula& formula, Operator::Kind kind) {
    std::vector<BoundText> parts;
    for (const FormulaPtr& child : formula.children) parts.push_back(print(*child));
    return chain_text(kind, parts);
  }

  // A run of the same quantifier is one list of variables.
  BoundText quantifier(const Formula& first, std::string_view word) {
    const std::vector<std::string> outside = variables_;
    std::string shown = std::string(word) + " ";
    const Formula* formula = &first;
    while (true) {
      variables_.resize(formula->index);  // what the caller named beyond it is not known inside
      variables_.push_back(fresh_name(formula->sort));
      shown += variables_.back();
      const Formula& body = *formula->children[0];
      const bool goes_on = body.kind == first.kind;
      if (!goes_on || body.sort != formula->sort)
        shown += ": " + std::string(sort_word(formula->sort));
      if (!goes_on) {
        shown += ". " + print(body).text;
        break;
      }
      shown += ", ";
      formula = &body;
    }
    variables_ = outside;
    return {std::move(shown), loosest_binding};
  }

  std::string value_test(const Formula& formula, bool negated) const {
    const Component& component = model_.components[formula.index];
    const std::string what = component.name + "(" + list(formula.terms) + ")";
    const std::vector<std::string>& values = model_.enumerations[component.enumeration].values;
    std::vector<std::string_view> chosen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if ((formula.values >> i & 1) != 0) chosen.push_back(values[i]);
    }
    if (chosen.size() == 1) return what + (negated ? " != " : " = ") + std::string(chosen[0]);
    if (chosen.empty()) return negated ? "true" : "false";
    return what + " in { " + joined(chosen) + " }";
  }

  BoundText compared(const Formula& formula, bool negated) const {
    const std::string sign = negated ? " != " : " = ";
    if (formula.kind == Formula::Kind::equal)
      return {term(formula.terms[0]) + sign + term(formula.terms[1]), Binding::comparison};
    if (formula.kind == Formula::Kind::is_value)
      return {value_test(formula, negated), Binding::comparison};
    const std::string& name = model_.components[formula.index].name;
    if (formula.kind == Formula::Kind::refers_to_none)
      return {name + "(" + list(formula.terms) + ")" + sign + "none", Binding::comparison};
    const std::span<const Term> terms = formula.terms;
    return {name + "(" + list(terms.first(terms.size() - 1)) + ")" + sign + term(terms.back()),
            Binding::comparison};
  }

  const Sentence* sentence_for(const Formula& formula) const {
    if (formula.kind != Formula::Kind::relation) return nullptr;
    for (const Sentence& sentence : sentences)
      if (model_.components[formula.index].name == sentence.component) return &sentence;
    return nullptr;
  }

  static bool can_be_negated_inside(const Formula& formula) {
    return formula.kind == Formula::Kind::equal || formula.kind == Formula::Kind::refers_to ||
           formula.kind == Formula::Kind::refers_to_none ||
           (formula.kind == Formula::Kind::is_value &&
            (formula.values & (formula.values - 1)) == 0);
  }

  BoundText negated(const Formula& inner) {
    if (can_be_negated_inside(inner)) return compared(inner, true);
    if (const Sentence* sentence = sentence_for(inner))
      return {term(inner.terms[0]) + std::string(sentence->no), Binding::comparison};
    if (inner.kind == Formula::Kind::exists) return quantifier(inner, "no");
    return {"not " + print(inner).at_least(Binding::comparison), Binding::negation};
  }

  BoundText print(const Formula& formula) {
    const auto child = [&](std::size_t i) -> const Formula& { return *formula.children[i]; };
    switch (formula.kind) {
      case Formula::Kind::truth:
        return {formula.index != 0 ? "true" : "false"};
      case Formula::Kind::relation:
        if (const Sentence* sentence = sentence_for(formula))
          return {term(formula.terms[0]) + std::string(sentence->yes), Binding::comparison};
        return {model_.components[formula.index].name + "(" + list(formula.terms) + ")"};
      case Formula::Kind::is_value:
      case Formula::Kind::refers_to:
      case Formula::Kind::refers_to_none:
      case Formula::Kind::equal:
        return compared(formula, false);
      case Formula::Kind::session_order:
        return {"so(" + list(formula.terms) + ")"};
      case Formula::Kind::order:
        return {model_.orders[formula.index] + "(" + list(formula.terms) + ")"};
      case Formula::Kind::negation:
        return negated(child(0));
      case Formula::Kind::conjunction:
        return chain(formula, Operator::Kind::conjunction);
      case Formula::Kind::disjunction:
        return chain(formula, Operator::Kind::disjunction);
      case Formula::Kind::implication:
        return implication_text(
            print(child(0)), print(child(1)),
            child(1).kind == Formula::Kind::for_all || child(1).kind == Formula::Kind::exists);
      case Formula::Kind::equivalence:
        return equivalence_text(print(child(0)), print(child(1)));
      case Formula::Kind::for_all:
        return quantifier(formula, "forall");
      case Formula::Kind::exists:
        return quantifier(formula, "exists");
    }
    return {};
  }

  const Model& model_;
  std::vector<std::string> variables_;
};

}  // namespace

std::string text_of(const Formula& formula, const Model& model,
                    const std::vector<std::string>& variables) {
  return Printer(model, variables).run(formula);
}

std::string text_of(const Term& term, const Model& model,
                    const std::vector<std::string>& variables) {
  return Printer(model, variables).term(term);
}

}  // namespace isoscope::protocol
