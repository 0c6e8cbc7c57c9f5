#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/strong/proof/derivation.h"
#include "check/strong/proof/proof_writer.h"
#include "check/strong/search/repair.h"

namespace isoscope::strong {

/// The solver's proof in the certificate's terms.
///
/// A choice between two versions F and S of a key is the statement c(F) < h(S), where h(S) is the
/// event from which on S holds the key. What the solver takes for granted has to be spelled out:
/// that an edge follows from a literal, such as b(R) < c(S) for a reader R of F; and where h(S) is
/// b(S), that the negation, b(S) < c(F), makes S commit before F begins.
class RepairRefutation {
 public:
  RepairRefutation(const OrderProblem& problem, const Repair& repair, Derivation& derivation,
                   ProofWriter& writer)
      : p_(problem),
        repair_(repair),
        choices_(repair.choices()),
        derivation_(derivation),
        writer_(writer) {}

  void write();

 private:
  std::uint32_t write_given(const ProofEvent& event);
  std::uint32_t write_given_cycle(std::span<const SatLiteral> literals,
                                  std::span<const CycleEdge> edges);
  std::uint32_t write_between(std::span<const SatLiteral> literals);
  std::uint32_t write_unexplained(Txn reader);
  std::uint32_t write_known_list(ReadId read);
  std::uint32_t write_state(std::span<const SatLiteral> literals);
  std::uint32_t write_next(std::span<const SatLiteral> literals);
  std::uint32_t write_apart(std::span<const SatLiteral> literals);
  /// The read of the list that a state is about.
  ReadNumber part_of(const Choice& state) const;
  std::uint32_t write_cycle(const ProofEvent& event);
  /// Adds the steps from which the edge follows when its literal is true to the hints; says whether
  /// there are any, else the literal is the edge itself.
  bool add_edge_hints(const CycleEdge& edge, std::vector<std::uint32_t>& hints);
  bool add_order_hints(const CycleEdge& edge, std::vector<std::uint32_t>& hints);
  /// The step by which a writer that commits before another begins commits before it commits.
  std::uint32_t commits_before(Txn earlier, Txn later);

  void know(std::uint32_t from, std::uint32_t to);
  void know_way(std::uint32_t from, std::uint32_t to);
  std::uint32_t know_read(ReadId read);

  const Choice& choice(SatLiteral literal) const { return choices_[literal.variable()]; }
  Txn writer_of(VersionId version) const { return p_.versions[version].writer; }
  ProofLiteral meaning(SatLiteral literal) const;
  std::vector<ProofLiteral> meaning(std::span<const SatLiteral> literals) const;

  const OrderProblem& p_;
  const Repair& repair_;
  std::span<const Choice> choices_;
  Derivation& derivation_;
  ProofWriter& writer_;
  std::unordered_map<std::uint32_t, std::uint32_t> steps_;  // by id of the solver's clause
};

}  // namespace isoscope::strong
