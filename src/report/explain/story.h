#pragma once

// The room of explanations: why a level is violated, for people.
//
// Idea: A refutation proves a violation, but has more steps than anybody reads. So it is read back
// as clauses, and unit propagation finds out what follows. The contradiction at the end is told as
// a cycle, as short as the facts allow. Where that is not enough, cases are told one by one.
//
//   explanation.cpp    explain(): from the certificate to cases. From ../proof/ it uses
//                        direct_order.cpp   steps in front: what sessions and times say directly
//                        proof_clauses.cpp  steps as clauses
//                        propagation.cpp    what follows, each literal with its reason
//                        case_tree.cpp      few cases that propagation refutes
//   story.cpp          one case: finds the cheapest cycle (../proof/order_facts.cpp) and tells it
//   story_facts.cpp    the sentence of each kind of fact, and what it rests on
//   story_name.cpp     on which grounds each edge stands, for the name of the cycle
//   anomaly_name.cpp   the name of a cycle, and which levels it violates
//   fact_words.cpp     the words that sentences are made of
//   explanation_text.cpp, brief_text.cpp, explanation_json.cpp
//                      the Explanation as it is printed; ../verdict_report.cpp puts it together
//   bad_read_text.cpp, counts_text.cpp
//                      bad reads, which need no story; how often each anomaly was found
//
// Invariants: 1. A story rests on the history and the certificate alone. It knows nothing of the
// engine, so a refutation of any origin can be told. 2. A fact refers only to facts that were found
// before it on the trail of the propagation, so nothing rests on itself. 3. A fact has one number.
// What is true in every case keeps it from case to case (ToldFacts); what is true in one case only
// is numbered for that case. 4. A level is named as ruled out by the story only if all cases were
// told and each of them violates it. 5. A name never says more than the grounds of the edges bear:
// where an edge needs the level's own reasoning, other levels are not accused.
//
// Cost: a search for a shortest way from up to 32 events for each case, in the graph of what the
// refutation knows; and up to 12 cases. With more cases, one is told and stands for all.
//
// Source: docs/explanations.md; the names are those of Adya and Elle (isoscope/level/anomaly.h).

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "isoscope/report/explanation.h"
#include "report/explain/anomaly_name.h"
#include "report/proof/order_facts.h"

namespace isoscope::report {

/// The numbers of the facts that were told so far and are true in every case.
struct ToldFacts {
  /// Literal, step and (of edges that were put together) the end.
  using Key = std::tuple<ProofClauses::Literal, std::uint32_t, Event>;

  unsigned last = 0;
  std::map<Key, unsigned> numbers;
};

/// Tells why what is known and supposed at the moment is contradictory.
class Story {
 public:
  using Literal = ProofClauses::Literal;
  using Edge = OrderFacts::Edge;

  Story(const History& history, const Certificate& certificate, const ProofClauses& proof,
        const Propagation& facts, ToldFacts& told);

  /// Requires a conflict.
  ExplainedCase tell();
  /// The levels that the cycles told violate, each in its case.
  const std::vector<LevelId>& levels_ruled_out() const { return levels_; }

 private:
  using Facts = std::vector<ExplainedFact>;

  std::optional<std::vector<Edge>> cycle_of(std::uint32_t step, std::uint32_t before) const;
  std::vector<Edge> as_seen_by_reader(std::vector<Edge> cycle) const;
  /// Gives the edges that it tells, one for each fact.
  std::vector<FoldedEdge> tell_cycle(std::vector<Edge> cycle, ExplainedCase& to);
  void tell_read_without_source(std::uint32_t step, ExplainedCase& to);
  bool tell_row_without_source(std::uint32_t step, ExplainedCase& to);
  void tell_other(std::uint32_t step, ExplainedCase& to);

  // Each refers to facts by number, and puts those not told yet into `into`, where they must stay.
  std::string by_chain(Event from, Event to, std::uint32_t before, int depth, Facts& into);
  std::string refer(const FoldedEdge& edge, int depth, Facts& into);
  /// Can refer() tell of the edge? It gives nothing if that goes too deep.
  bool can_refer(const FoldedEdge& edge, int depth) const;
  std::string refer(Literal literal, int depth, Facts& into);
  std::string by(std::vector<std::string> numbers) const;
  std::string by_exclusion(std::span<const Literal> excluded, int depth, Facts& into);

