#include "solve_formula.h"

#include "isoscope/solver/acyclic_solver.h"

namespace isoscope {

namespace {

SatLiteral literal_of(std::int32_t number) {
  const auto variable = static_cast<std::uint32_t>(number > 0 ? number : -number) - 1;
  return number > 0 ? SatLiteral::positive(variable) : SatLiteral::negative(variable);
}

}  // namespace

bool solve(const AcyclicFormula& formula) {
  std::vector<DirectedEdge> base;
  std::vector<std::uint8_t> owns(static_cast<std::size_t>(formula.variables), 0);
  for (const AcyclicFormula::Arc& arc : formula.arcs) {
    if (arc.literal == 0) {
      base.push_back(arc.edge);
    } else {
      owns[literal_of(arc.literal).variable()] |= arc.literal > 0 ? 1 : 2;
    }
  }
  const std::size_t nodes = std::max<std::size_t>(formula.nodes, 1);
  const Digraph graph(nodes, base);
  const auto order = topological_order(graph);
  if (!order) return false;
  AcyclicSolver solver(graph, *order, {});
  // One that owns edges either way must have a value; the others only if a clause needs them.
  for (const std::uint8_t sides : owns) solver.add_variable(sides == 3);
  for (const AcyclicFormula::Arc& arc : formula.arcs) {
    if (arc.literal != 0) solver.add_edge(literal_of(arc.literal), arc.edge, 0);
  }
  std::vector<SatLiteral> clause;
  for (const std::int32_t number : formula.literals) {
    if (number != 0) {
      clause.push_back(literal_of(number));
      continue;
    }
    solver.add_clause(clause);
    clause.clear();
  }
  return solver.solve(Limits::none()) == Satisfiability::satisfiable;
}

}  // namespace isoscope
