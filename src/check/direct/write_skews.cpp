#include <algorithm>
#include <utility>

#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

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
    ISOSCOPE_REQUIRE(t_ != 0 && other != t_);
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

/// Where both write one key too, one of the two overwrote the other's version: then there is one
/// anti-dependency, and snapshot isolation does not allow it either.
class WriteSkews final : public ReaderScan {
 public:
  WriteSkews(const Overwrites& overwrites, bool only_with_common_key)
      : overwrites_(overwrites),
        only_with_common_key_(only_with_common_key),
        written_(overwrites),
        looked_at_(overwrites.reads().history().transaction_count() + 1, 0) {}

  void look_at(const ReaderInView& view, Collection& into) override {
    const Number t = view.reader();
    if (view.newer().empty() || overwrites_.reads().written_by(t).empty()) return;
    written_.set(t);
    for (std::size_t i = 0; i < view.reads().size(); ++i) {
      for (const Number other : view.newer(i)) look_at(t, view.reads()[i], other, into);
    }
  }

 private:
  /// `other` overwrote what `t` read. Did `t` overwrite something that `other` read?
  void look_at(Number t, const CertainRead& read, Number other, Collection& into) {
    // A reader of many hot rows meets the same writers at each of them.
    if (std::exchange(looked_at_[other], t) == t) return;
    const CertainRead* back = written_.overwritten_read(other);
    if (back == nullptr) return;
    // If both reads are of one version of one key, this is a lost update.
    if (back->key == read.key && back->source == read.source && !back->after_own &&
        !read.after_own) {
      return;
    }
    // The cycle is found from the other side as well, unless this transaction is not among the
    // nearest.
    if (other < t) {
      std::vector<Number> from_there;
      overwrites_.nearest(*back, from_there);
      if (std::ranges::find(from_there, t) != from_there.end()) return;
    }
    const bool common_key = overwrites_.reads().write_a_common_key(t, other);
    if (only_with_common_key_ && !common_key) return;
    into.add({common_key ? Anomaly::g_single_item : Anomaly::write_skew,
              {Link::overwritten(read, other), Link::overwritten(*back, t)}});
  }

  const Overwrites& overwrites_;
  bool only_with_common_key_;
  WrittenKeys written_;
  std::vector<Number> looked_at_;  // by transaction: for which reader, to count each pair once
};

}  // namespace

std::unique_ptr<ReaderScan> write_skews(const Overwrites& overwrites, bool only_with_common_key) {
  return std::make_unique<WriteSkews>(overwrites, only_with_common_key);
}

}  // namespace isoscope::direct
