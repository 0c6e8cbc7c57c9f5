#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isoscope/graph/digraph.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

/// What a level with an order of begins and commits asks of a history of registers, put down
/// plainly: which transactions wrote each key, and from which each read may have got its value.
/// This is the textbook form, shared with no engine, so that other solvers can be asked the same
/// question.
///
/// Transaction 0 is the initial state; aborted ones are not there. Every transaction has a begin
/// and a commit, which may be one node (`begin_is_commit`).
struct OrderQuestion {
  struct Read {
    std::uint32_t reader = 0;
    std::uint32_t key = 0;
    std::vector<std::uint32_t> candidates;  ///< writers of the key; never the reader
  };

  bool begin_is_commit = true;
  bool writers_conflict = false;  ///< two writers of one key must not overlap
  std::size_t transactions = 1;
  /// The transactions that may have committed or not: their reads count only if somebody reads from
  /// them.
  std::vector<std::uint8_t> open = {0};
  std::vector<std::vector<std::uint32_t>> writers;  ///< by key, without the initial state
  std::vector<Read> reads;
  std::vector<DirectedEdge> known;  ///< between nodes; session order, and more where it is known
  /// Is one node certainly before another? May be empty: then nobody knows.
  std::function<bool(std::uint32_t from, std::uint32_t to)> certainly;

  std::uint32_t begin(std::uint32_t t) const { return begin_is_commit ? t : 2 * t; }
  std::uint32_t commit(std::uint32_t t) const { return begin_is_commit ? t : 2 * t + 1; }
  /// The node before which the other writers of a key commit, if they come before this one.
  std::uint32_t held_from(std::uint32_t t) const { return writers_conflict ? begin(t) : commit(t); }
  std::size_t node_count() const { return begin_is_commit ? transactions : 2 * transactions; }
};

/// At serializable, repeatable read, snapshot isolation or prefix consistency. The reads inside a
/// transaction (of its own writes, or twice of one key) must be in order; the first pass sees to
/// that. Nothing if the history has lists, predicates or unreported values.
std::optional<OrderQuestion> order_question(const History& history, Level level);

/// Clauses, and edges that are in a graph while a literal is true; the graph must stay acyclic.
/// Literals as in DIMACS: variable v, from 1 on, is v or -v.
struct AcyclicFormula {
  struct Arc {
    std::int32_t literal = 0;  ///< 0: always there
    DirectedEdge edge;
  };

  std::size_t nodes = 0;
  std::int32_t variables = 0;
  std::vector<std::int32_t> literals;  ///< of all clauses, each followed by 0
  std::size_t clauses = 0;
  std::vector<Arc> arcs;

  std::int32_t new_variable() { return ++variables; }
  void add_clause(std::initializer_list<std::int32_t> clause) { add_clause(std::span(clause)); }
  void add_clause(std::span<const std::int32_t> clause) {
    literals.insert(literals.end(), clause.begin(), clause.end());
    literals.push_back(0);
    ++clauses;
  }
};

/// The formula is satisfiable if and only if the answer to the question is yes. It is eager, after
/// the paper's baseline (VeriStrong, section 4). For two writers of a key a variable says which one
/// is first. For each candidate of a read with several of them a variable says whether the read is
/// from it. The reader comes before every writer that comes after the one it read from. About
/// writers^2 variables a key, and readers * writers arcs. What the question knows `certainly` takes
/// no variable.
AcyclicFormula encode(const OrderQuestion& question);

/// For clasp --parse-ext: DIMACS with the graph in comment lines, which must stand before the
/// clauses.
std::string clasp_text(const AcyclicFormula& formula);

/// The same as clauses only: every node gets a number in binary, and an edge says that the one is
/// less than the other. About 3 * log2(nodes) clauses for each arc.
AcyclicFormula without_graph(const AcyclicFormula& formula);

/// The clauses alone.
std::string dimacs_text(const AcyclicFormula& formula);

}  // namespace isoscope
