#include <algorithm>
#include <utility>

#include "check/direct/scans.h"

namespace isoscope::direct {

namespace {

/// The keys that a transaction writes.
class WrittenKeys {
 public:
  explicit WrittenKeys(const Overwrites& overwrites)
      : overwrites_(overwrites), by_(overwrites.reads().history().key_count(), 0) {}

  void set(Number t) {
    t_ = t;
    for (const auto& written : overwrites_.reads().written_by(t)) by_[written.key.index()] = t;
  }
  /// A read of `other` that the transaction overwrote.
  const CertainRead* overwritten_read(Number other) const {
    for (const CertainRead& read : overwrites_.reads().of(other)) {
      const bool is_written = by_[read.key.index()] == t_;
      if (is_written && overwrites_.is_overwritten_by(read, t_)) return &read;
    }
    return nullptr;
  }

 private:
  const Overwrites& overwrites_;
  Number t_ = 0;
  std::vector<Number> by_;  // by key: the last transaction set that writes it
};

}  // namespace

/// Where both write one key too, one of the two overwrote the other's version: then there is one
/// anti-dependency, and snapshot isolation does not allow it either.
void find_write_skews(const Overwrites& overwrites, bool only_with_common_key, Collection& into) {
  const CertainReads& reads = overwrites.reads();
  WrittenKeys written(overwrites);
  std::vector<Number> newer;
  std::vector<Number> partners;  // of this transaction, to count each pair once
  for (Number t = 1; t <= reads.history().transaction_count(); ++t) {
    if (into.should_stop()) return;
    if (reads.written_by(t).empty()) continue;
    written.set(t);
    partners.clear();
    for (const CertainRead& read : reads.of(t)) {
      overwrites.nearest(read, newer);
      for (const Number other : newer) {
        if (std::ranges::find(partners, other) != partners.end()) continue;
        const CertainRead* back = written.overwritten_read(other);
        if (back == nullptr) continue;
        partners.push_back(other);
        // If both reads are of one version of one key, this is a lost update.
        if (back->key == read.key && back->source == read.source && !back->after_own &&
            !read.after_own) {
          continue;
        }
        // The cycle is found from the other side as well, unless this transaction is not among the
        // nearest.
        if (other < t) {
          std::vector<Number> from_there;
          overwrites.nearest(*back, from_there);
          if (std::ranges::find(from_there, t) != from_there.end()) continue;
        }
        const bool common_key = reads.write_a_common_key(t, other);
        if (only_with_common_key && !common_key) continue;
        into.add({common_key ? Anomaly::g_single_item : Anomaly::write_skew,
                  {Link::overwritten(read, other), Link::overwritten(*back, t)}});
      }
    }
  }
}

}  // namespace isoscope::direct
