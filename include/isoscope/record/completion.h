#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isoscope::record {

/// Why a database did not do what it was asked for.
enum class Trouble : std::uint8_t {
  none,
  serialization,  ///< it would break the isolation level: PostgreSQL 40001, MariaDB 1020
  deadlock,       ///< PostgreSQL 40P01, MariaDB 1213
  lock_timeout,   ///< a lock was not to be had in time: MariaDB 1205, SQLITE_BUSY
  constraint,     ///< a row that was inserted is there already: PostgreSQL 23505
  refused,        ///< for any other reason: a table that is gone, a full disk
  disconnected,   ///< the connection is gone, or cannot be used any more
};

inline constexpr std::size_t trouble_count = static_cast<std::size_t>(Trouble::disconnected) + 1;

/// "serialization failure", "deadlock" ...
std::string_view name_of(Trouble trouble);

/// How a step went: a statement, a BEGIN, a COMMIT.
///
/// Any trouble before COMMIT was sent means that the transaction certainly takes no effect, since
/// the recorder rolls it back or the connection is gone. Of a COMMIT the driver must say whether
/// that is certain. An error that the database sent in place of its yes is mostly certain
/// (PostgreSQL 40001); an answer that never came, and an error that the documentation does not
/// call a rollback, are not.
struct Completion {
  Trouble trouble = Trouble::none;
  bool is_certain = true;    ///< with trouble at COMMIT: the transaction took no effect
  std::string message = {};  ///< with trouble: one line, the database's code first if it has one

  explicit operator bool() const { return trouble == Trouble::none; }

  static Completion certainly(Trouble trouble, std::string message) {
    return {trouble, true, std::move(message)};
  }
  /// For a COMMIT whose outcome nobody knows.
  static Completion perhaps(Trouble trouble, std::string message) {
    return {trouble, false, std::move(message)};
  }
};

}  // namespace isoscope::record
