#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/reads/accesses.h"
#include "check/strong/problem/order_problem.h"
#include "check/strong/proof/proof_writer.h"
#include "check/strong/proof/ruled_out.h"
#include "check/weak/certain_commits.h"
#include "check/weak/forced_edges.h"
#include "check/weak/hop_search.h"
#include "check/weak/known_sources.h"

namespace isoscope::weak {

/// Writes what is known about sources, commits and versions as steps of a certificate. Each method
/// that returns a bool says whether it found the reason.
class RefutationWriter {
 public:
  /// All must outlive the object. `ruled_out` is why indeterminate transactions do not take part.
  RefutationWriter(const KnownSources& sources, const KeyAccesses& accesses, Level level,
                   const CheckOptions& options, std::span<const BadRead> ruled_out);

  /// Whether all can be shown that the sources take for granted.
  bool can_start() const;

  /// The source of the read, which is not open, becomes known.
  void know(std::uint32_t read);
  /// The reader of the read becomes known to have committed, and candidates that cannot have
  /// committed become none. Returns the number of the step that says which candidates are left.
  std::uint32_t narrow(std::uint32_t read);

  /// Says that `from` commits before `to`, by a session, real time, a read, a list or a forced
  /// edge.
  bool commit_before(Txn from, Txn to, std::span<const ForcedEdge> forced);
  /// Says that the version of the key is older, by whatever the level has.
  bool version_before(Txn from, Txn to, KeyId key);
  /// Says that the reader knew of `from`, and so it comes before the read's source.
  bool knew(Txn from, std::uint32_t read);
  /// Says that the initial state comes first.
  void initial_before(Txn t, std::optional<KeyId> key);
  /// Says that the order of commits, or of versions of the key, cannot end where it begins.
  void close_cycle(std::span<const Txn> cycle, std::optional<KeyId> key);
  /// Says that sessions and reads lead in no circle.
  bool close_circle(std::span<const Txn> cycle);

  bool before_in_session_or_time(Txn from, Txn to) const;
  /// The key is given where events are versions.
  Event event(Txn t, std::optional<KeyId> key = std::nullopt) const;
  ReadNumber read_number(std::uint32_t read);
  std::uint32_t number(Txn t) const { return t == 0 ? 0 : number_of(sources_.id(t)); }
  strong::ProofWriter& steps() { return writer_; }
  bool has_ruled_out() const { return has_ruled_out_; }

 private:
  using Kind = ProofStep::Kind;

  void know_committed(Txn t);
  void add_order(Event from, Event to);
  bool by_own_read(Txn from, Txn to);
  bool by_list(Txn from, Txn to, KeyId key);
  bool by_later_write(Txn from, Txn to, KeyId key);
  std::vector<Hop> told(std::span<const HopTaken> taken);

  const KnownSources& sources_;
  const KeyAccesses& accesses_;
  const History& history_;
  Level level_;
  std::int64_t clock_skew_;
  bool has_ruled_out_;
  const strong::OrderProblem no_problem_ = {};
  strong::ProofWriter writer_;
  strong::RuledOut ruled_out_;
  KeyNumbers key_numbers_;
  HopSearch search_;
  CertainCommits commits_;
  std::vector<std::uint8_t> is_known_;      // by read
  std::vector<std::uint8_t> is_committed_;  // by transaction: it is shown
};

/// What the readers of a level know.
KnownBy known_at(LevelId level);

}  // namespace isoscope::weak
