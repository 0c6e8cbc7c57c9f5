#pragma once

#include <string>
#include <vector>

#include "isoscope/history/predicate.h"
#include "record/sql/table_sql.h"

namespace isoscope::record {

/// A condition as text with places, and what goes there.
///
/// Predicates have SQL's three truth values, so each is its own counterpart. What a typed database
/// refuses, such as a comparison of an integer with a string, is written as what it means: unknown.
class PredicateSql {
 public:
  /// Places are numbered from `first_place` on. The texts of parameters live as long as
  /// `predicate`.
  PredicateSql(const Predicate& predicate, const TableSql& table, const HistoryBuilder& names,
               std::size_t first_place);

  const std::string& text() const { return text_; }
  const std::vector<SqlCell>& parameters() const { return parameters_; }

 private:
  void add(const Predicate& predicate);
  void add_all(const Predicate& predicate, std::string_view between, std::string_view if_none);
  void add_comparison(const Predicate& predicate, std::string_view sign);
  void add_in(const Predicate& predicate);
  void add_place(const Constant& constant);
  /// The column of an operand; empty: there is none, and it is NULL.
  std::string column_of(std::string_view operand) const;

  const TableSql& table_;
  const HistoryBuilder& names_;
  std::size_t next_place_;
  std::string text_;
  std::vector<SqlCell> parameters_;
};

}  // namespace isoscope::record
