#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "isoscope/base/result.h"
#include "isoscope/history/history.h"

namespace isoscope::format {

/// bincode, Plume's text and AWDIT's have unsigned keys and values of 64 bits, and ours are signed.
/// What is above 2^63-1 (hashes are) becomes the negative number of the same bits, and goes back
/// the same way.
inline std::int64_t signed_of(std::uint64_t number) { return std::bit_cast<std::int64_t>(number); }
inline std::uint64_t unsigned_of(std::int64_t number) {
  return std::bit_cast<std::uint64_t>(number);
}

/// Can a format hold this history that knows only reads and writes of integers, in transactions
/// that committed or aborted, with every key 0 at first and no clock? An Error that names the first
/// thing it cannot hold:
///
///   cannot write dbcop bincode: operation 2 of T7 is an append, and it has only reads and writes
Status require_integer_registers(const History& history, std::string_view format);

/// "cannot write FORMAT: WHAT"
Error cannot_write(std::string_view format, std::string_view what);

}  // namespace isoscope::format
