#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/direct/certain_reads.h"
#include "check/direct/known_order.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::direct {

/// How one knows that a transaction's version of a key is newer than the one that was read.
enum class Newer : std::uint8_t {
  no,          ///< one does not
  initial,     ///< what was read is the initial version
  list,        ///< the list that was read does not have its appends
  read_it,     ///< it has read that version too, and then wrote the key
  in_session,  ///< it comes after the writer of that version in its session
  in_time,     ///< ... by real time
};

/// The transactions that certainly overwrote what a read returned. These are the anti-dependencies
/// that are plain to see.
class Overwrites {
 public:
  /// Both must outlive the object. Cost: one pass over the sessions.
  Overwrites(const CertainReads& reads, const KnownOrder& order);

  const CertainReads& reads() const { return reads_; }
  const KnownOrder& order() const { return order_; }

  /// `other` is a committed transaction that writes the key, and neither the reader nor the source.
  Newer newer(const CertainRead& read, Number other) const;
  /// `other` writes the key. Is it committed, neither the reader nor the source, and its version
  /// newer?
  bool is_overwritten_by(const CertainRead& read, Number other) const {
    return other != read.reader && other != read.source && reads_.is_committed(other) &&
           newer(read, other) != Newer::no;
  }

  /// The maximum number of transactions that nearest() adds: those that overwrote what was read,
  /// the nearest to it first. All of them would be a quadratic number.
  static constexpr std::size_t most_nearest = 8;
  void nearest(const CertainRead& read, std::vector<Number>& into) const;
  /// For callers that will soon ask for the reader's nearest().
  void prefetch_next(Number reader) const {
    for (const CertainRead& read : reads_.of(reader)) prefetch(&next_[read.version]);
  }

 private:
  const CertainReads& reads_;
  const KnownOrder& order_;
  std::vector<Number> next_;  // by version: the key's next writer in the session; 0: none
};

/// A reader with the transactions that overwrote what it read, the nearest of each read. Several
/// scans look at one reader, so these are found once for all of them.
class ReaderInView {
 public:
  /// `overwrites` must outlive the object.
  explicit ReaderInView(const Overwrites& overwrites) : overwrites_(overwrites) {}

  void look_at(Number reader);

  Number reader() const { return reader_; }
  std::span<const CertainRead> reads() const { return overwrites_.reads().of(reader_); }
  /// Those of the read with this place among reads().
  std::span<const Number> newer(std::size_t place) const {
    ISOSCOPE_REQUIRE(place + 1 < starts_.size());
    return std::span(newer_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }
  /// All of them, read by read. A transaction may be among those of several reads.
  std::span<const Number> newer() const { return newer_; }

 private:
  const Overwrites& overwrites_;
  Number reader_ = 0;
  std::vector<Number> newer_;
  std::vector<std::size_t> starts_;  // by place
};

}  // namespace isoscope::direct
