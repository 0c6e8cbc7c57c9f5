#include "shrink/plain_reads.h"

namespace isoscope::shrinking {

namespace {

/// The maximum number of queries that are narrowed one by one: a check of more different ones takes
/// long.
constexpr std::size_t most_queries = 20'000;

std::size_t query_count(const History& history, const Part& part) {
  std::size_t count = 0;
  for (const KeptTransaction& kept : part) {
    for (const KeptOperation& one : kept.operations) {
      count += history.operations(kept.id)[one.place].is_predicate() ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

std::optional<Part> plain_reads(const PartMaker& maker, const Part& whole,
                                std::size_t most_sources) {
  Part part = whole;
  bool any = false;
  if (query_count(maker.history(), whole) > most_queries) return std::nullopt;
  for (KeptTransaction& kept : part) {
    const auto operations = maker.history().operations(kept.id);
    const auto is_plain = [&](std::uint32_t place, KeyId key) {
      const bool plain = maker.needs().source_count(kept.id, place, key) <= most_sources;
      any = any || !plain;
      return plain;
    };
    std::erase_if(kept.operations, [&](KeptOperation& one) {
      const Operation& operation = operations[one.place];
      if (operation.is_item_read()) return !is_plain(one.place, operation.key());
      std::erase_if(one.looked, [&](KeyId key) { return !is_plain(one.place, key); });
      return false;
    });
  }
  return any ? std::optional(std::move(part)) : std::nullopt;
}

}  // namespace isoscope::shrinking
