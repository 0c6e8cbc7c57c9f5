#include "check/weak/list_order.h"

#include <algorithm>
#include <tuple>

#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

class ListOrder {
 public:
  ListOrder(const History& history, const WrittenValues& written, std::span<const Txn> numbers)
      : values_(history.values()),
        written_(written),
        numbers_(numbers),
        seen_for_(values_.size(), 0),
        shown_in_(numbers.size(), 0) {
    for (const WrittenValues::Version& version : written.all()) {
      if (written.use(version.key) == WrittenValues::Use::list) appends_.push_back(version);
    }
    std::ranges::stable_sort(appends_, {}, &WrittenValues::Version::key);
  }

  std::vector<KnownEdge> run(std::vector<ListSeen> lists) && {
    std::ranges::sort(lists, {}, [&](const ListSeen& one) {
      return std::tuple(one.key, SIZE_MAX - values_.list_size(one.list), one.list);
    });
    for (const ListSeen& one : lists) {
      if (seen_for_[one.list.index()] != stamp_of(one.key)) add(one);
    }
    return std::move(edges_);
  }

 private:
  static std::uint32_t stamp_of(KeyId key) { return key.value + 1; }

  /// The transaction that appended the last element; 0 if it was there initially.
  Txn appender(KeyId key, ValueId list) const {
    const auto found = written_.find(key, values_.list_last(list));
    return found.empty() ? 0 : numbers_[written_.version(found.front()).writer - 1];
  }

  void add(const ListSeen& seen) {
    ++list_;
    Txn later = 0;
    Txn last = 0;
    for (ValueId list = seen.list; values_.list_size(list) > 0; list = values_.list_prefix(list)) {
      seen_for_[list.index()] = stamp_of(seen.key);
      const Txn t = appender(seen.key, list);
      if (t == 0 || t == open_source) break;  // what was there initially, and no more
      if (last == 0) last = t;
      if (later != 0 && later != t) edges_.push_back({t, later, seen.key});
      later = t;
      shown_in_[written_.version(written_.find(seen.key, values_.list_last(list)).front()).writer -
                1] = list_;
    }
    if (last == 0) return;
    const auto its = std::ranges::equal_range(appends_, seen.key, {}, &WrittenValues::Version::key);
    for (const WrittenValues::Version& version : its) {
      const Txn t = numbers_[version.writer - 1];
      if (shown_in_[version.writer - 1] == list_ || t == open_source) continue;
      edges_.push_back({last, t, seen.key});
    }
  }

  const ValuePool& values_;
  const WrittenValues& written_;
  std::span<const Txn> numbers_;
  std::vector<WrittenValues::Version> appends_;  // by key
  std::vector<std::uint32_t> seen_for_;          // by list: the last key it was seen of
  std::vector<std::uint32_t> shown_in_;          // by TransactionId: the last list that shows it
  std::uint32_t list_ = 0;
  std::vector<KnownEdge> edges_;
};

}  // namespace

std::vector<KnownEdge> list_order(const History& history, const WrittenValues& written,
                                  std::vector<ListSeen> lists, std::span<const Txn> numbers) {
  ISOSCOPE_REQUIRE(numbers.size() == history.transaction_count());
  if (lists.empty()) return {};
  return ListOrder(history, written, numbers).run(std::move(lists));
}

}  // namespace isoscope::weak
