#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isoscope/graph/digraph.h"
#include "isoscope/solver/acyclic_solver.h"

namespace isoscope {

/// A problem as data, so that it can be given to the solver and judged without it.
struct Problem {
  struct Edge {
    SatLiteral owner;
    DirectedEdge edge;
    std::uint32_t tag = 0;
  };

  std::uint32_t node_count = 0;
  std::vector<DirectedEdge> base;
  std::vector<bool> must_decide;  ///< one per variable
  std::vector<Edge> edges;
  std::vector<std::vector<SatLiteral>> clauses;
};

/// What a solver was told so far: everything up to these numbers.
struct Told {
  std::size_t variables = 0;
  std::size_t edges = 0;
  std::size_t clauses = 0;
};

/// Tells it the rest. Returns the ids of the new clauses.
inline std::vector<std::uint32_t> tell(AcyclicSolver& solver, const Problem& problem, Told& told) {
  std::vector<std::uint32_t> ids;
  for (; told.variables < problem.must_decide.size(); ++told.variables) {
    solver.add_variable(problem.must_decide[told.variables]);
  }
  for (; told.edges < problem.edges.size(); ++told.edges) {
    const Problem::Edge& edge = problem.edges[told.edges];
    solver.add_edge(edge.owner, edge.edge, edge.tag);
  }
  for (; told.clauses < problem.clauses.size(); ++told.clauses) {
    ids.push_back(solver.add_clause(problem.clauses[told.clauses]));
  }
  return ids;
}

/// Takes away nodes that nothing enters, as long as there are any.
inline bool is_acyclic(std::uint32_t node_count, std::vector<DirectedEdge> edges) {
  std::vector<bool> gone(node_count, false);
  for (std::uint32_t round = 0; round < node_count; ++round) {
    std::vector<bool> entered(node_count, false);
    for (const DirectedEdge& edge : edges) {
      entered[edge.to] = true;
    }
    std::erase_if(edges, [&](const DirectedEdge& edge) { return !entered[edge.from]; });
  }
  return edges.empty();
}

/// Values of variables: true, false or left open.
using Values = std::vector<std::optional<bool>>;

inline std::optional<bool> value_in(const Values& values, SatLiteral literal) {
  const std::optional<bool> value = values[literal.variable()];
  return value ? std::optional(*value != literal.is_negative()) : std::nullopt;
}

/// What is wrong with a model; empty if nothing.
inline std::string fault_in(const Problem& problem, const Values& values) {
  for (std::size_t variable = 0; variable < problem.must_decide.size(); ++variable) {
    if (problem.must_decide[variable] && !values[variable]) {
      return "variable " + std::to_string(variable) + " is open";
    }
  }
  for (std::size_t i = 0; i < problem.clauses.size(); ++i) {
    const auto& clause = problem.clauses[i];
    if (std::none_of(clause.begin(), clause.end(),
                     [&](SatLiteral literal) { return value_in(values, literal) == true; })) {
      // A tautology is true whatever is open.
      const bool tautology = std::any_of(clause.begin(), clause.end(), [&](SatLiteral literal) {
        return std::find(clause.begin(), clause.end(), !literal) != clause.end();
      });
      if (!tautology) {
        return "clause " + std::to_string(i) + " has no true literal";
      }
    }
  }
  std::vector<DirectedEdge> edges = problem.base;
  for (const Problem::Edge& edge : problem.edges) {
    if (value_in(values, edge.owner) == true) {
      edges.push_back(edge.edge);
    }
  }
  return is_acyclic(problem.node_count, std::move(edges)) ? "" : "there is a cycle";
}

/// Whether some assignment of all variables is a solution.
inline bool has_solution(const Problem& problem) {
  const std::size_t count = problem.must_decide.size();
  for (std::uint32_t bits = 0; bits < (1U << count); ++bits) {
    Values values(count);
    for (std::size_t variable = 0; variable < count; ++variable) {
      values[variable] = (bits >> variable & 1) != 0;
    }
    if (fault_in(problem, values).empty()) {
      return true;
    }
  }
  return false;
}

}  // namespace isoscope
