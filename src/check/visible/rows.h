#pragma once

#include <optional>

#include "check/weak/known_sources.h"
#include "isoscope/level/level.h"

namespace isoscope::visible {

using weak::Txn;

/// The hops of a way that makes a transaction visible, but for the last one, which leads to the
/// reader.
enum class Inner : std::uint8_t {
  none,
  causes,        ///< session order and reads-from
  dependencies,  ///< these and overwriting
  updates,       ///< these and the anti-dependencies of transactions that write
  prefix,        ///< one hop from any earlier transaction of the commit order
};

/// Which of the reader's own reads make their sources visible to a read.
enum class Sources : std::uint8_t { none, of_earlier_operations, up_to_operation, all };

/// Which of the reader's writes make earlier writers of the same key visible to a read.
enum class Overwritten : std::uint8_t { none, same_key, of_earlier_operations, all };

/// Which reads a level looks at.
enum class Looks : std::uint8_t {
  at_none,
  at_items,
  at_overwritten_items,  ///< reads of keys that the reader writes, too
  at_all,
};

/// To whom the whole commit order before the reader is visible.
enum class Everything : std::uint8_t { to_none, to_updates, to_all };

/// What a level demands of a reader: the last writer of a key that is visible to a read is the
/// read's source, or comes before it. Ways to the reader consist of any number of inner hops and
/// of one last hop.
///
///   read-atomic     a: T1 w(x) w(y) | b: T2 r(x<-T1) r(y<-initial)
///                   T1 is visible to the read of y by T2's other read, and the initial version is
///                   older: violated
struct Row {
  LevelId level;
  Looks looks = Looks::at_all;
  Inner inner = Inner::none;
  bool session = false;  ///< the reader's session leads to it
  Sources sources = Sources::none;
  Overwritten overwritten = Overwritten::none;
  Everything everything = Everything::to_none;
  /// Versions are visible instead of transactions: those that a session wrote before, and those
  /// that others have read.
  bool by_version = false;
};

/// Nothing if the level has no row: it asks for no commit order, or for more than a row says.
std::optional<Row> row_of(LevelId level);

}  // namespace isoscope::visible
