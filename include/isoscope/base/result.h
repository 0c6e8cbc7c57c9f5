#pragma once  // Part of the API: docs/api.md.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "isoscope/base/contract.h"

namespace isoscope {

/// Where in an input something is. Lines and columns count from 1; 0 means "not known" (binary
/// files have only the byte offset, which counts from 0).
struct Position {
  std::uint64_t byte = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool operator==(const Position&) const = default;
};

/// What kind of thing went wrong. Callers decide by this, never by the words of a message.
enum class ErrorKind : std::uint8_t {
  input,     ///< what was read is wrong, or cannot be read or written
  usage,     ///< what was asked for does not exist, or makes no sense
  stopped,   ///< a limit was reached first: whether the input is right is not known
  internal,  ///< parts of the program contradict each other
};

/// What is wrong with an input, and where. `what` is one line: what was expected, what was found.
/// An Error without a source is one that has no place in a file (an unknown level name, say).
struct Error {
  std::string what;
  std::string source = {};
  Position position = {};
  ErrorKind kind = ErrorKind::input;

  /// One line: "FILE:LINE:COLUMN: what", "FILE: byte N: what" or "what".
  std::string text() const;
};

/// A value, or the Error that stands for its absence. Nothing in the project throws across a
/// module.
///
///   Result<History> history = read_history(path);
///   if (!history) return history.error();
///   use(*history);
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    ISOSCOPE_REQUIRE(state_.index() == 1);
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    ISOSCOPE_REQUIRE(state_.index() == 1);
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  T& value() {
    ISOSCOPE_REQUIRE(state_.index() == 0);
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    ISOSCOPE_REQUIRE(state_.index() == 0);
    return *std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

/// A Result that carries nothing on success: `return Done{};`.
struct Done {};
using Status = Result<Done>;

}  // namespace isoscope

/// Declares `name` as the value of `expression`, or returns its Error from the enclosing function.
#define ISOSCOPE_TRY(name, expression)                           \
  auto name##_result_ = (expression);                            \
  if (!name##_result_) return std::move(name##_result_).error(); \
  auto name = *std::move(name##_result_)

/// The same where the value does not matter.
#define ISOSCOPE_TRY_STATUS(expression) \
  if (auto status_ = (expression); !status_) return std::move(status_).error()
