#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope {

/// Something in a history that is more likely a mistake of the program that recorded it than a
/// fault of the database: a reader of a report about it should look there first.
struct RecorderSlip {
  enum class Kind : std::uint8_t {
    key_in_two_types,   ///< a key "1" beside 1: keys of different types are different keys
    row_never_written,  ///< a row is read that nobody wrote and that is no initial value
    unknown_column,     ///< a predicate asks for a column that no row of its table has
  };

  Kind kind = Kind::key_in_two_types;
  std::string text = {};         ///< a sentence with one example and how many more there are
  std::vector<KeyId> keys = {};  ///< that it is about, sorted; none if it is about a table
};

/// "key-in-two-types"
std::string_view name_of(RecorderSlip::Kind kind);

/// At most one of each kind. One look at every operation and at the columns of every row; memory
/// for the keys.
std::vector<RecorderSlip> recorder_slips(const History& history);

}  // namespace isoscope
