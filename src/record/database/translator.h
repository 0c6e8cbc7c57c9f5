#pragma once

#include <cstdint>
#include <vector>

#include "isoscope/history/history_builder.h"

namespace isoscope::record {

/// Keys, values and predicates of one builder as those of another one, each looked up once.
class Translator {
 public:
  /// Both must outlive it.
  Translator(const HistoryBuilder& from, HistoryBuilder& to, std::vector<TableId> tables_of_from)
      : from_(from), to_(to), tables_(std::move(tables_of_from)) {}

  ValueId value(ValueId value);
  KeyId key(KeyId key);
  PredicateId predicate(PredicateId predicate);
  TableId table(TableId table) const { return tables_[table.index()]; }

 private:
  static constexpr std::uint32_t unknown = UINT32_MAX;
  static std::uint32_t& at(std::vector<std::uint32_t>& known, std::size_t index) {
    if (index >= known.size()) known.resize(index + index / 2 + 16, unknown);
    return known[index];
  }
  ValueId translate(ValueId value);

  const HistoryBuilder& from_;
  HistoryBuilder& to_;
  std::vector<TableId> tables_;  // there, by table here
  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> predicates_;
};

}  // namespace isoscope::record
