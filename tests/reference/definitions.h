#pragma once

#include "reference/execution.h"
#include "reference/level_set.h"

namespace isoscope::reference {

/// The definitions of the catalogue, each written down as directly as possible: they share no
/// shortcuts, and nothing here looks at the order of the catalogue. Whether session order counts is
/// said by the execution's `so`.
///
/// Every definition forbids something. So an execution that is not at a level is not at it either
/// when reads and versions are added: searches may stop early.
class Definitions {
 public:
  explicit Definitions(const Execution& execution);

  /// Is the execution at the level? What commit orders must show is left to replay.h.
  bool satisfied(LevelId level) const;

  /// Those of the levels that the execution is at.
  LevelSet satisfied(LevelSet levels) const;

 private:
  using Read = Execution::Read;

  // Which of Terry's rules say what a read must not miss.
  struct Rules {
    bool own_writes = false;      // what its session wrote before
    bool own_reads = false;       // what its session read before
    bool writers_writes = false;  // what the session of a seen writer wrote before
    bool writers_reads = false;   // what the session of a seen writer, or the writer, read before
  };

  Relation to_writers(Relation r) const;
  bool bases_are_right_before() const;
  bool item_reads_repeat() const;
  bool writes_keep_session_order() const;
  bool writes_follow_reads_by_key() const;
  bool misses_nothing(Rules rules) const;
  bool overwrites_what_it_read() const;
  bool nothing_vanishes(bool from_item_reads_only) const;
  bool view_is_monotonic() const;
  bool readers_fit_one_by_one() const;

  const Execution& e_;
  Relation dependencies_;
  bool no_circles_;  // of dependencies
};

}  // namespace isoscope::reference
