#include "check/direct/scans.h"

namespace isoscope::direct {

void find_stale_reads(const Overwrites& overwrites, Collection& into) {
  const CertainReads& reads = overwrites.reads();
  std::vector<Number> newer;
  for (Number reader = 1; reader <= reads.history().transaction_count(); ++reader) {
    if (into.should_stop()) return;
    for (const CertainRead& read : reads.of(reader)) {
      overwrites.nearest(read, newer);
      for (const Number other : newer) {
        const KnownOrder& order = overwrites.order();
        if (!order.in_time(other, reader) || order.in_session(other, reader)) continue;
        into.add({Anomaly::g_single_item_realtime,
                  {Link::known_order(other, reader), Link::overwritten(read, other)}});
        break;
      }
    }
  }
}

}  // namespace isoscope::direct
