#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "isoscope/certificate/bad_read.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/history/history.h"

namespace isoscope::report {

// The words that explanations are made of. Transactions have the numbers of certificates.

/// "T4"; "the initial state" for 0.
std::string transaction_words(const History& history, std::uint32_t transaction);

Operation operation_of(const History& history, ReadNumber read);
KeyId key_of(const History& history, ReadNumber read);
OperationRef ref_of(ReadNumber read);

/// "T4 read x = 1"
std::string read_words(const History& history, ReadNumber read);
/// "T1's x = 1"; "the initial x"
std::string version_words(const History& history, std::uint32_t writer, KeyId key);
/// "wrote x = 2", "deleted x", "appended 3 to l"; of the last write of the key.
std::string write_words(const History& history, std::uint32_t writer, KeyId key);
/// The last write of the key, if there is one.
std::optional<OperationRef> final_write(const History& history, std::uint32_t writer, KeyId key);
/// Does it read or write a list there?
bool is_append(const History& history, const OperationRef& at);
/// The first key that both write; they must have one.
std::optional<KeyId> common_key(const History& history, std::uint32_t a, std::uint32_t b);

/// What a literal says as a clause of a sentence: "T1 committed before T2 began", "T4 read T1's x =
/// 1", "T5 did not commit".
std::string literal_words(const History& history, Level level, const ProofLiteral& literal);

/// "a", "a and b", "a, b and c"
std::string enumeration(std::span<const std::string> parts);

}  // namespace isoscope::report