  bool needs_explanation(const Edge& edge) const;
  void tell_edge(const FoldedEdge& edge, int depth, ExplainedFact& fact);
  void tell_read_dependency(const Edge& edge, int depth, ExplainedFact& fact);
  void tell_anti_dependency(const Edge& edge, int depth, ExplainedFact& fact);
  void tell_only_source(const Edge& edge, int depth, ExplainedFact& fact);
  void tell_overwrite(const Edge& edge, int depth, ExplainedFact& fact);
  void tell_conflict(const Edge& edge, int depth, ExplainedFact& fact);
  void tell_neighbours(const Edge& edge, int depth, ExplainedFact& fact);
  void tell_statement(Literal literal, int depth, ExplainedFact& fact);
  void tell_times(const FoldedEdge& edge, ExplainedFact& fact) const;
  /// Transactions of unknown outcome that a step takes as committed, and why.
  void tell_outcomes(const Edge& edge, int depth, ExplainedFact& fact);
  void involve(ReadNumber read, ExplainedFact& fact) const;
  void involve_write(std::uint32_t writer, KeyId key, ExplainedFact& fact) const;

  Edge simplest(const Edge& edge) const;
  bool has_read(std::uint32_t transaction, const ProofStep& step) const;
  bool is_by_choice(std::uint32_t step) const;
  NamedEdge named(const FoldedEdge& edge) const;
  Grounds grounds_of(const Edge& edge) const;
  Grounds grounds_of_edges(const std::vector<Edge>& chain, int most_anti_dependencies) const;
  Grounds grounds_of_dependencies(Event from, Event to, KeyId key, std::uint32_t before) const;
  Grounds grounds_of_exclusion(Literal excluded) const;
  Grounds grounds_of_source(ReadNumber read, std::uint32_t writer) const;
  Grounds grounds_of_causes(Event from, Event to, std::uint32_t before) const;
  bool is_sole_source(ReadNumber read, std::uint32_t writer) const;
  /// Is the writer the sole source, or the source in the case being looked at?
  bool is_plain_source(ReadNumber read, std::uint32_t writer) const;
  bool has_plain_outcomes(const Edge& edge) const;
  bool is_plain_outcome(Literal literal) const;
  bool surely_committed(std::uint32_t transaction) const;
  std::optional<Literal> selection_of(const Edge& edge) const;
  std::uint32_t place_of(const Edge& edge) const;
  std::vector<std::optional<KeyId>> told_as_overwrites(const std::vector<FoldedEdge>& cycle) const;
  void tell_as_overwrite(KeyId key, ExplainedFact& fact) const;
  void name_cycle(const std::vector<FoldedEdge>& cycle,
                  std::span<const std::optional<KeyId>> overwritten, ExplainedCase& to);

  ToldFacts::Key key_of(const FoldedEdge& edge) const {
    return {edge.first.literal, edge.first.step, edge.to};
  }
  const unsigned* number_of(const ToldFacts::Key& key) const;
  unsigned give_number(const ToldFacts::Key& key);
  bool is_unconditional(Literal literal, std::uint32_t step) const;
  std::string label(std::uint32_t transaction) const;
  std::string before_words(const Edge& edge) const;

  const History& history_;
  const Certificate& certificate_;
  const ProofClauses& proof_;
  const Reads& reads_;
  const Propagation& facts_;
  OrderFacts order_;
  ToldFacts& told_;
  std::map<ToldFacts::Key, unsigned> told_here_;  // what is true in this case only
  std::vector<Literal> excluded_;  // what the cycle to be named rests on beside its edges
  std::optional<ProofLiteral> supposed_source_;  // of the case that is told
  std::vector<LevelId> levels_;
};

/// What is in both.
std::vector<LevelId> common_levels(const std::vector<LevelId>& a, const std::vector<LevelId>& b);

}  // namespace isoscope::report
