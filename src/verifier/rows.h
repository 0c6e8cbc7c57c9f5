#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isoscope/base/contract.h"
#include "verifier/writes.h"

namespace isoscope::verifier {

/// What predicates see of a key that holds this value: nil where there is no row; the empty list in
/// the place of all other lists, since predicates do not look inside. A value that is no version of
/// a list is seen as it is.
ValueId row_of(const History& history, KeyId key, KeyUse use, std::optional<ValueId> value);

/// Does the predicate select the row, given as predicates see it?
bool selects(const History& history, const Predicate& predicate, KeyId key, ValueId row);

/// The rows of all tables at one moment of a replay.
///
/// When a predicate first compares an operand with constants, by itself or as a part of a
/// conjunction, the table's rows are sorted by it, and kept so: a range costs the rows in it. Other
/// predicates look at every row of their table.
class Rows {
 public:
  /// No key has a row yet. The history must outlive the object.
  explicit Rows(const History& history);

  void set(KeyId key, ValueId row);
  ValueId at(KeyId key) const {
    ISOSCOPE_REQUIRE(key.index() < rows_.size());
    return rows_[key.index()];
  }

  /// Some key of the table that counts and whose row is not known, or selected by the predicate.
  std::optional<KeyId> find(TableId table, const Predicate& predicate,
                            const std::function<bool(KeyId)>& counts);

 private:
  /// Integers come before strings, and NULL after all that can be compared.
  using Scalar = std::variant<std::int64_t, std::string_view, std::monostate>;
  using Sorted = std::set<std::pair<Scalar, KeyId>>;
  struct Table {
    std::vector<KeyId> keys;
    std::set<KeyId> unknown;                    // whose row is not known
    std::map<std::string_view, Sorted> sorted;  // by operand: those that have a row
  };
  struct Range;

  Scalar operand_of(std::string_view operand, KeyId key) const;

  const History& history_;
  std::vector<ValueId> rows_;  // by key
  std::vector<Table> tables_;
};

}  // namespace isoscope::verifier
