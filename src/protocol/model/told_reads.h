#pragma once

#include <vector>

#include "isoscope/protocol/model.h"

namespace isoscope::protocol {

/// What must be true in every state so that `observe` hides no reads. There is nothing to require
/// where the text alone shows it.
///
/// A part of the state that says whose version of a key a transaction read is a record of reads, if
/// `observe` looks at it. Where there is a record for a key, clients must see the committed
/// transaction read some version of that key. For example, `reads k from w when rv(k, t) = w` tells
/// all that is in rv. With `... and writes(k, t)` added, the reads that can go wrong are kept from
/// clients, and then anything can be proved. It does not matter here which version is told: a
/// second round of reads may have replaced the first.
///
/// Where `observe` looks at no record (Calvin's reads are fixed by the log before they happen), all
/// references of the state from a key and a transaction are taken for records, and what is told
/// must be what they hold.
///
/// If `observe` looks at some record, then parts of the state that it does not look at are no
/// records. They may be a timestamp, or the version before.
std::vector<Invariant> told_reads(const Model& model);

}  // namespace isoscope::protocol
