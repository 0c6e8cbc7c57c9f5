#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isoscope/record/completion.h"
#include "isoscope/record/connection_string.h"

// What the driver of an SQL database has to provide, and all that it sees of Isoscope. A driver is
// a shared object of its own, loaded when a database of its scheme is named (plug_in.h). It is
// compiled with these headers and linked with the database's client library, and with nothing of
// ours. So it knows no requests, histories or workloads: what is asked in which SQL is decided in
// src/record/sql/, from the dialect that the driver describes.
//
// Rules for drivers. One client is used by one thread at a time; several clients at once. No
// exception leaves a driver, and it prints nothing. Every result is read to its end before a call
// returns: an error may come after the rows, and what is left unread meets the next statement. A
// message has no password in it.

namespace isoscope::record {

/// A value that goes to the database or comes from it.
struct SqlCell {
  enum class Kind : std::uint8_t { null, integer, text };

  Kind kind = Kind::null;
  std::int64_t integer = 0;
  std::string_view text = {};

  static SqlCell of(std::int64_t integer) { return {Kind::integer, integer, {}}; }
  static SqlCell of(std::string_view text) { return {Kind::text, 0, text}; }
};

/// The rows that a statement returned. A client fills it:
///
///   rows.start(3); for each row: rows.add_integer(7); rows.add_text("x"); rows.add_null();
class SqlRows {
 public:
  /// Forgets everything; the rows that follow have this many columns.
  void start(std::size_t columns) {
    columns_ = columns;
    cells_.clear();
    text_.clear();
    matched = 0;
  }
  void add_null() { cells_.push_back({SqlCell::Kind::null, 0, 0}); }
  void add_integer(std::int64_t value) { cells_.push_back({SqlCell::Kind::integer, value, 0}); }
  void add_text(std::string_view text) {
    cells_.push_back({SqlCell::Kind::text, static_cast<std::int64_t>(text_.size()), text.size()});
    text_.append(text);
  }

  std::size_t size() const { return columns_ == 0 ? 0 : cells_.size() / columns_; }
  std::size_t columns() const { return columns_; }
  /// Its text is good until the next change.
  SqlCell at(std::size_t row, std::size_t column) const {
    const Stored& cell = cells_[row * columns_ + column];
    if (cell.kind != SqlCell::Kind::text) return {cell.kind, cell.number, {}};
    const auto start = static_cast<std::size_t>(cell.number);
    return SqlCell::of(std::string_view(text_).substr(start, cell.size));
  }

  /// What an INSERT, UPDATE or DELETE chose by its condition, also rows that already held what was
  /// written.
  std::uint64_t matched = 0;

 private:
  struct Stored {
    SqlCell::Kind kind;
    std::int64_t number;  // an integer; of a text, where it starts in text_
    std::size_t size;
  };

  std::size_t columns_ = 0;
  std::vector<Stored> cells_;
  std::string text_;
};

/// A statement that is sent again and again. Equal numbers mean equal texts for as long as the
/// client lives, and numbers are given out from 0 on, so that a client can keep what it has
/// prepared in a vector.
struct SqlStatement {
  std::uint32_t number = 0;
  std::string text;
};

/// What differs from one database's SQL to the next.
struct SqlDialect {
  bool numbered_parameters = false;     ///< $1, $2, ...; else ? each time
  char quote = '"';                     ///< around names of tables and columns
  std::string_view integer = "BIGINT";  ///< type of keys and of columns
  std::string_view list = "TEXT";       ///< type of a list: its elements with commas
  std::string_view table_options = "";  ///< behind CREATE TABLE (...), as " ENGINE=InnoDB"
  /// How a row is written whether it is there or not.
  enum class Upsert : std::uint8_t {
    on_conflict,       ///< INSERT ... ON CONFLICT (k) DO UPDATE SET v = excluded.v
    on_duplicate_key,  ///< INSERT ... ON DUPLICATE KEY UPDATE v = VALUES(v)
  } upsert = Upsert::on_conflict;
  /// UPDATE and DELETE can say which rows they chose. Where they cannot, these rows are first read
  /// with SELECT ... FOR UPDATE in the same transaction, and then changed by their keys.
  bool returning = true;
  /// Texts are joined by ||; else by CONCAT().
  bool concatenates_by_bars = true;
  /// Rows in one INSERT of the set-up, at most.
  std::size_t rows_per_insert = 100;
};

/// An isolation level that the database offers.
struct SqlLevel {
  std::string_view name;     ///< as its users call it and --isolation takes it: "repeatable-read"
  std::string_view summary;  ///< one line for people: what it takes to get it, what it is
};

/// What the header of a history says of where it comes from.
struct SqlDescription {
  std::string server;  ///< "PostgreSQL 15.18 (Debian 15.18-1.pgdg120+1)"
  std::string driver;  ///< "libpq 15.20"
  /// What the level promises, as a name of Isoscope's catalogue: "snapshot-isolation" for
  /// PostgreSQL's repeatable read. It may depend on settings. Empty: nobody says.
  std::string promise;
  /// Those that the answers depend on: {"synchronous_commit", "on"}.
  std::vector<std::pair<std::string, std::string>> settings;
};

/// One connection, which runs its transactions at one isolation level.
///
///   begin(); execute(...); execute(...); commit();      or rollback() at any place after begin()
class SqlClient {
 public:
  virtual ~SqlClient() = default;

  virtual SqlDescription describe() = 0;
  /// Outside of a transaction, without parameters or rows: DDL, settings. Prepares nothing.
  virtual Completion run(std::string_view sql) = 0;

  /// It may keep BEGIN back and send it together with the first statement.
  virtual Completion begin() = 0;
  /// With as many parameters as the text has places. After trouble the caller rolls back.
  virtual Completion execute(const SqlStatement& statement, std::span<const SqlCell> parameters,
                             SqlRows& rows) = 0;
  /// Without trouble: the database said that the transaction is committed. (PostgreSQL answers the
  /// COMMIT of a failed transaction with the tag ROLLBACK: that is trouble, and certain.)
  virtual Completion commit() = 0;
  /// Ends the transaction, also one that the database has ended already. Trouble: the connection
  /// cannot be used any more.
  virtual Completion rollback() = 0;
};

/// The driver of one SQL database.
class SqlDriver {
 public:
  virtual ~SqlDriver() = default;

  virtual SqlDialect dialect() const = 0;
  /// What the database that is meant offers, strongest last; never none.
  virtual std::span<const SqlLevel> levels(const ConnectionString& database) const = 0;
  /// The level that is used if none is asked for, as an index of levels(): the database's own
  /// default.
  virtual std::size_t usual_level(const ConnectionString& database) const = 0;
  /// Called before the first connection: a parameter that is not known, say. One line; empty: all
  /// is well.
  virtual std::string problem_with(const ConnectionString& /*database*/) const { return {}; }
  /// A new connection whose transactions run at levels()[level].
  virtual Completion connect(const ConnectionString& database, std::size_t level,
                             std::unique_ptr<SqlClient>& client) = 0;
};

}  // namespace isoscope::record
