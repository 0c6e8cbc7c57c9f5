#include "isoscope/protocol/formula_text.h"

#include <algorithm>
#include <array>
#include <span>

#include "isoscope/base/contract.h"
#include "isoscope/base/words.h"

// Formulas in the notation of protocols. Reading the text again gives a formula of the same
// meaning.

namespace isoscope::protocol {

namespace {

// How tight an operator binds; the same order as in parse_formulas.cpp.
enum Binding { loosest, implication, disjunction, conjunction, negation, comparison, primary };

struct Text {
  std::string text;
  Binding binding = primary;
};

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

  std::string at_least(Binding needed, const Formula& formula) {
    Text inner = print(formula);
    return inner.binding < needed ? "(" + inner.text + ")" : std::move(inner.text);
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

  Text many(const Formula& formula, std::string_view word, Binding binding) {
    if (formula.children.empty()) return {binding == conjunction ? "true" : "false"};
    if (formula.children.size() == 1) return print(*formula.children[0]);
    std::string shown;
    for (const FormulaPtr& child : formula.children) {
      if (!shown.empty()) shown += " " + std::string(word) + " ";
      shown += at_least(static_cast<Binding>(binding + 1), *child);
    }
    return {std::move(shown), binding};
  }

  // A run of the same quantifier is one list of variables.
  Text quantifier(const Formula& first, std::string_view word) {
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
    return {std::move(shown), loosest};
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

  Text compared(const Formula& formula, bool negated) const {
    const std::string sign = negated ? " != " : " = ";
    if (formula.kind == Formula::Kind::equal)
      return {term(formula.terms[0]) + sign + term(formula.terms[1]), comparison};
    if (formula.kind == Formula::Kind::is_value) return {value_test(formula, negated), comparison};
    const std::string& name = model_.components[formula.index].name;
    if (formula.kind == Formula::Kind::refers_to_none)
      return {name + "(" + list(formula.terms) + ")" + sign + "none", comparison};
    const std::span<const Term> terms = formula.terms;
    return {name + "(" + list(terms.first(terms.size() - 1)) + ")" + sign + term(terms.back()),
            comparison};
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

  Text negated(const Formula& inner) {
    if (can_be_negated_inside(inner)) return compared(inner, true);
    if (const Sentence* sentence = sentence_for(inner))
      return {term(inner.terms[0]) + std::string(sentence->no), comparison};
    if (inner.kind == Formula::Kind::exists) return quantifier(inner, "no");
    return {"not " + at_least(comparison, inner), negation};
  }

  Text print(const Formula& formula) {
    const auto child = [&](std::size_t i) -> const Formula& { return *formula.children[i]; };
    switch (formula.kind) {
      case Formula::Kind::truth:
        return {formula.index != 0 ? "true" : "false"};
      case Formula::Kind::relation:
        if (const Sentence* sentence = sentence_for(formula))
          return {term(formula.terms[0]) + std::string(sentence->yes), comparison};
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
        return many(formula, "and", conjunction);
      case Formula::Kind::disjunction:
        return many(formula, "or", disjunction);
      case Formula::Kind::implication: {
        const bool open =
            child(1).kind == Formula::Kind::for_all || child(1).kind == Formula::Kind::exists;
        return {at_least(disjunction, child(0)) + " => " +
                    at_least(open ? loosest : implication, child(1)),
                implication};
      }
      case Formula::Kind::equivalence:
        return {at_least(disjunction, child(0)) + " <=> " + at_least(disjunction, child(1)),
                loosest};
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
