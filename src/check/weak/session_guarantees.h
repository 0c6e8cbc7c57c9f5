#pragma once

#include <optional>

#include "check/weak/grounds.h"
#include "check/weak/known_sources.h"
#include "isoscope/base/limits.h"

namespace isoscope::weak {

/// What a session guarantee asks for. Each guarantee of the catalogue is a combination.
struct Guarantee {
  bool own_writes = false;      ///< a read misses nothing that its session wrote before
  bool own_reads = false;       ///< ... or read before
  bool writers_writes = false;  ///< ... or that the session of a seen writer wrote before
  bool writers_reads = false;   ///< ... or that a seen writer, or its session before, has read
  bool remembers = false;       ///< what the session saw in earlier transactions counts as seen
  bool session_order = false;   ///< versions of one key and session are in session order
  bool after_reads = false;     ///< a version comes after what its session has read of the key
};

/// The combination that a level is; nothing if it is none of these.
std::optional<Guarantee> guarantee_of(LevelId level);

/// Whether the sources, none of which is open, satisfy the guarantee. Each key's versions must have
/// an order of their own. `remembers` needs session_order. Cost: near linear in reads and writes;
/// with writers_writes and writers_reads, reads times sessions. If `grounds` is not null, it gets
/// what the answer rests on, which takes as long again.
///
/// Nothing if a limit was reached.
std::optional<bool> satisfies(const KnownSources& sources, const Guarantee& guarantee,
                              const Limits& limits, VersionGrounds* grounds = nullptr);

}  // namespace isoscope::weak
