#pragma once

#include <vector>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// What must be true of every state so that `observe` hides no reads. Nothing where the text shows
/// that it is.
///
/// A part of the state that says of a transaction and a key whose version it read is a record of
/// reads, if `observe` looks at it: of a key with a record, a committed transaction must be seen to
/// read some version. `reads k from w when rv(k, t) = w` tells all that is in rv; with
/// `... and writes(k, t)` added, the reads that can go wrong are kept from clients, and
/// anything is proved. Which version is told is not asked here: a second round of reads may have
/// replaced the first.
///
/// Where `observe` looks at no record (Calvin's reads are fixed by the log before they happen), all
/// references of the state from a key and a transaction are taken for records, and what is told
/// must be what they hold.
///
/// Not a record: what `observe` does not look at, if it looks at one. That may be a timestamp, or
/// the version before.
std::vector<Invariant> told_reads(const Model& model);

}  // namespace isoscope::protocol
