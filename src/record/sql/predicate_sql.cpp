#include "record/sql/predicate_sql.h"

#include <algorithm>

namespace isoscope::record {

namespace {

constexpr std::string_view unknown = "NULL = 1";

bool is_string(const Constant& constant) { return std::holds_alternative<std::string>(constant); }

}  // namespace

PredicateSql::PredicateSql(const Predicate& predicate, const TableSql& table,
                           const HistoryBuilder& names, std::size_t first_place)
    : table_(table), names_(names), next_place_(first_place) {
  add(predicate);
}

std::string PredicateSql::column_of(std::string_view operand) const {
  if (operand == Predicate::key_operand) return table_.key_column();
  if (operand == Predicate::value_operand)
    return table_.holds() == TableShape::Holds::values ? table_.quoted("v") : "";
  for (const ValueId column : table_.column_names()) {
    if (names_.values().string_of(column) == operand) return table_.quoted(operand);
  }
  return "";
}

void PredicateSql::add_place(const Constant& constant) {
  text_ += table_.place(next_place_++);
  const auto* integer = std::get_if<std::int64_t>(&constant);
  parameters_.push_back(integer != nullptr ? SqlCell::of(*integer) : SqlCell{});
}

void PredicateSql::add_comparison(const Predicate& predicate, std::string_view sign) {
  const std::string column = column_of(predicate.operand);
  // All columns hold integers.
  if (column.empty() || is_string(predicate.constants[0])) {
    text_ += unknown;
    return;
  }
  text_ += column + std::string(sign);
  add_place(predicate.constants[0]);
}

void PredicateSql::add_in(const Predicate& predicate) {
  const std::string column = column_of(predicate.operand);
  const bool has_integers = std::ranges::any_of(
      predicate.constants, [](const Constant& constant) { return !is_string(constant); });
  const bool has_strings = std::ranges::any_of(predicate.constants, is_string);
  if (predicate.constants.empty()) {
    text_ += "1 = 0";
  } else if (column.empty() || !has_integers) {
    text_ += unknown;
  } else {
    text_ += column + " IN (";
    for (const Constant& constant : predicate.constants) {
      if (is_string(constant)) continue;
      if (text_.back() != '(') text_ += ", ";
      add_place(constant);
    }
    text_ += has_strings ? ", NULL)" : ")";
  }
}

void PredicateSql::add_all(const Predicate& predicate, std::string_view between,
                           std::string_view if_none) {
  if (predicate.children.empty()) text_ += if_none;
  for (std::size_t i = 0; i < predicate.children.size(); ++i) {
    text_ += i == 0 ? "(" : std::string(between) + "(";
    add(predicate.children[i]);
    text_ += ")";
  }
}

void PredicateSql::add(const Predicate& predicate) {
  using enum Predicate::Kind;
  switch (predicate.kind) {
    case always:
      text_ += "1 = 1";
      break;
    case equal:
      add_comparison(predicate, " = ");
      break;
    case not_equal:
      add_comparison(predicate, " <> ");
      break;
    case less:
      add_comparison(predicate, " < ");
      break;
    case less_equal:
      add_comparison(predicate, " <= ");
      break;
    case greater:
      add_comparison(predicate, " > ");
      break;
    case greater_equal:
      add_comparison(predicate, " >= ");
      break;
    case between:
      // In halves, either of which may be unknown.
      text_ += "(";
      add_comparison({greater_equal, predicate.operand, {predicate.constants[0]}, {}}, " >= ");
      text_ += ") AND (";
      add_comparison({less_equal, predicate.operand, {predicate.constants[1]}, {}}, " <= ");
      text_ += ")";
      break;
    case in:
      add_in(predicate);
      break;
    case is_null: {
      const std::string column = column_of(predicate.operand);
      text_ += column.empty() ? "1 = 1" : column + " IS NULL";
      break;
    }
    case prefix:
      text_ += unknown;  // of integers
      break;
    case modulo: {
      const std::string column = column_of(predicate.operand);
      if (column.empty()) {
        text_ += unknown;
        break;
      }
      // The remainder of SQL has the sign of the dividend, ours is never negative.
      const std::string by = std::to_string(std::get<std::int64_t>(predicate.constants[0]));
      text_ += "((" + column + " % " + by + ") + " + by + ") % " + by + " = ";
      add_place(predicate.constants[1]);
      break;
    }
    case conjunction:
      add_all(predicate, " AND ", "1 = 1");
      break;
    case disjunction:
      add_all(predicate, " OR ", "1 = 0");
      break;
    case negation:
      text_ += "NOT (";
      add(predicate.children[0]);
      text_ += ")";
      break;
  }
}

}  // namespace isoscope::record
