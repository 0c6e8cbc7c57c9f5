#include "check/direct/scans.h"

namespace isoscope::direct {

namespace {

// How many readers of a session ahead to prefetch.
constexpr std::size_t readers_ahead = 8;

/// What was done to a key last, maybe in other sessions. What the read says stands here too, since
/// the read itself lies far away in memory.
struct Last {
  Number writer = 0;
  Number reader = 0;
  Number source = 0;  // of what the reader read
  const CertainRead* read = nullptr;
};

}  // namespace

/// Goes through each session, and remembers for every key which transaction wrote it last there,
/// and what was read of it last.
void find_session_regressions(const Overwrites& overwrites, Collection& into) {
  if (!overwrites.order().has_sessions()) return;
  const CertainReads& reads = overwrites.reads();
  const History& history = reads.history();
  std::vector<Last> last(history.key_count());
  for (const SessionId session : history.sessions()) {
    const auto its = history.session(session);
    for (std::size_t i = 0; i < its.size(); ++i) {
      if (i + readers_ahead < its.size()) reads.prefetch_updates(number_of(its[i + readers_ahead]));
      const Number reader = number_of(its[i]);
      if (into.should_stop()) return;
      if (!reads.is_committed(reader)) continue;
      for (const CertainRead& now : reads.of(reader)) {
        Last& before = last[now.key.index()];
        if (overwrites.order().in_session(before.writer, reader) &&
            overwrites.is_overwritten_by(now, before.writer)) {
          into.add(
              {Anomaly::missing_your_writes,
               {Link::known_order(before.writer, reader), Link::overwritten(now, before.writer)}});
        } else if (before.source != 0 && before.source != now.source &&
                   overwrites.order().in_session(before.reader, reader) &&
                   overwrites.is_overwritten_by(now, before.source)) {
          into.add({Anomaly::non_monotonic_reads,
                    {Link::read_from(*before.read), Link::known_order(before.reader, reader),
                     Link::overwritten(now, before.source)}});
        }
        before.reader = reader;
        before.source = now.source;
        before.read = &now;
      }
      for (const auto& written : reads.written_by(reader)) {
        last[written.key.index()].writer = reader;
      }
    }
  }
}

}  // namespace isoscope::direct
