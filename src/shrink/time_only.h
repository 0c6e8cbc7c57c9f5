#pragma once

#include "isoscope/check/check.h"
#include "shrink/part_history.h"

namespace isoscope::shrinking {

/// Does the level make every read see what ended before its transaction began? Then sources may be
/// left out that SourceTimes rules out.
bool sees_all_before(Level level);

/// A part of which some reads have lost sources that real time rules out. What it says about the
/// two levels of SourceTimes is true of the whole; is that all it says?
///
/// Yes, if it is serializable, and either at strong read committed, too, or the whole violates that
/// if the part does. (Every other level is implied by one of these two; a test makes sure.) The
/// latter is so if each transaction with such a read reads nothing else, and some source of it that
/// stays ended before it began: let the whole be at strong read committed (or at a level between
/// that and strong read uncommitted) by some order and some sources. In the part, let the read be
/// from that other source. The order has them one after the other anyway, so it contains
/// reads-from; and what the level asks for besides is about two reads of one transaction.
class TimeOnly {
 public:
  /// `plain` does not know of times. All must outlive the object.
  TimeOnly(const PartMaker& plain, const SourceTimes& times) : plain_(plain), times_(times) {}

  /// Has no read lost a source?
  bool is_plain(const Part& part) const { return plain_.sound(part) == part; }
  bool holds(const Part& part, const History& made, const CheckOptions& options) const;

 private:
  bool other_sources_fit(const Part& part) const;
  bool has_source_before(const Part& part, TransactionId t, std::uint32_t place) const;

  const PartMaker& plain_;
  const SourceTimes& times_;
};

}  // namespace isoscope::shrinking
