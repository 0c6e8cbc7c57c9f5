#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"
#include "isoscope/level/anomaly.h"
#include "isoscope/report/fact_kind.h"

namespace isoscope::report {

/// One step of the story: a statement, the operations it is about, and what it rests on. Every fact
/// has a number and is told once; later sentences refer to it as "(3)".
struct ExplainedFact {
  unsigned number = 0;
  FactKind kind = FactKind::supposed;
  std::optional<TransactionId> from = {};  ///< nothing: the initial state
  std::optional<TransactionId> to = {};
  std::optional<KeyId> key = {};
  std::string text = {};
  std::vector<OperationRef> operations = {};
  std::vector<ExplainedFact> because = {};
};

/// Why there is no execution, as far as one case goes. Either `cases` has further cases, which
/// together exclude everything; or `cycle` is a cycle of facts in which each comes before the next;
/// or there is some other contradiction between `cycle`'s facts, which `contradiction` puts in a
/// sentence.
struct ExplainedCase {
  std::string supposition = {};  ///< what tells it from its siblings; empty for the whole
  std::optional<Anomaly> anomaly = {};
  /// What the cycle is by the kinds of its edges and of what these rest on: G2-item, say, where the
  /// anomaly is a write skew. With cases: what all of theirs are.
  std::optional<Anomaly> cycle_class = {};
  std::vector<ExplainedFact> cycle = {};
  std::string contradiction = {};
  std::vector<ExplainedCase> cases = {};
};

/// Why a history violates a level, in words.
struct Explanation {
  ExplainedCase whole;
  /// How many cases there are in all; those beyond the first few are not told.
  std::size_t case_count = 1;
  std::size_t told_count = 1;
  /// There are more cases than `case_count`: counting them all would have taken too long. Then
  /// `whole` has the first of them, or none.
  bool more_cases = false;
  /// Where not all cases are told: how many transactions and keys the refutation speaks of.
  std::size_t transactions_involved = 0;
  std::size_t keys_involved = 0;
  /// The levels that the history violates, with session order, in the order of the catalogue.
  std::vector<LevelId> levels_ruled_out;
  /// The operations that are spoken of, by ascending transactions.
  std::vector<OperationRef> operations;
  /// The certificate is no refutation of this history, so nothing is explained.
  bool failed = false;
};

/// Whether the refutation is told as a story: those are that say what was there at a moment of one
/// order. Elsewhere, and where an update's base has to be the version before its own, a verdict's
/// reason says in one sentence why the level is violated.
bool has_stories(const Certificate& refutation);

/// Tells the refutation of a certificate as people tell it: the shortest cycle of transactions that
/// its facts allow, each edge with the operations that make it one. Where the refutation depends on
/// choices, the cases are told, in a tree that is kept small.
///
/// Requires that the certificate answers `violated`, and is of this history. Cost: one pass over
/// the history, and for the cases some thousands of propagations of the steps at most. When a limit
/// is reached, fewer cases are told.
Explanation explain(const History& history, const Certificate& certificate,
                    const Limits& limits = Limits::none());

}  // namespace isoscope::report
