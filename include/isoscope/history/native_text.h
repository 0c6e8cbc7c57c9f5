#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isoscope/history/history.h"

namespace isoscope {

/// The pieces that lines of the native format are made of, for writers of whole histories and for
/// those that write each transaction as it happens. Everything is appended to one string:
///
///   NativeText text(values, line);
///   line += NativeText::start_of(OperationKind::read);  // ["r",
///   text.key("bank", name);                             // ["bank",7]
///   line += ',';
///   text.value_or_list(seen);
///   line += ']';
///
/// What the format has no place for is remembered as the problem; the text is then of no use.
class NativeText {
 public:
  /// Both must outlive it.
  NativeText(const ValuePool& values, std::string& to) : values_(values), to_(to) {}

  /// The beginning of an operation, up to and with the comma behind its first word.
  static std::string_view start_of(OperationKind kind);

  /// An integer or a string.
  void name(ValueId name);
  /// `table` is empty for the unnamed table.
  void key(std::string_view table, ValueId name);
  /// A scalar or a row.
  void value(ValueId value);
  void value_or_list(ValueId value);

  /// The first thing that could not be written.
  const std::optional<std::string>& problem() const { return problem_; }
  void set_problem(std::string what) {
    if (!problem_) problem_ = std::move(what);
  }

 private:
  const ValuePool& values_;
  std::string& to_;
  std::optional<std::string> problem_;
};

}  // namespace isoscope
