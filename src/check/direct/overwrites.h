#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/direct/certain_reads.h"
#include "check/direct/known_order.h"

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

/// Who certainly overwrote what a read returned: these are the anti-dependencies that are plain to
/// see.
class Overwrites {
 public:
  /// Both must outlive the object. Cost: one pass over the sessions.
  Overwrites(const CertainReads& reads, const KnownOrder& order);

  const CertainReads& reads() const { return reads_; }
  const KnownOrder& order() const { return order_; }

  /// Of a committed transaction other than the reader and the source that writes the key.
  Newer newer(const CertainRead& read, Number other) const;
  /// Of a transaction that writes the key: is it committed, another than the reader and the source,
  /// and its version newer?
  bool is_overwritten_by(const CertainRead& read, Number other) const {
    return other != read.reader && other != read.source && reads_.is_committed(other) &&
           newer(read, other) != Newer::no;
  }

  /// The first few who overwrote what was read: those nearest to it. All of them would be a
  /// quadratic number.
  static constexpr std::size_t most_nearest = 8;
  void nearest(const CertainRead& read, std::vector<Number>& into) const;

 private:
  const CertainReads& reads_;
  const KnownOrder& order_;
  std::vector<Number> next_;  // by version: who writes the key next in the session; 0: nobody
};

}  // namespace isoscope::direct
