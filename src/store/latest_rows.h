#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isoscope/history/history_builder.h"
#include "store/versions.h"

namespace isoscope {

/// A condition on one operand that a whole predicate implies: outside of it no row is selected.
///
///   v1 between 5 and 9 and v2 = 3      {"v1", 5, 9}
struct OperandRange {
  std::string operand;
  std::int64_t low = INT64_MIN;
  std::int64_t high = INT64_MAX;
};

/// Nothing if there is none: then every row must be looked at.
std::optional<OperandRange> range_of(const Predicate& predicate);

/// Finds the rows of a table by what one of their columns holds, their key or their value, in the
/// latest committed state: an ordered set per table and operand, made when it is first asked for.
/// Transactions that read an older state add the keys that were written since.
class LatestRows {
 public:
  LatestRows(const HistoryBuilder& names, const Versions& versions)
      : names_(names), versions_(versions) {}

  /// Appends the keys of the table that are in the range.
  void add_keys(TableId table, const OperandRange& range, std::vector<KeyId>& keys);
  /// Tells that a commit is about to replace the key's latest version.
  void replace(KeyId key, ValueId old_value, ValueId new_value);

 private:
  struct Column {
    TableId table;
    std::string operand;
    std::set<std::pair<std::int64_t, KeyId>> rows = {};
  };

  Column& column(TableId table, const std::string& operand);
  std::optional<std::int64_t> number(const Column& column, KeyId key, ValueId value) const;

  const HistoryBuilder& names_;
  const Versions& versions_;
  std::vector<Column> columns_;  // few
};

}  // namespace isoscope
