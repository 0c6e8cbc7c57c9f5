#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isoscope/certificate/bad_read.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// A read that the first pass can neither explain nor call bad.
struct UndecidedRead {
  enum class Why : std::uint8_t {
    /// It may have seen a write whose value or rows no client learned.
    unreported_write,
    /// The key is both appended to and written; what that makes is not defined.
    appended_and_written,
    /// Elements were appended more than once, and the search for an explanation was cut short.
    repeated_appends,
  };

  Why why = Why::unreported_write;
  OperationRef read;
  KeyId key;
  /// What the read would be if it cannot be explained.
  ReadFinding kind = ReadFinding::thin_air_read;
};

std::string_view name_of(UndecidedRead::Why why);
/// "T3's operation 2 is undecided: ..."
std::string text_of(const History& history, const UndecidedRead& undecided);

}  // namespace isoscope
