#include "check/direct/scans.h"

namespace isoscope::direct {

/// Goes through each session, and remembers for every key which transaction wrote it last there,
/// and what was read of it last.
void find_session_regressions(const Overwrites& overwrites, Collection& into) {
  if (!overwrites.order().has_sessions()) return;
  const CertainReads& reads = overwrites.reads();
  const History& history = reads.history();
  std::vector<Number> writer(history.key_count(), 0);  // by key; maybe of other sessions
  std::vector<const CertainRead*> read(history.key_count(), nullptr);
  for (const SessionId session : history.sessions()) {
    for (const TransactionId t : history.session(session)) {
      const Number reader = number_of(t);
      if (into.should_stop()) return;
      if (!reads.is_committed(reader)) continue;
      for (const CertainRead& now : reads.of(reader)) {
        const Number wrote = writer[now.key.index()];
        const CertainRead* before = read[now.key.index()];
        if (overwrites.order().in_session(wrote, reader) &&
            overwrites.is_overwritten_by(now, wrote)) {
          into.add({Anomaly::missing_your_writes,
                    {Link::known_order(wrote, reader), Link::overwritten(now, wrote)}});
        } else if (before != nullptr && before->source != 0 &&
                   overwrites.order().in_session(before->reader, reader) &&
                   overwrites.is_overwritten_by(now, before->source)) {
          into.add({Anomaly::non_monotonic_reads,
                    {Link::read_from(*before), Link::known_order(before->reader, reader),
                     Link::overwritten(now, before->source)}});
        }
        read[now.key.index()] = &now;
      }
      for (const auto& written : reads.written_by(reader)) writer[written.key.index()] = reader;
    }
  }
}

}  // namespace isoscope::direct
