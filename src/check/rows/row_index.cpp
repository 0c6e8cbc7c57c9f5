#include "check/rows/row_index.h"

#include <algorithm>
#include <compare>

#include "isoscope/base/contract.h"

namespace isoscope {

namespace {

using Kind = Predicate::Kind;

/// Integers come before strings, each kind in SQL's order. It is only asked about these two kinds.
std::strong_ordering order(const ValuePool& values, ValueId left, const Constant& right) {
  const auto* integer = std::get_if<std::int64_t>(&right);
  const bool left_is_integer = values.kind(left) == ValueKind::integer;
  if (left_is_integer && integer != nullptr) return values.integer_of(left) <=> *integer;
  if (left_is_integer) return std::strong_ordering::less;
  if (integer != nullptr) return std::strong_ordering::greater;
  return values.string_of(left).compare(std::get<std::string>(right)) <=> 0;
}

bool before(const ValuePool& values, ValueId left, ValueId right) {
  const bool left_is_integer = values.kind(left) == ValueKind::integer;
  const bool right_is_integer = values.kind(right) == ValueKind::integer;
  if (left_is_integer != right_is_integer) return left_is_integer;
  if (left_is_integer) return values.integer_of(left) < values.integer_of(right);
  return values.string_of(left) < values.string_of(right);
}

bool is_null(const Constant& constant) { return std::holds_alternative<std::monostate>(constant); }

}  // namespace

bool RowIndex::selects(const Predicate& predicate, const Row& row) const {
  return evaluate(predicate, history_.values(), history_.key_name(row.key), row.value) ==
         Truth::yes;
}

const RowIndex::Sorted& RowIndex::sorted_by(const std::string& operand, std::uint64_t& work) {
  const auto [found, is_new] = sorted_.try_emplace(operand);
  Sorted& sorted = found->second;
  if (!is_new) return sorted;
  work += rows_.size();
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    // What compares with NULL is never selected.
    const ValueId value =
        operand_value(operand, history_.values(), history_.key_name(rows_[i].key), rows_[i].value);
    if (value != ValuePool::nil) sorted.push_back({value, i});
  }
  std::ranges::stable_sort(sorted, [&](const Entry& a, const Entry& b) {
    return before(history_.values(), a.operand, b.operand);
  });
  return sorted;
}

std::optional<RowIndex::Ranges> RowIndex::narrowed(const Predicate& predicate,
                                                   std::uint64_t& work) {
  switch (predicate.kind) {
    case Kind::conjunction: {
      std::optional<Ranges> best;
      for (const Predicate& child : predicate.children) {
        std::optional<Ranges> some = narrowed(child, work);
        if (some && (!best || some->size < best->size)) best = std::move(some);
      }
      return best;
    }
    case Kind::in: {
      const Sorted& sorted = sorted_by(predicate.operand, work);
      Ranges all;
      all.of = &sorted;
      for (const Constant& constant : predicate.constants) {
        ++work;
        const Range range =
            matching({Kind::equal, predicate.operand, {constant}, /*children=*/{}}, sorted);
        const bool again = std::ranges::any_of(
            all.ranges, [&](const Range& known) { return known.data() == range.data(); });
        if (range.empty() || again) continue;
        all.ranges.push_back(range);
        all.size += range.size();
      }
      return all;
    }
    case Kind::equal:
    case Kind::less:
    case Kind::less_equal:
    case Kind::greater:
    case Kind::greater_equal:
    case Kind::between:
    case Kind::prefix: {
      ++work;
      const Sorted& sorted = sorted_by(predicate.operand, work);
      const Range range = matching(predicate, sorted);
      return Ranges{&sorted, {range}, range.size()};
    }
    default:
      return std::nullopt;
  }
}

RowIndex::Range RowIndex::matching(const Predicate& comparison,
                                   std::span<const Entry> sorted) const {
  ISOSCOPE_REQUIRE(comparison.constants.size() == (comparison.kind == Kind::between ? 2 : 1));
  const ValuePool& values = history_.values();
  if (std::ranges::any_of(comparison.constants, is_null)) return {};
  const auto first_where = [&](const auto& condition) {
    const auto found = std::ranges::partition_point(
        sorted, [&](const Entry& entry) { return !condition(entry.operand); });
    return static_cast<std::size_t>(found - sorted.begin());
  };
  const auto not_before = [&](const Constant& constant) {
    return first_where([&](ValueId v) { return order(values, v, constant) >= 0; });
  };
  const auto after = [&](const Constant& constant) {
    return first_where([&](ValueId v) { return order(values, v, constant) > 0; });
  };
  // Where the strings start: an integer constant has its range before that, a string after.
  const std::size_t strings =
      first_where([&](ValueId v) { return values.kind(v) == ValueKind::string; });
  const Constant& constant = comparison.constants[0];
  const bool is_integer = std::holds_alternative<std::int64_t>(constant);
  std::size_t first = is_integer ? 0 : strings;
  std::size_t last = is_integer ? strings : sorted.size();
  switch (comparison.kind) {
    case Kind::equal:
      first = not_before(constant);
      last = after(constant);
      break;
    case Kind::less:
      last = not_before(constant);
      break;
    case Kind::less_equal:
      last = after(constant);
      break;
    case Kind::greater:
      first = after(constant);
      break;
    case Kind::greater_equal:
      first = not_before(constant);
      break;
    case Kind::between:
      // Nothing is between an integer and a string.
      if (comparison.constants[1].index() != constant.index()) return {};
      first = not_before(constant);
      last = std::min(last, after(comparison.constants[1]));
      break;
    default: {  // prefix
      const auto& text = std::get<std::string>(constant);
      first = not_before(constant);
      last = first_where([&](ValueId v) {
        return order(values, v, constant) > 0 && !values.string_of(v).starts_with(text);
      });
    }
  }
  ISOSCOPE_ENSURE(first <= sorted.size() && last <= sorted.size());
  return first < last ? sorted.subspan(first, last - first) : Range{};
}

const std::vector<std::uint32_t>* RowIndex::remembered(PredicateId id, std::uint64_t& work) {
  const auto known = selected_.find(id.value);
  if (known != selected_.end()) return &known->second;
  if (remembered_ > history_.operation_count() + rows_.size()) return nullptr;
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    if (selects(history_.predicate(id), rows_[i])) some.push_back(i);
  }
  work += rows_.size();
  remembered_ += some.size() + 1;
  return &(selected_[id.value] = std::move(some));
}

}  // namespace isoscope
