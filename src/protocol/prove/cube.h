#pragma once

#include <cstdint>
#include <vector>

#include "protocol/prove/candidate_clauses.h"

namespace isoscope::protocol {

/// Some facts about some keys and transactions. The keys are different from each other, and so are
/// the transactions. A state is in the cube if it has keys and transactions with these facts.
struct Cube {
  struct Literal {
    std::uint32_t atom = 0;
    bool is_true = true;
    std::uint8_t k = 0, t = 0, u = 0;  ///< which of the cube's
  };
  std::uint8_t keys = 0, transactions = 0;
  std::vector<Literal> literals;
};

bool is_in(const Cube& cube, const Samples::Sampled& state);
/// Is some sampled state in the cube? "Yes" if a limit is reached before that is known.
bool is_sampled(const Cube& cube, const Samples& samples, const Limits& limits);
/// No state is in the cube: a closed formula.
FormulaPtr outside(const Cube& cube, const Atoms& atoms);

/// A clause as a closed formula.
FormulaPtr formula_of(const Clause& clause, const Atoms& atoms);

/// A candidate has an instance for every choice of its transactions.
inline constexpr std::uint8_t most_transactions_of_a_cube = 4;

/// Are there sampled states with at least as many keys and transactions as the cube has?
bool is_covered(const Cube& cube, const Samples& samples);
/// Only the keys and transactions that some literal names; two transactions at least.
Cube without_unused(Cube cube);
/// Adds literals of `everything`, always the one that leaves the fewest samples in the cube, until
/// no sample is left or a limit is reached.
Cube with_more(Cube cube, const Cube& everything, const Samples& samples, const Limits& limits);
/// Leaves out literals as long as no sample gets into the cube: fewer facts say more.
Cube with_fewer(Cube cube, const Samples& samples, const Limits& limits);
/// For every key and three transactions, what the cube says of these.
std::vector<Cube> parts_of(const Cube& cube);

}  // namespace isoscope::protocol
