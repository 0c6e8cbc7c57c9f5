#include "record/sql/table_sql.h"

#include "isoscope/base/contract.h"

namespace isoscope::record {

TableSql::TableSql(const TableShape& shape, const HistoryBuilder& names, const SqlDialect& dialect)
    : dialect_(dialect), holds_(shape.holds), names_of_columns_(shape.columns) {
  // Nothing that was not made by this program has such a name: the tables are made anew each time.
  table_ = quoted(shape.name.empty() ? "isoscope" : "isoscope_" + shape.name);
  for (const ValueId column : shape.columns) {
    const std::string_view name = names.values().string_of(column);
    ISOSCOPE_REQUIRE(name != "k");
    columns_.push_back(quoted(name));
  }
  if (holds_ != TableShape::Holds::rows) columns_.push_back(quoted("v"));
}

std::string TableSql::quoted(std::string_view name) const {
  std::string text(1, dialect_.quote);
  for (const char c : name) {
    if (c == dialect_.quote) text += c;
    text += c;
  }
  return text + dialect_.quote;
}

std::string TableSql::place(std::size_t number) const {
  return dialect_.numbered_parameters ? "$" + std::to_string(number) : "?";
}

std::string TableSql::columns_after_key() const {
  std::string text;
  for (const std::string& column : columns_) text += ", " + column;
  return text;
}

std::string TableSql::drop() const { return "DROP TABLE IF EXISTS " + table_; }

std::string TableSql::create() const {
  const std::string_view type =
      holds_ == TableShape::Holds::lists ? dialect_.list : dialect_.integer;
  std::string text = "CREATE TABLE " + table_ + " (" + key_column() + " " +
                     std::string(dialect_.integer) + " PRIMARY KEY";
  for (const std::string& column : columns_) text += ", " + column + " " + std::string(type);
  return text + ")" + std::string(dialect_.table_options);
}

std::string TableSql::insert_into() const {
  return "INSERT INTO " + table_ + " (" + key_column() + columns_after_key() + ") VALUES ";
}

std::string TableSql::insert() const {
  std::string text = insert_into() + "(" + place(1);
  for (std::size_t i = 0; i < columns_.size(); ++i) text += ", " + place(i + 2);
  return text + ")";
}

std::string TableSql::read() const {
  return "SELECT " + columns_after_key().substr(2) + " FROM " + table_ + " WHERE " + key_column() +
         " = " + place(1);
}

std::string TableSql::write() const {
  const bool on_conflict = dialect_.upsert == SqlDialect::Upsert::on_conflict;
  std::string text = insert() + (on_conflict ? " ON CONFLICT (" + key_column() + ") DO UPDATE SET "
                                             : std::string(" ON DUPLICATE KEY UPDATE "));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i != 0) text += ", ";
    text += columns_[i] + " = " +
            (on_conflict ? "excluded." + columns_[i] : "VALUES(" + columns_[i] + ")");
  }
  return text;
}

std::string TableSql::append() const {
  const bool on_conflict = dialect_.upsert == SqlDialect::Upsert::on_conflict;
  const std::string& list = columns_.front();
  const std::string old = table_ + "." + list;
  const std::string added = on_conflict ? "excluded." + list : "VALUES(" + list + ")";
  const std::string joined = dialect_.concatenates_by_bars
                                 ? old + " || ',' || " + added
                                 : "CONCAT(" + old + ", ',', " + added + ")";
  return insert() +
         (on_conflict ? " ON CONFLICT (" + key_column() + ") DO UPDATE SET "
                      : std::string(" ON DUPLICATE KEY UPDATE ")) +
         list + " = " + joined;
}

std::string TableSql::remove() const {
  return "DELETE FROM " + table_ + " WHERE " + key_column() + " = " + place(1);
}

std::string TableSql::select(std::string_view condition, bool locks) const {
  return "SELECT " + key_column() + columns_after_key() + " FROM " + table_ + " WHERE " +
         std::string(condition) + (locks ? " FOR UPDATE" : "");
}

std::string TableSql::update(std::span<const std::size_t> ranks, std::string_view condition,
                             bool returns) const {
  std::string text = "UPDATE " + table_ + " SET ";
  for (std::size_t i = 0; i < ranks.size(); ++i)
    text += (i == 0 ? "" : ", ") + columns_[ranks[i]] + " = " + place(i + 1);
  text += " WHERE " + std::string(condition);
  if (returns) text += " RETURNING " + key_column() + columns_after_key();
  return text;
}

std::string TableSql::remove_where(std::string_view condition, bool returns) const {
  std::string text = "DELETE FROM " + table_ + " WHERE " + std::string(condition);
  if (returns) text += " RETURNING " + key_column();
  return text;
}

}  // namespace isoscope::record
