#pragma once  // Part of the API: docs/api.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/certificate/coverage.h"
#include "isoscope/certificate/version_assumption.h"
#include "isoscope/level/level.h"

namespace isoscope {

enum class Answer : std::uint8_t {
  holds,     ///< there is an execution at this level in which the clients see this history
  violated,  ///< there is none
  unknown,   ///< not decided; never a guess
};

std::string_view name_of(Answer answer);

/// An anomaly among two or three transactions that is plain to see.
struct DirectAnomaly {
  /// The kind that it is counted as; its story may have a more specific name.
  Anomaly kind = Anomaly::lost_update;
  /// Steps, as in a certificate, that refute the verdict's level by this anomaly.
  std::vector<ProofStep> refutation = {};
};

struct AnomalyCount {
  Anomaly kind = Anomaly::lost_update;
  std::uint64_t count = 0;
};

/// What a check found out about one history at one level, and what that rests on.
///
/// holds:    the witness is which indeterminate transactions count as committed.
/// violated: `evidence` has a read that no choice of committed transactions makes right. Where
///           that depends on an indeterminate transaction not having committed, `ruled_out` says
///           why it cannot have: an entry rests on the history and on the entries before it.
/// unknown:  `reason` is one sentence for people; `stopped` is set when a limit was reached.
struct Verdict {
  Level level;
  Answer answer = Answer::unknown;
  /// Sorted by transaction and operation.
  std::vector<BadRead> evidence = {};
  std::string reason = {};
  std::optional<StopReason> stopped = {};
  std::vector<TransactionId> counted_committed = {};  ///< indeterminate ones
  std::vector<TransactionId> counted_aborted = {};    ///< indeterminate ones
  std::vector<BadRead> ruled_out = {};                ///< why, one for each of counted_aborted
  /// If it was asked for, or is at hand: what confirms the answer. It has no digest of the
  /// history yet, because that takes time that most callers need not spend: certificate_of().
  std::optional<Certificate> certificate = {};
  /// The level whose answer settled this one (check_levels); the certificate is then of that level.
  std::optional<Level> settled_by = {};
  /// How much of the history the answer is about; nothing if there was no history to look at.
  std::optional<Coverage> coverage = {};
  std::int64_t clock_skew = 0;     ///< real-time levels: in ns, what was asked for
  bool indeterminate_cuts = true;  ///< session order: as CheckOptions has it, or the history
  /// What the answer rests on besides the history: `violated` means that no execution has such an
  /// order of versions, `holds` that one has. Nothing is assumed for a violation that needs
  /// nothing.
  std::vector<VersionAssumption> assumed = {};
  /// No order of versions at all is as assumed.
  bool has_cyclic_versions = false;
  /// What the answer leaves out or rests on. A violation leaves out nothing: whatever else was
  /// recorded, it stays one.
  std::vector<Remark> remarks = {};
  /// At strong levels, if asked for: the simplest anomalies, and how many of each kind were seen.
  /// The first anomaly is also the certificate's. There may be others that are less plain.
  std::vector<DirectAnomaly> direct = {};
  std::vector<AnomalyCount> anomalies = {};
};

/// For callers that want no answer rather than half of one. A `holds` with a gap (is_gap) becomes
/// `unknown`, with the gap as the reason. Everything else stays as it is.
Verdict strictly(Verdict verdict);

/// The certificate of a verdict about this history, with the history's digest, as
/// write_certificate() wants it. An Error if the verdict is unknown, or if there is no certificate
/// that settles its level (docs/certificates.md).
Result<Certificate> certificate_of(const Verdict& verdict, const History& history);

}  // namespace isoscope
