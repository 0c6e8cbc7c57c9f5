#pragma once

#include "isoscope/history/history.h"
#include "reference/reference_checker.h"

namespace isoscope::reference {

/// Whether each transaction got what the level promises that it is recorded with: there is one
/// commit order that contains session order and reads-from, and each read is as the axiom of its
/// reader's level demands (Bouajjani, Enea, Roman-Calvo, CAV 2025). Levels of real time demand that
/// their transactions come after what had ended before.
///
/// Tries every order of all transactions and, for each read, every version that it accepts.
///
/// Requires that every transaction that did not abort has a level with a commit order, which is
/// neither update-serializable nor strong-snapshot-isolation. (The session guarantees know no
/// commit order, and what update-serializable demands of a reader depends on what other
/// transactions read.)
///
/// Cost: n! times the product of all choices at worst.
bool satisfies_recorded(const History& history, bool session_order, const Options& options = {});

}  // namespace isoscope::reference
