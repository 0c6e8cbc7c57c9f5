#include <algorithm>

#include "check/direct/scans.h"

namespace isoscope::direct {

namespace {

/// A transaction read from several writers. This is the maximum number of them that are asked what
/// they have seen.
constexpr std::size_t most_asked = 8;

/// What a transaction has seen through the writers that it read from.
class SeenThroughSources {
 public:
  explicit SeenThroughSources(const Overwrites& overwrites)
      : reads_(overwrites.reads()),
        order_(overwrites.order()),
        last_(reads_.history().transaction_count() + 1) {}

  void set(Number reader) {
    reader_ = reader;
    asked_ = reads_.of(reader);
    if (asked_.size() > most_asked) asked_ = asked_.first(most_asked);
    for (const CertainRead& seen : asked_) {
      if (seen.source == 0) continue;
      for (const CertainRead& before : reads_.of(seen.source)) {
        Seen& one = last_[before.source];
        if (one.by != reader) one = {reader, &seen, &before};
      }
    }
  }
  /// How `other` was seen, if it was: what comes before a writer, and what was read of that writer.
  struct Path {
    Link first;
    const CertainRead* second = nullptr;
  };
  std::optional<Path> path_from(Number other) const {
    if (const Seen& seen = last_[other]; seen.by == reader_ && seen.read->source != other) {
      return Path{Link::read_from(*seen.before), seen.read};
    }
    for (const CertainRead& seen : asked_) {
      if (seen.source == other || !order_.in_session(other, seen.source)) continue;
      return Path{Link::known_order(other, seen.source), &seen};
    }
    return std::nullopt;
  }

 private:
  struct Seen {
    Number by = 0;
    const CertainRead* read = nullptr;    // of the reader
    const CertainRead* before = nullptr;  // of the writer that it read from
  };
  const CertainReads& reads_;
  const KnownOrder& order_;
  Number reader_ = 0;
  std::span<const CertainRead> asked_;
  std::vector<Seen> last_;  // by number, of the last reader that has seen it
};

}  // namespace

/// The violations found here span two transactions: the one that overwrote what was read has been
/// seen by one that the reader has seen.
void find_causality_violations(const Overwrites& overwrites, Collection& into) {
  const CertainReads& reads = overwrites.reads();
  SeenThroughSources seen(overwrites);
  std::vector<Number> newer;
  // At most one violation is found for each reader.
  const auto look_at = [&](Number reader) {
    for (const CertainRead& missed : reads.of(reader)) {
      overwrites.nearest(missed, newer);
      for (const Number other : newer) {
        const auto path = seen.path_from(other);
        if (!path) continue;
        into.add({Anomaly::causality_violation,
                  {path->first, Link::read_from(*path->second), Link::overwritten(missed, other)}});
        return;
      }
    }
  };
  for (Number reader = 1; reader <= reads.history().transaction_count(); ++reader) {
    if (into.should_stop()) return;
    seen.set(reader);
    look_at(reader);
  }
}

}  // namespace isoscope::direct
