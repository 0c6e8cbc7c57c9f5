#pragma once

// The room of level texts: what a level means, for small histories, as plainly as possible.
//
// Idea: A level is a page of text. A history becomes relations between at most 64 transactions and
// 64 keys, so that a set is one word and every operator of the language is a few lines. There is no
// solver here: this room is the judge of those that have one.
//
//   lexer.cpp, parse_statements.cpp, parse_expressions.cpp
//                       text to syntax.h: nothing looked up, no types
//   resolve_*.cpp       syntax to a Definition (resolve.h): _statements what is declared and
//                       included, _names what a name stands for, _expressions sets and relations,
//                       _formulas the rest
//   level_text.cpp      the two above for callers; shipped.cpp: the texts of levels/
//   structure_of.cpp    a history to a Structure; history_of.cpp the other way
//   evaluator.cpp       the meaning of sets and relations; evaluator_formulas.cpp that of formulas
//   evaluate.cpp        judge(): do these witnesses fit, and are all axioms true?
//   enumerate.cpp       find_execution(): all witnesses one after the other
//   format.cpp          a text in house style; text_of.cpp: nodes as text
//
// A new operator is parsed in parse_expressions.cpp, resolved in resolve_expressions.cpp or
// resolve_formulas.cpp, and has a Node::Kind. Its meaning stands here, as a circuit in
// src/synth/encoder.cpp, and as text in text_of.cpp.
//
// Invariants: 1. Transaction 0 is the initial one; it writes every key and comes first. 2. A node's
// type was checked when it was made, and bound variables are numbered by depth, below 64. 3. Which
// variables and witnesses a node depends on is computed here anew, so that an evaluation is right
// even where the checker of the node was not. 4. A value is remembered only if it has no variable
// from outside, and only until a witness that it mentions changes. 5. The evaluator below `within`
// has its own memory, since relations are others there.
//
// Cost: n^q for q quantifiers above each other, times the size of what is below; find_execution()
// tries up to n! orders, and 2 to the number of pairs that a relation's bounds leave open.
//
// Source: docs/level-language.md defines the language, and each text in levels/ cites its paper.

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isoscope/spec/evaluate.h"

namespace isoscope::spec {

using Bits = std::uint64_t;

/// Calls visit(i) for every i in the set, in order, while it returns true; returns whether all did.
template <class Visit>
bool all_of_bits(Bits set, const Visit& visit) {
  for (; set != 0; set &= set - 1) {
    if (!visit(static_cast<std::size_t>(std::countr_zero(set)))) return false;
  }
  return true;
}

template <class Visit>
void for_each_bit(Bits set, const Visit& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

inline Bits bit(std::size_t index) { return Bits{1} << index; }
inline Bits first_bits(std::size_t count) { return count == 64 ? ~Bits{0} : bit(count) - 1; }

inline bool is_set(const Node& node) { return node.type.kind == Type::Kind::set; }
inline bool is_keyed(const Node& node) { return node.type.kind == Type::Kind::keyed; }

/// Which variables an expression takes from outside, and which witnesses it mentions (bits of their
/// numbers). This is computed here and not taken from Node::free_variables, so that an evaluation
/// is right even where the checker that made the node was not.
struct NodeFacts {
  Bits free_variables = 0;
  Bits witnesses = 0;
};

class NodeFactTable {
 public:
  const NodeFacts& of(const Node& node);

 private:
  std::unordered_map<const Node*, NodeFacts> facts_;
};

/// The meaning of expressions and formulas on one history and one execution: sets are words,
/// relations are rows of words, and each operator is a few lines that say what it means.
///
/// Only one thing is not straightforward: relations without variables from outside are remembered
/// until a witness that they mention changes, since they often stand below quantifiers, such as the
/// closure in `forall t, s: ... (so | wr)+ (t, s)`. A formula below q quantifiers costs n^q times
/// its size, and n^2 more for each relation in it with free variables.
///
/// Below `within` another evaluator works, one that has fewer transactions and keys. Relations of
/// the history and the execution are cut down to these where they are mentioned; a variable is what
/// it is even if it is none of these, but then no relation has it.
///
/// Nodes, history and execution must outlive the evaluator.
class Evaluator {
 public:
  Evaluator(const Structure& history, const Execution& execution,
            const Matrix* given_order = nullptr);
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// To be called after witness `index` of the execution got a new value.
  void witness_changed(std::size_t index);

  bool truth(const Node& formula);
  Bits set(const Node& expression);
  Matrix relation(const Node& expression);
  std::vector<Matrix> keyed(const Node& expression);

  NodeFactTable& facts() { return *facts_; }

 private:
  using ByKey = std::vector<Matrix>;
  template <class Value>
  struct Remembered {
    Value value;
    std::uint64_t since = 0;  // the clock at that time; 0: never
  };

  Evaluator(const Evaluator& outer, Bits transactions, Bits keys);

  std::size_t count(Sort sort) const {
    return sort == Sort::transaction ? history_.transactions : history_.keys;
  }
  Bits all(Sort sort) const { return sort == Sort::transaction ? transactions_ : keys_; }
  bool is_whole() const;
  Matrix none(Sort left) const { return Matrix{std::vector<Bits>(count(left), 0)}; }

  std::size_t variable(const Node& node) const;
  void bind(std::size_t index, std::size_t value) {
    variables_[index] = static_cast<std::uint8_t>(value);
  }

  // The value, without copying it if it is there already; otherwise it is put into `space`.
  const Matrix& relation(const Node& node, Matrix& space);
  const ByKey& keyed(const Node& node, ByKey& space);
  template <class Value, class Compute>
  const Value& remembered(std::unordered_map<const Node*, Remembered<Value>>& all_of_kind,
                          const Node& node, Value& space, const Compute& compute);

  const Matrix& base_relation(Base base) const;
  Matrix compute(const Node& node);
  ByKey compute_by_key(const Node& node);
  Matrix restricted(const Matrix& matrix, const Type& type) const;
  void close(Matrix& matrix) const;
  void add_identity(Matrix& matrix, Bits on) const;
  Matrix transposed(const Matrix& matrix, Sort new_left) const;
  template <class Operator>
  Matrix combine(const Node& node, const Operator& word);
  bool holds(const Node& node);
  bool is_total_order(const Matrix& matrix, Bits on) const;
  /// Is every pair of words as `words` says?
  template <class Words>
  bool compare(const Node& node, const Words& words);
  bool is_empty(const Node& node);
  bool within(const Node& node);

  const Structure& history_;
  const Execution& execution_;
  const Matrix* given_order_;
  Bits transactions_;
  Bits keys_;
  Matrix reads_;  // transaction x key; like the history's relations, of the whole history
  Matrix wr_;     // over all keys
  std::array<std::uint8_t, 64> variables_{};

  NodeFactTable own_facts_;
  NodeFactTable* facts_ = &own_facts_;
  std::unordered_map<const Node*, Remembered<Matrix>> relations_;
  std::unordered_map<const Node*, Remembered<ByKey>> keyed_;
  std::uint64_t clock_ = 1;
  std::array<std::uint64_t, 64> changed_{};  // when each witness changed last
};

}  // namespace isoscope::spec
