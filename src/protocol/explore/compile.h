#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "protocol/explore/cells.h"
#include "protocol/explore/code.h"

namespace isoscope::protocol {

/// Turns formulas into tests of cells, one choice of their variables at a time.
class FormulaCompiler {
 public:
  using Entry = Code::Entry;
  using Arguments = std::vector<std::uint8_t>;

  /// `possible`: the values that each cell can have; tests that these decide are left out.
  FormulaCompiler(const Cells& cells, const std::vector<Bits>& possible, Code& code)
      : cells_(cells), possible_(possible), code_(code) {}

  /// The formula, then `yes` or `no`. `variables`: its free ones.
  Entry compile(const Formula& formula, Arguments variables, Entry yes = Code::always,
                Entry no = Code::never);

  Entry test(std::uint32_t cell, Bits values, Entry yes, Entry no);

  /// What terms can be, depending on references they contain.
  struct Alternative {
    static constexpr std::uint8_t undefined = none;
    std::vector<std::pair<std::uint32_t, std::uint8_t>> when;  ///< these cells have these values
    Arguments values;

    bool is_defined() const;
  };
  std::vector<Alternative> alternatives(std::span<const Term> terms, const Arguments& variables);
  /// `yes` where the cells are so, else `no`.
  Entry when(const Alternative& alternative, Entry yes, Entry no);

 private:
  Entry formula(const Formula& formula, Arguments& variables, Entry yes, Entry no);
  Entry quantified(const Formula& formula, Arguments& variables, Entry yes, Entry no);
  Entry atom(const Formula& formula, const Arguments& variables, Entry yes, Entry no);
  Entry atom_at(const Formula& formula, const Arguments& values, Entry yes, Entry no);
  std::vector<Alternative> alternatives(const Term& term, const Arguments& variables);

  const Cells& cells_;
  const std::vector<Bits>& possible_;
  Code& code_;
};

}  // namespace isoscope::protocol
