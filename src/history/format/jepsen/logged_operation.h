#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "history/format/jepsen/term.h"
#include "isoscope/base/result.h"
#include "isoscope/history/value.h"

namespace isoscope::format {

/// How messages about a log speak: names as its notation spells them, and the place of a term.
/// Errors have only the byte as their position (locate.h finds the line).
class LogWords {
 public:
  LogWords(Notation notation, std::string source_name)
      : notation_(notation), source_name_(std::move(source_name)) {}

  /// A keyword in EDN, a string in JSON.
  bool is_name(Term term) const {
    return term.is(notation_ == Notation::edn ? TermKind::keyword : TermKind::string);
  }
  Error error(std::uint64_t offset, std::string what) const {
    return Error{std::move(what), source_name_, Position{offset, 0, 0}};
  }
  Error expected(std::string_view expected, Term found) const {
    return error(found.offset(),
                 "expected " + std::string(expected) + ", found " + describe(found, notation_));
  }
  std::string spell(std::string_view name) const { return spelled(name, notation_); }
  /// Nil, an integer, a string or a keyword as a value; nothing if it is none of these. A string
  /// that looks like a keyword is an error.
  Result<std::optional<ValueId>> scalar(Term term, ValuePool& values) const;

 protected:
  Notation notation_;
  std::string source_name_;
};

enum class LogType : std::uint8_t { invoke, ok, fail, info };

/// "invoke", "ok", ...
std::string_view name_of(LogType type);

/// One operation of a Jepsen log: its members that matter. Those that are nil are not there.
struct LoggedOperation {
  explicit LoggedOperation(std::uint64_t at) : offset(at) {}

  std::uint64_t offset;
  LogType type = LogType::invoke;
  std::optional<std::int64_t> process;
  std::optional<std::int64_t> time;
  std::uint64_t time_offset = 0;
  std::optional<std::int64_t> index;  // never negative
  std::optional<Term> name;           // ours, instead of the index
  std::optional<Term> session;        // ours, instead of the process
  std::optional<Term> f;
  std::optional<Term> value;
  /// False for the nemesis and its like, of which nothing else was looked at.
  bool is_client = true;
};

/// The operation that a form of the log is.
Result<LoggedOperation> read_logged_operation(Term form, const LogWords& words);

}  // namespace isoscope::format
