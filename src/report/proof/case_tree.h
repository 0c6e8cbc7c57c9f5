#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "isoscope/base/limits.h"
#include "report/proof/propagation.h"

namespace isoscope::report {

/// Cases that together leave no execution: either none has to be distinguished (a leaf), or
/// `supposed` is true or false.
struct CaseTree {
  ProofClauses::Literal supposed = 0;
  std::unique_ptr<CaseTree> if_true;
  std::unique_ptr<CaseTree> if_false;

  bool is_leaf() const { return if_true == nullptr; }
};

struct CaseSearch {
  std::unique_ptr<CaseTree> tree;  ///< null: given up, by itself or at a limit
  std::size_t leaves = 0;          ///< of the tree; if given up, how many had been found
  std::vector<ProofClauses::Literal> first_case;  ///< what the first leaf found supposes
  bool is_consistent = false;  ///< a case with nothing left open: the steps are no refutation
};

/// Looks for few cases each of which unit propagation alone refutes.
///
/// At every node each open statement of the lemmas (a lemma is where the solver had to choose) is
/// tried both ways, and the one that refutes most, or else tells most, is taken: greedy, with one
/// step of foresight. A case whose refutation does not need its supposition replaces its parent.
CaseSearch find_cases(const ProofClauses& proof, Propagation& facts, const Limits& limits);

}  // namespace isoscope::report
