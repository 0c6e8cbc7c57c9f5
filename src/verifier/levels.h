#pragma once

#include <cstdint>
#include <string_view>

#include "isoscope/base/result.h"
#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope::verifier {

/// What an execution is at a level.
enum class Shape : std::uint8_t {
  moments,       ///< begins and commits, or both at once; a read returns what is there then
  commits,       ///< an order of commits, and a source for each read
  versions,      ///< an order of each key's versions, and a source for each read
  single_reads,  ///< each read is judged by itself
  dirty,         ///< an order of commits; reads need not return versions
};

/// By which of its own reads a transaction knows a writer when it makes a read.
enum class OwnReads : std::uint8_t {
  any,
  earlier,         ///< at earlier operations
  by_then,         ///< those, and the read itself
  same_operation,  ///< at earlier operations and at the same one
};

/// On which keys an overwritten writer is known.
enum class Overwritten : std::uint8_t { any, key_read, written_before };

/// Which reads must not miss a writer that the reader knows.
enum class Looks : std::uint8_t { all, items };

/// A row of the table of docs/certificates.md ("Which writers a read must not miss"). Hops are
/// letters there: s session, r read, w overwrite, a antidependency, o earlier.
struct Rules {
  LevelId level;
  Shape shape;
  std::string_view inner = {};  ///< hops before the last one; "o" stands for at most one
  std::string_view last = {};   ///< the last hop
  std::string_view whole = {};  ///< instead of these two: all paths, with blanks between them
  OwnReads own = OwnReads::any;
  Overwritten overwritten = Overwritten::any;
  Looks looks = Looks::all;
  bool by_version = false;   ///< a read that is the first hop is of the key, and not the only hop
  bool repeats = false;      ///< item reads of one key return the same
  bool one_writer = false;   ///< writers of one key do not overlap
  bool keeps_order = false;  ///< a session's versions of a key are in session order
  bool follows = false;      ///< a version is newer than what its session has read of the key

  /// Whether hops of these kinds lead to a reader in a way that counts.
  bool counts(std::string_view path) const;
};

/// Whether the level knows an order of versions, so that an update's base is the version right
/// before its own.
inline bool asks_for_bases(const Rules& rules) {
  return rules.shape != Shape::single_reads && rules.shape != Shape::dirty;
}

/// A session guarantee that asks for no more than valid-reads without session order is that level.
const Rules& rules_of(Level level);

/// The rules for the reads of this transaction. They are the claim's, unless each transaction has
/// its own level.
const Rules& rules_of(Level claim, const History& history, TransactionId reader);
/// Whether the transaction comes after all that ended before it began.
bool keeps_real_time(Level claim, const History& history, TransactionId t);
/// An Error if the claim is about recorded levels, and a transaction that did not abort has none,
/// or one that the rule about visible writers does not decide.
Status require_levels(Level claim, const History& history);

}  // namespace isoscope::verifier
