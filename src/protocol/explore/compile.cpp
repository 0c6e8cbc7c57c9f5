#include "protocol/explore/compile.h"

#include <algorithm>
#include <bit>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

bool FormulaCompiler::Alternative::is_defined() const {
  return std::ranges::find(values, undefined) == values.end();
}

Diagram FormulaCompiler::test(std::uint32_t cell, Bits values, Diagram yes, Diagram no) {
  const Bits possible = possible_[cell];
  if ((possible & ~values) == 0) return yes;
  if ((possible & values) == 0) return no;
  return diagrams_.test(cell, values & possible, yes, no);
}

Diagram FormulaCompiler::when(const Alternative& alternative, Diagram yes, Diagram no) {
  Diagram diagram = yes;
  for (const auto& [cell, value] : alternative.when) diagram = test(cell, bit(value), diagram, no);
  return diagram;
}

std::vector<FormulaCompiler::Alternative> FormulaCompiler::alternatives(
    const Term& term, const Arguments& variables) {
  switch (term.kind) {
    case Term::Kind::variable:
      ISOSCOPE_REQUIRE(term.index < variables.size());
      return {{{}, {variables[term.index]}}};
    case Term::Kind::initial:
      return {{{}, {0}}};
    case Term::Kind::owner: {
      auto result = alternatives(term.arguments[0], variables);
      for (Alternative& one : result) {
        std::uint8_t& value = one.values[0];
        value = value == 0 || value == Alternative::undefined ? Alternative::undefined
                                                              : cells_.instance().owner(value);
      }
      return result;
    }
    case Term::Kind::reference: {
      std::vector<Alternative> result;
      for (const Alternative& one : alternatives(term.arguments, variables)) {
        if (!one.is_defined()) {
          result.push_back({one.when, {Alternative::undefined}});
          continue;
        }
        const std::uint32_t cell = cells_.place(term.index, one.values);
        for (Bits values = possible_[cell]; values != 0; values &= values - 1) {
          const auto value = static_cast<std::uint8_t>(std::countr_zero(values));
          result.push_back({one.when, {value == Cells::nobody ? Alternative::undefined : value}});
          result.back().when.emplace_back(cell, value);
        }
      }
      return result;
    }
  }
  ISOSCOPE_ENSURE(false);
}

std::vector<FormulaCompiler::Alternative> FormulaCompiler::alternatives(
    std::span<const Term> terms, const Arguments& variables) {
  std::vector<Alternative> result = {{}};
  for (const Term& term : terms) {
    std::vector<Alternative> longer;
    const auto last = alternatives(term, variables);
    for (const Alternative& one : result) {
      for (const Alternative& more : last) {
        longer.push_back(one);
        longer.back().when.insert(longer.back().when.end(), more.when.begin(), more.when.end());
        longer.back().values.push_back(more.values[0]);
      }
    }
    result = std::move(longer);
  }
  return result;
}

Diagram FormulaCompiler::compile(const Formula& formula, Arguments variables, Diagram yes,
                                 Diagram no) {
  return this->formula(formula, variables, yes, no);
}

Diagram FormulaCompiler::formula(const Formula& formula, Arguments& variables, Diagram yes,
                                 Diagram no) {
  if (yes == no) return yes;
  const auto child = [&](std::size_t i, Diagram if_true, Diagram if_false) {
    return this->formula(*formula.children[i], variables, if_true, if_false);
  };
  switch (formula.kind) {
    case Formula::Kind::truth:
      return formula.index != 0 ? yes : no;
    case Formula::Kind::negation:
      return child(0, no, yes);
    // From the last to the first: where a test goes must be known before it is made.
    case Formula::Kind::conjunction: {
      Diagram diagram = yes;
      for (std::size_t i = formula.children.size(); i-- > 0;) diagram = child(i, diagram, no);
      return diagram;
    }
    case Formula::Kind::disjunction: {
      Diagram diagram = no;
      for (std::size_t i = formula.children.size(); i-- > 0;) diagram = child(i, yes, diagram);
      return diagram;
    }
    case Formula::Kind::implication:
      return child(0, child(1, yes, no), yes);
    case Formula::Kind::equivalence:
      return child(0, child(1, yes, no), child(1, no, yes));
    case Formula::Kind::for_all:
    case Formula::Kind::exists:
      return quantified(formula, variables, yes, no);
    default:
      return atom(formula, variables, yes, no);
  }
}

Diagram FormulaCompiler::quantified(const Formula& formula, Arguments& variables, Diagram yes,
                                    Diagram no) {
  const bool for_all = formula.kind == Formula::Kind::for_all;
  if (variables.size() <= formula.index) {
    variables.resize(formula.index + 1, Alternative::undefined);
  }
  const std::uint8_t outer = variables[formula.index];
  Diagram diagram = for_all ? yes : no;
  for (std::size_t i = cells_.count(formula.sort); i-- > 0;) {
    variables[formula.index] = static_cast<std::uint8_t>(i);
    diagram = for_all ? this->formula(*formula.children[0], variables, diagram, no)
                      : this->formula(*formula.children[0], variables, yes, diagram);
  }
  variables[formula.index] = outer;
  return diagram;
}

Diagram FormulaCompiler::atom(const Formula& formula, const Arguments& variables, Diagram yes,
                              Diagram no) {
  Diagram diagram = no;
  for (const Alternative& one : alternatives(formula.terms, variables)) {
    diagram = when(one, atom_at(formula, one.values, yes, no), diagram);
  }
  return diagram;
}

Diagram FormulaCompiler::atom_at(const Formula& formula, const Arguments& values, Diagram yes,
                                 Diagram no) {
  const auto truth = [&](bool holds) { return holds ? yes : no; };
  if (formula.kind == Formula::Kind::equal) return truth(values[0] == values[1]);
  if (std::ranges::find(values, Alternative::undefined) != values.end()) return no;
  const Instance& instance = cells_.instance();
  switch (formula.kind) {
    case Formula::Kind::relation:
      return test(cells_.place(formula.index, values), bit(1), yes, no);
    case Formula::Kind::is_value:
      return test(cells_.place(formula.index, values), formula.values, yes, no);
    case Formula::Kind::refers_to: {
      const std::span<const std::uint8_t> all(values);
      return test(cells_.place(formula.index, all.first(all.size() - 1)), bit(all.back()), yes, no);
    }
    case Formula::Kind::refers_to_none:
      return test(cells_.place(formula.index, values), bit(Cells::nobody), yes, no);
    case Formula::Kind::session_order:
      return truth(values[0] != 0 && values[0] < values[1] &&
                   instance.owner(values[0]) == instance.owner(values[1]));
    case Formula::Kind::order:
      return test(cells_.order(formula.index, values[0], values[1]), bit(1), yes, no);
    default:
      ISOSCOPE_ENSURE(false);
  }
}

}  // namespace isoscope::protocol
