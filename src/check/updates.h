#pragma once

#include <string>

#include "isoscope/history/history.h"
#include "isoscope/level/level.h"

namespace isoscope {

// What updates say besides the reads and writes that they amount to (docs/updates.md).

/// Whether the level asks that an update's base is the version right before its own, there is such
/// an update, and a read of the base and a write do not imply that at this level.
///
/// They do where a transaction must not miss what it overwrites: of two writers of a key that the
/// later one has read, the earlier one is then visible to it.
bool has_bases_to_order(const History& history, Level level);

/// Why `holds` would not say enough: what an update's client learned is not in its read. Empty if
/// there is no such update.
std::string overlooked_update(const History& history);

}  // namespace isoscope
