#pragma once

#include <string>

namespace isoscope::protocol {

/// A protocol in which one can try a statement: a state of each kind, an event of a client and one
/// of a key.
inline const std::string small_protocol = R"(enum Stage { idle, busy, done }
order ts
constant wants(key, transaction) : bool
state stage(transaction) : Stage = idle
state lock(key) : Stage = idle
state st(key, transaction) : Stage = idle
state seen(transaction, transaction) : bool = false
state rv(key, transaction) : transaction? = none
state newest(key) : transaction = initial
history ghost(transaction) : bool = false
versions log
def finished(t: transaction) = stage(t) = done
event start(c: client, t: transaction) at c begins t
  when owner(t) = c and stage(t) = idle
  then stage(t) := busy
event take(k: key, t: transaction) at k
  when stage(t) = busy and wants(k, t)
  then st(k, t) := busy
observe t: transaction { committed when finished(t) }
)";

}  // namespace isoscope::protocol
