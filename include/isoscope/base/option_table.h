#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"

namespace isoscope {

enum class OptionType {
  flag,      ///< present or not
  text,      ///< any text
  list,      ///< names separated by commas; given again, it adds to them
  integer,   ///< a whole number in a range
  decimal,   ///< a number in a range with at most two decimals; held in hundredths
  choice,    ///< one of the words in `range`, separated by '|'
  duration,  ///< 250ms, 10s, 5m, 1h; held in nanoseconds
  size,      ///< 512K, 100M, 2G (powers of 1024); held in bytes
};

/// One option: all that help, parsing, validation and the tests need to know about it.
struct OptionSpec {
  std::string_view name;  ///< without dashes
  OptionType type = OptionType::flag;
  std::string_view default_text;  ///< as a user would type it; empty: not set
  std::string_view range;         ///< numbers: "MIN..MAX"; choice: "a|b|c"; otherwise empty
  std::string_view help;
};

/// The values of a table's options, each checked against its row. Reading an option by a name that
/// is not in the table is a broken contract.
class Options {
 public:
  /// Every option at its default. The table must outlive the object, and its defaults must be in
  /// range.
  explicit Options(std::span<const OptionSpec> table);

  std::span<const OptionSpec> table() const { return table_; }

  /// Sets an option from text, or adds to a list; an Error says what is accepted.
  Status set(std::string_view name, std::string_view text);

  bool is_set(std::string_view name) const;
  bool flag(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  /// The names of a list; none when it was not given.
  std::vector<std::string> list(std::string_view name) const;
  /// An integer, a decimal in hundredths, a duration in nanoseconds or a size in bytes.
  std::int64_t number(std::string_view name) const;

 private:
  struct Value {
    const OptionSpec* spec = nullptr;
    bool set = false;
    std::string text;
    std::int64_t number = 0;
  };

  const Value& value(std::string_view name) const;

  std::span<const OptionSpec> table_;
  std::map<std::string_view, Value> values_;
};

/// "250ms" to nanoseconds, "2G" to bytes.
Result<std::int64_t> parse_duration(std::string_view text);
Result<std::int64_t> parse_size(std::string_view text);

}  // namespace isoscope
