#pragma once

#include <vector>

#include "isoscope/protocol/formula.h"

namespace isoscope::protocol {

// Formulas from parts; all except formula_of() leave out what is always true or false.

/// A formula as it is, to be shared by others.
FormulaPtr formula_of(Formula formula);

Term variable_of(Sort sort, std::uint32_t index);

FormulaPtr truth_of(bool value, Position where = {});
FormulaPtr negation_of(FormulaPtr formula);
FormulaPtr conjunction_of(std::vector<FormulaPtr> formulas, Position where = {});
FormulaPtr disjunction_of(std::vector<FormulaPtr> formulas, Position where = {});
/// An atom, about component or order `index`.
FormulaPtr atom_of(Formula::Kind kind, std::uint32_t index, std::vector<Term> terms,
                   Position where = {});
FormulaPtr equality_of(Term a, Term b, Position where = {});
FormulaPtr exists_of(Sort sort, std::uint32_t variable, FormulaPtr body);

/// The first of the values whose condition is true, else the last, which has none.
FormulaPtr choice_of(const std::vector<FormulaPtr>& conditions,
                     const std::vector<FormulaPtr>& values);

}  // namespace isoscope::protocol
