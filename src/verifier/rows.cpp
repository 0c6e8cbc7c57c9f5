#include "verifier/rows.h"

#include <algorithm>
#include <string>

namespace isoscope::verifier {

ValueId row_of(const History& history, KeyId key, KeyUse use, std::optional<ValueId> value) {
  if (use == KeyUse::both) return ValuePool::unreported;
  if (!value) return ValuePool::nil;
  if (use == KeyUse::reg) return register_value(*value);
  const ValueId list = list_value(history, key, *value);
  if (history.values().kind(list) != ValueKind::list) return list;
  return list == ValuePool::empty_list ? ValuePool::nil : ValuePool::empty_list;
}

bool selects(const History& history, const Predicate& predicate, KeyId key, ValueId row) {
  return evaluate(predicate, history.values(), history.key_name(key), row) == Truth::yes;
}

/// Where an operand must be if a predicate selects the row. Both ends are included, and not all
/// between them need be selected.
struct Rows::Range {
  std::string_view operand = {};
  Scalar least = INT64_MIN;
  Scalar most = std::monostate();

  int ends() const { return (least != Scalar(INT64_MIN) ? 1 : 0) + (most.index() != 2 ? 1 : 0); }

  void narrow(const Predicate& predicate) {
    using Kind = Predicate::Kind;
    const Kind kind = predicate.kind;
    if (kind == Kind::conjunction) {
      for (const Predicate& child : predicate.children) narrow(child);
    }
    if (predicate.operand != operand || predicate.constants.empty()) return;
    const auto scalar_of = [](const Constant& constant) {
      return std::visit([](const auto& known) { return Scalar(known); }, constant);
    };
    const bool both = kind == Kind::equal || kind == Kind::between;
    if (both || kind == Kind::greater || kind == Kind::greater_equal) {
      least = std::max(least, scalar_of(predicate.constants.front()));
    }
    if (both || kind == Kind::less || kind == Kind::less_equal) {
      most = std::min(most, scalar_of(predicate.constants.back()));
    }
  }
};

Rows::Rows(const History& history)
    : history_(history),
      rows_(history.key_count(), ValuePool::nil),
      tables_(history.table_count()) {
  for (const KeyId key : history.keys()) {
    tables_[history.key_table(key).index()].keys.push_back(key);
  }
}

void Rows::set(KeyId key, ValueId row) {
  ISOSCOPE_REQUIRE(key.index() < rows_.size());
  Table& table = tables_[history_.key_table(key).index()];
  for (auto& [operand, sorted] : table.sorted) sorted.erase({operand_of(operand, key), key});
  table.unknown.erase(key);
  rows_[key.index()] = row;
  if (row == ValuePool::nil) return;
  if (row == ValuePool::unreported) table.unknown.insert(key);
  for (auto& [operand, sorted] : table.sorted) sorted.insert({operand_of(operand, key), key});
}

Rows::Scalar Rows::operand_of(std::string_view operand, KeyId key) const {
  const ValuePool& values = history_.values();
  const ValueId value = operand_value(operand, values, history_.key_name(key), at(key));
  if (values.kind(value) == ValueKind::integer) return values.integer_of(value);
  if (values.kind(value) == ValueKind::string) return values.string_of(value);
  return std::monostate();
}

std::optional<KeyId> Rows::find(TableId table_id, const Predicate& predicate,
                                const std::function<bool(KeyId)>& counts) {
  ISOSCOPE_REQUIRE(table_id.index() < tables_.size());
  Table& table = tables_[table_id.index()];
  const auto unknown = std::ranges::find_if(table.unknown, counts);
  if (unknown != table.unknown.end()) return *unknown;
  Range best;  // of no operand: all rows are NULL there
  const auto consider = [&](const Predicate& part) {
    Range range{.operand = part.operand};
    range.narrow(predicate);
    if (range.ends() > best.ends()) best = range;
  };
  consider(predicate);
  for (const Predicate& child : predicate.children) consider(child);
  const auto [its, is_new] = table.sorted.try_emplace(best.operand);
  Sorted& sorted = its->second;
  for (std::size_t i = 0; is_new && i < table.keys.size(); ++i) {
    const KeyId key = table.keys[i];
    if (at(key) != ValuePool::nil) sorted.insert({operand_of(best.operand, key), key});
  }
  auto next = sorted.lower_bound({best.least, KeyId(0)});
  for (; next != sorted.end() && next->first <= best.most; ++next) {
    const KeyId key = next->second;
    if (selects(history_, predicate, key, at(key)) && counts(key)) return key;
  }
  return std::nullopt;
}

}  // namespace isoscope::verifier
