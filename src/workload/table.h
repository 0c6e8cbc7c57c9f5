#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "isoscope/history/history_builder.h"
#include "isoscope/workload/workload.h"
#include "workload/ask.h"

namespace isoscope {

/// What a client makes of a value that should be a number: anything else counts as 0.
inline std::int64_t integer_in(const ValuePool& values, ValueId value) {
  return values.kind(value) == ValueKind::integer ? values.integer_of(value) : 0;
}

/// A table whose keys are integers and whose rows are Row, a struct of integers, one per column:
///
///   struct District { std::int64_t next_order, sales; };
///   Table<District> districts(names, "district", {{"next", &District::next_order},
///                                                 {"sales", &District::sales}});
///   District district = districts.row_in((co_yield districts.read(3)).value);
///   district.sales += 10;
///   co_yield districts.write(3, district);
template <class Row>
class Table {
 public:
  struct ColumnOf {
    std::string_view name;
    std::int64_t Row::*member;
  };

  Table(HistoryBuilder& names, std::string_view name, std::initializer_list<ColumnOf> columns)
      : names_(names), id_(names.table(name)) {
    for (const ColumnOf& column : columns) {
      columns_.push_back({names.values().string(column.name), column.member});
    }
  }

  KeyId key(std::int64_t number) const { return names_.key(names_.values().integer(number), id_); }
  std::int64_t number_of(KeyId key) const {
    return integer_in(names_.values(), names_.key_name(key));
  }

  TableShape shape() const {
    TableShape shape{.table = id_, .holds = TableShape::Holds::rows};
    for (const Member& column : columns_) shape.columns.push_back(column.name);
    return shape;
  }

  ValueId value(const Row& row) const {
    std::array<Column, 8> cells;
    ISOSCOPE_REQUIRE(columns_.size() <= cells.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      cells[i] = {columns_[i].name, names_.values().integer(row.*columns_[i].member)};
    }
    return names_.values().row(std::span(cells).first(columns_.size()));
  }
  /// Columns that the value lacks are 0; all of them if it is no row.
  Row row_in(ValueId value) const {
    Row row{};
    if (names_.values().kind(value) != ValueKind::row) return row;
    for (const Column& cell : names_.values().row_of(value)) {
      for (const Member& column : columns_) {
        if (column.name == cell.name) row.*column.member = integer_in(names_.values(), cell.value);
      }
    }
    return row;
  }

  RowVersion initial(std::int64_t number, const Row& row) const {
    return {key(number), value(row)};
  }

  Request read(std::int64_t number) const { return ask::read(key(number)); }
  Request write(std::int64_t number, const Row& row) const {
    return ask::write(key(number), value(row));
  }
  Request insert(std::int64_t number, const Row& row) const {
    return ask::insert(key(number), value(row));
  }
  Request remove(std::int64_t number) const { return ask::remove(key(number)); }
  Request select(const Predicate& condition) const {
    return ask::select(id_, names_.predicate(condition));
  }
  /// `row` need not have all columns.
  Request update(const Predicate& condition, ValueId row) const {
    return ask::update(id_, names_.predicate(condition), row);
  }

 private:
  struct Member {
    ValueId name;
    std::int64_t Row::*member;
  };

  HistoryBuilder& names_;
  TableId id_;
  std::vector<Member> columns_;
};

}  // namespace isoscope
