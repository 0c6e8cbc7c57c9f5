#pragma once

#include <optional>
#include <vector>

#include "clasp_encoding.h"
#include "isoscope/graph/digraph.h"

namespace isoscope {

/// What is left of a question after our saturation: fewer candidates, more edges, and `certainly`
/// answers from the vector clocks.
struct SaturatedQuestion {
  OrderQuestion question;
  bool contradiction = false;  ///< the answer is no already
  /// The graph of all that is known, and how its nodes are covered by chains: node by node, and how
  /// many.
  std::vector<DirectedEdge> edges;
  std::vector<std::uint32_t> chain_of;
  std::size_t chains = 0;
};

/// At serializable or snapshot isolation, for histories of registers whose reads are valid. Nothing
/// if a transaction is indeterminate: the first pass would have to be asked which ones can have
/// committed.
std::optional<SaturatedQuestion> saturated_question(const History& history, Level level);

}  // namespace isoscope
