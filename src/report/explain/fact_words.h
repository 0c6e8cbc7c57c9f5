#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "report/proof/reads.h"

namespace isoscope::report {

// The words that explanations are made of. Transactions have the numbers of certificates.

/// "T4"; "the initial state" for 0.
std::string transaction_words(const History& history, std::uint32_t transaction);

/// "T4 read x = 1"; for rows "T4 found x = {v:12} where v >= 10", "T4 did not find x where v >=
/// 10", "T4 changed x where v >= 10".
std::string read_words(const Reads& reads, ReadNumber read);
/// What a read saw, to go on with: ", which T1 wrote", ", the initial value"; where it is known
/// only that the predicate selects it, or does not: ": it saw T1's x = 1", ": it saw no x yet".
std::string seen_words(const Reads& reads, ReadNumber read, std::uint32_t writer);
/// "T1's x = 1", "T1's deletion of x"; "the initial x"
std::string version_words(const History& history, std::uint32_t writer, KeyId key);
/// What ww means: "T2's x = 2 replaced T1's x = 1". For appends it says that one came after the
/// other.
std::string overwrite_words(const History& history, std::uint32_t from, std::uint32_t to,
                            KeyId key);
/// "wrote x = 2", "inserted x = 2", "deleted x" or "appended 3 to l", for the writer's last write
/// of the key.
std::string write_words(const History& history, std::uint32_t writer, KeyId key);

/// What a literal says as a clause of a sentence: "T1 committed before T2 began", "T4 read T1's x =
/// 1", "T1 left l = [1 2]", "T5 did not commit".
std::string literal_words(const Reads& reads, Level level, const ProofLiteral& literal);

}  // namespace isoscope::report
