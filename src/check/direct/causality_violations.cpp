#include <algorithm>

#include "check/direct/scans.h"

namespace isoscope::direct {

namespace {

/// Of the writers that a transaction read from, so many are asked what they have seen.
constexpr std::size_t most_asked = 8;

}  // namespace

/// Two transactions apart: who overwrote what was read has been seen by somebody whom the reader
/// has seen.
void find_causality_violations(const Overwrites& overwrites, Collection& into) {
  const CertainReads& reads = overwrites.reads();
  std::vector<Number> newer;
  for (Number reader = 1; reader <= reads.history().transaction_count(); ++reader) {
    if (into.should_stop()) return;
    bool found = false;
    for (const CertainRead& missed : reads.of(reader)) {
      overwrites.nearest(missed, newer);
      const auto seen = reads.of(reader);
      for (std::size_t i = 0; i < seen.size() && i < most_asked && !found; ++i) {
        const Number middle = seen[i].source;
        if (middle == 0) continue;
        for (const Number other : newer) {
          if (middle == other || found) continue;
          const CertainRead* its = reads.first_from(middle, other);
          const bool follows = overwrites.order().in_session(other, middle);
          if (its == nullptr && !follows) continue;
          const Link first = follows ? Link::known_order(other, middle) : Link::read_from(*its);
          into.add({Anomaly::causality_violation,
                    {first, Link::read_from(seen[i]), Link::overwritten(missed, other)}});
          found = true;
        }
      }
      if (found) break;
    }
  }
}

}  // namespace isoscope::direct
