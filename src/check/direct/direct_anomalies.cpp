#include "check/direct/direct_anomalies.h"

#include <new>
#include <utility>

#include "check/direct/refutation.h"
#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

namespace isoscope::direct {

namespace {

std::vector<ProofStep> refutation_of(const SmallCycle& cycle, const Overwrites& overwrites,
                                     const KeyNumbers& keys, bool one_event) {
  ISOSCOPE_REQUIRE(cycle.size >= 2);
  Refutation refutation(overwrites, keys, one_event);
  std::vector<Link> before;
  for (const Link& link : cycle.edges()) {
    switch (link.kind) {
      case Link::Kind::read_from:
        refutation.read_from(link.read);
        before.push_back(link);
        break;
      case Link::Kind::known_order:
        refutation.known_order(link.from, link.to);
        before.push_back(link);
        break;
      case Link::Kind::overwritten:
        if (before.size() == 2) refutation.through(before[0].from, before[0].to, before[1].to);
        refutation.overwritten(link.read, link.to);
    }
  }
  if (before.empty() && !one_event) {
    refutation.conflict(cycle.links[0].from, cycle.links[0].to);
  }
  return refutation.take();
}

/// Can two transactions that overwrote what the other had read violate the level? At prefix
/// consistency both may have begun before either commits, whatever they write.
bool forbids_two_overwrites(Level level) { return level.id != LevelId::prefix_consistency; }

/// If anomalies need not be counted, the scans go on only until no further scan can find a simpler
/// one.
void find_simplest(const Overwrites& overwrites, Level level, Collection& found) {
  const auto scan = [&](std::size_t size, Anomaly simplest, std::unique_ptr<ReaderScan> one) {
    if (!found.is_full(size, simplest)) scan_readers(overwrites, std::span(&one, 1), found);
  };
  scan(2, Anomaly::fractured_read, fractured_reads(overwrites));
  const bool two_overwrites = forbids_two_overwrites(level);
  if (two_overwrites && !found.is_full(2, Anomaly::lost_update)) {
    find_lost_updates(overwrites, found);
  }
  if (!found.is_full(2, Anomaly::missing_your_writes)) find_session_regressions(overwrites, found);
  if (without_real_time(level.id)) {
    scan(2, Anomaly::g_single_item_realtime, stale_reads(overwrites));
  }
  if (two_overwrites) {
    scan(2, Anomaly::g_single_item, write_skews(overwrites, !has_one_event(level.id)));
  }
  scan(3, Anomaly::causality_violation, causality_violations(overwrites));
}

void find_all(const Overwrites& overwrites, Level level, Collection& found) {
  std::vector<std::unique_ptr<ReaderScan>> scans;
  scans.push_back(fractured_reads(overwrites));
  if (without_real_time(level.id)) scans.push_back(stale_reads(overwrites));
  // Snapshot isolation allows write skews without a common key.
  if (forbids_two_overwrites(level)) {
    scans.push_back(write_skews(overwrites, !has_one_event(level.id)));
  }
  scans.push_back(causality_violations(overwrites));
  scan_readers(overwrites, scans, found);
  if (forbids_two_overwrites(level)) find_lost_updates(overwrites, found);
  find_session_regressions(overwrites, found);
}

/// The cycles with their refutations.
std::vector<DirectAnomaly> told_by(std::span<const SmallCycle> cycles, const Overwrites& overwrites,
                                   Level level) {
  std::vector<DirectAnomaly> told;
  if (cycles.empty()) return told;
  const KeyNumbers keys(overwrites.reads().history());
  for (const SmallCycle& cycle : cycles) {
    told.push_back({cycle.kind, refutation_of(cycle, overwrites, keys, has_one_event(level.id))});
    ISOSCOPE_ENSURE(!told.back().refutation.empty());
  }
  return told;
}

void look_for_anomalies(const History& history, const KeyAccesses& accesses,
                        const CheckOptions& options, Verdict& verdict) {
  if (options.anomalies == 0 || !accesses.unreported_writes().empty()) return;
  const CertainReads reads(history, accesses);
  const KnownOrder order(history, verdict.level, options);
  const Overwrites overwrites(reads, order);
  Collection found(overwrites, options.anomalies, options.limits);
  std::vector<AnomalyCount> counts;
  if (options.count_anomalies) {
    find_all(overwrites, verdict.level, found);
    counts = found.counts();
  } else {
    find_simplest(overwrites, verdict.level, found);
  }
  std::vector<DirectAnomaly> told = told_by(found.take(), overwrites, verdict.level);
  if (told.empty()) return;
  if (!verdict.certificate) {
    const bool real_time = without_real_time(verdict.level.id).has_value();
    verdict.certificate.emplace();
    verdict.certificate->level = verdict.level;
    verdict.certificate->clock_skew = real_time ? options.clock_skew : 0;
  }
  verdict.certificate->steps = told.front().refutation;
  verdict.direct = std::move(told);
  verdict.anomalies = std::move(counts);
}

}  // namespace

void add_direct_anomalies(const History& history, const KeyAccesses& accesses,
                          const CheckOptions& options, Verdict& verdict) {
  ISOSCOPE_REQUIRE(verdict.answer == Answer::violated);
  try {
    look_for_anomalies(history, accesses, options, verdict);
  } catch (const std::bad_alloc&) {
    // The level is violated all the same, and the engine has shown why.
  }
}

Anomalies find_anomalies(const History& history, const KeyAccesses& accesses, Level level,
                         const CheckOptions& options) {
  ISOSCOPE_REQUIRE(events_of(level) == OrderEvents::commits ||
                   events_of(level) == OrderEvents::begins_and_commits);
  if (!accesses.unreported_writes().empty()) return {};
  try {
    const CertainReads reads(history, accesses);
    const KnownOrder order(history, level, options);
    const Overwrites overwrites(reads, order);
    Collection found(overwrites, 0, options.limits);
    find_all(overwrites, level, found);
    return {told_by(found.take_one_of_each(), overwrites, level), found.counts()};
  } catch (const std::bad_alloc&) {
    return {};  // the anomalies are only what makes a violation plain
  }
}

}  // namespace isoscope::direct
