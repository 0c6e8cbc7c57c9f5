#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope::format {

/// What the reads and writes of a large native file have in common when all that differs is r or w
/// and the integers: the texts between these.
///
///   ["w",["t",17],{"a":1,"b":-4}]     ["w",  ["t",  #  ],{"a":  #  ,"b":  #  }]
///   ["r",["t",17],5]                  ["r",  ["t",  #  ],  #  ]
///
/// The key is an integer, in a table or not, and the value an integer or a row of at most
/// max_columns integers, as programs print them, without a space. Comparing an operation with the
/// shape of one before, instead of taking it apart piece by piece through the JSON reader, makes
/// reading rows several times as fast. What has no shape is not wrong: the JSON reader decides.
class OperationShape {
 public:
  static constexpr std::size_t max_columns = 15;
  static constexpr std::size_t max_integers = max_columns + 1;

  /// The shape of the operation at the front of `text`, if it has one.
  static std::optional<OperationShape> of(std::string_view text);

  /// The length of the operation at the front of `text`, when it has this shape; otherwise 0. Its
  /// integers, the key first, are put into `integers`, which has room for integer_count(). Less
  /// than max_length() of text is never enough.
  std::size_t match(std::string_view text, std::int64_t* integers) const;

  std::size_t integer_count() const { return pieces_.size() - 1; }
  std::size_t max_length() const { return max_length_; }
  /// The key's table; empty when it is in none.
  const std::string& table() const { return table_; }
  /// The value's columns, distinct, in the order of their integers; none when it is just an
  /// integer.
  const std::vector<std::string>& columns() const { return columns_; }

 private:
  std::vector<std::string> pieces_;  // around the integers, without ["r", or ["w", at the front
  std::string table_;
  std::vector<std::string> columns_;
  std::size_t max_length_ = 0;
};

}  // namespace isoscope::format
