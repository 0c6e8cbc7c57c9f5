#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/visible/known_facts.h"
#include "check/visible/repair.h"
#include "isoscope/graph/digraph.h"

namespace isoscope::visible {

/// Why there is no execution, as steps of a certificate (docs/certificates.md).
///
/// A clause that a wrong read made is a step of its own. What is no choice is not in the solver's
/// clause, but it is in the step's, so it is made known before. The same goes for edges of cycles
/// that are known, and for the order that a clause showed without any choice.
class Refutation {
 public:
  /// All must outlive the object. The verdict is about the level that is refuted.
  Refutation(const Problem& problem, const OrderNodes& nodes, const KeyAccesses& accesses,
             const Verdict& verdict)
      : p_(problem), nodes_(nodes), level_(verdict.level.id), facts_(problem, accesses, verdict) {}

  // Each returns nothing if something cannot be shown, and is called once.

  /// The known order, of transactions and points in time, has a cycle.
  std::optional<std::vector<ProofStep>> by_cycle(const Digraph& known);
  /// The clauses of the repair contradict each other.
  std::optional<std::vector<ProofStep>> by_repair(const Repair& repair);

 private:
  using Steps = std::optional<std::vector<ProofStep>>;

  Steps take();
  std::uint32_t write_given(const Repair& repair, const ProofEvent& event);
  std::uint32_t write_misfit(std::uint32_t id, const Misfit& misfit);
  std::uint32_t write_cycle(std::span<const CycleEdge> edges, std::span<const SatLiteral> literals);
  std::uint32_t write_circle(std::span<const CycleEdge> edges);
  std::uint32_t write_cycle_of_versions(std::span<const CycleEdge> edges,
                                        std::span<const SatLiteral> literals);
  std::uint32_t sees(const Misfit& misfit);
  bool is_of_base(const Misfit& misfit) const;
  std::uint32_t base(const Misfit& misfit);
  isoscope::Hop hop_of(const Hop& hop);

  void know_selection(std::uint32_t read);
  void know_hop(std::uint32_t id, const Hop& hop);
  void know_order(std::uint32_t id, Txn earlier, Txn later);
  void find_certain_orders(const Repair& repair);
  /// Adds the step that says that the edge follows from its literal to the hints. False: the edge
  /// is the literal.
  bool add_edge_hint(const CycleEdge& edge, std::vector<std::uint32_t>& hints);

  /// The commit, or the version of the key.
  Event event(Txn t, KeyId key) const {
    return nodes_.has_versions() ? facts_.version(t, key) : facts_.commit(t);
  }
  const Choice& choice(SatLiteral literal) const { return choices_[literal.variable()]; }
  std::vector<ProofLiteral> meaning(std::span<const SatLiteral> literals);
  static std::uint64_t pair(Txn earlier, Txn later) { return std::uint64_t{earlier} << 32 | later; }

  const Problem& p_;
  const OrderNodes& nodes_;
  LevelId level_;
  KnownFacts facts_;
  std::span<const Choice> choices_;
  const std::unordered_map<std::uint32_t, Misfit>* misfits_ = nullptr;
  std::unordered_map<std::uint64_t, std::uint32_t> certain_orders_;  // by pair: id of the clause
  std::unordered_map<std::uint32_t, std::uint32_t> steps_;           // by id of the clause
};

}  // namespace isoscope::visible
