#include "shrink/neighbours.h"

#include <algorithm>

#include "shrink/part_builder.h"

namespace isoscope::shrinking {

namespace {

bool reads(const History& history, const KeptTransaction& kept) {
  return std::ranges::any_of(kept.operations, [&](const KeptOperation& one) {
    return !one.looked.empty() || history.operations(kept.id)[one.place].is_item_read();
  });
}

/// Keeps the reads that have only one source. For a predicate these are rows that it returned.
void keep_plain_reads(const PartMaker& maker, TransactionId t, PartBuilder& into) {
  const auto keep = [&](std::uint32_t place, KeyId key) {
    if (maker.needs().source_count(t, place, key) == 1) into.read_if_sayable(t, place, key);
  };
  const auto operations = maker.history().operations(t);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    if (operations[i].is_item_read()) keep(i, operations[i].key());
    if (operations[i].kind() != OperationKind::predicate_read) continue;
    for (const RowVersion& row : maker.history().predicate_access(operations[i]).rows) {
      keep(i, row.key);
    }
  }
}

}  // namespace

Neighbours::Neighbours(const PartMaker& maker)
    : maker_(maker), place_(maker.history().transaction_count()) {
  const History& history = maker.history();
  for (const TransactionId t : history.transactions()) in_time_.push_back(t);
  const auto has_time = [&](TransactionId t) { return history.begin_time(t).has_value(); };
  if (std::ranges::all_of(in_time_, has_time)) {
    std::ranges::stable_sort(in_time_, {}, [&](TransactionId t) { return *history.begin_time(t); });
  }
  for (std::size_t i = 0; i < in_time_.size(); ++i) place_[in_time_[i].index()] = i;
}

Part Neighbours::around(const Part& part, std::size_t width) const {
  PartBuilder builder(maker_);
  builder.add(part);
  std::vector<std::size_t> readers;
  for (const KeptTransaction& kept : part) {
    if (reads(maker_.history(), kept)) readers.push_back(place_[kept.id.index()]);
  }
  std::ranges::sort(readers);
  std::size_t next = 0;
  for (const std::size_t reader : readers) {
    const std::size_t end = std::min(reader + width + 1, in_time_.size());
    for (next = std::max(next, reader - std::min(reader, width)); next < end; ++next) {
      keep_plain_reads(maker_, in_time_[next], builder);
    }
  }
  return std::move(builder).finish();
}

}  // namespace isoscope::shrinking
