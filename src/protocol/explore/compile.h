#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "protocol/explore/cells.h"
#include "protocol/explore/decision_diagrams.h"

namespace isoscope::protocol {

/// Turns formulas into tests of cells, one choice of their variables at a time.
class FormulaCompiler {
 public:
  using Arguments = std::vector<std::uint8_t>;

  /// `possible`: the values that each cell can have; tests that these decide are left out.
  FormulaCompiler(const Cells& cells, const std::vector<Bits>& possible, DecisionDiagrams& diagrams)
      : cells_(cells), possible_(possible), diagrams_(diagrams) {}

  /// The formula, then `yes` or `no`. `variables`: its free ones.
  Diagram compile(const Formula& formula, Arguments variables,
                  Diagram yes = DecisionDiagrams::always, Diagram no = DecisionDiagrams::never);

  Diagram test(std::uint32_t cell, Bits values, Diagram yes, Diagram no);

  /// What terms can be, depending on references they contain.
  struct Alternative {
    static constexpr std::uint8_t undefined = none;
    std::vector<std::pair<std::uint32_t, std::uint8_t>> when;  ///< these cells have these values
    Arguments values;

    bool is_defined() const;
  };
  std::vector<Alternative> alternatives(std::span<const Term> terms, const Arguments& variables);
  /// `yes` where the cells are so, else `no`.
  Diagram when(const Alternative& alternative, Diagram yes, Diagram no);

 private:
  Diagram formula(const Formula& formula, Arguments& variables, Diagram yes, Diagram no);
  Diagram quantified(const Formula& formula, Arguments& variables, Diagram yes, Diagram no);
  Diagram atom(const Formula& formula, const Arguments& variables, Diagram yes, Diagram no);
  Diagram atom_at(const Formula& formula, const Arguments& values, Diagram yes, Diagram no);
  std::vector<Alternative> alternatives(const Term& term, const Arguments& variables);

  const Cells& cells_;
  const std::vector<Bits>& possible_;
  DecisionDiagrams& diagrams_;
};

}  // namespace isoscope::protocol
