#include "check/direct/certain_reads.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace isoscope::direct {

namespace {

std::size_t size_of(const ValuePool& values, ValueId list) {
  return values.kind(list) == ValueKind::list ? values.list_size(list) : 0;
}

/// Where the things of each key start in an array that is sorted by key; its length behind them.
template <class Things, class KeyOf>
std::vector<std::size_t> starts_by_key(std::size_t keys, const Things& things,
                                       const KeyOf& key_of) {
  std::vector<std::size_t> starts(keys + 1, 0);
  for (const auto& thing : things) ++starts[key_of(thing).index() + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  return starts;
}

}  // namespace

CertainReads::CertainReads(const History& history, const KeyAccesses& accesses)
    : history_(history), use_(history.key_count(), Use::reg) {
  for (const KeyId key : history.keys()) {
    const KeyUse use = accesses.use(key);
    if (use == KeyUse::both) use_[key.index()] = Use::aside;
    if (use == KeyUse::list) use_[key.index()] = Use::list;
  }
  collect_writes();
  set_repeated_lists_aside();
  collect_reads();
}

void CertainReads::collect_writes() {
  write_starts_.assign(1, 0);
  write_starts_.push_back(0);  // the initial state's are not listed
  writer_starts_.assign(history_.key_count() + 1, 0);
  std::vector<std::size_t> latest(history_.key_count(), SIZE_MAX);  // by key: its last version
  for (const TransactionId t : history_.transactions()) {
    const std::size_t first_key = written_.size();
    if (history_.outcome(t) != Outcome::aborted) {
      for_each_access(history_, t, [&](KeyId key, const Access& access) {
        if (access.is_read()) return;
        std::size_t& last = latest[key.index()];
        const bool again = last != SIZE_MAX && versions_[last].writer == number_of(t);
        if (!again) written_.push_back(key);
        if (again && access.kind() != Access::Kind::append) {
          versions_[last].value = access.value;
          return;
        }
        last = versions_.size();
        versions_.push_back({key, access.value, number_of(t)});
      });
    }
    std::sort(written_.begin() + static_cast<std::ptrdiff_t>(first_key), written_.end());
    write_starts_.push_back(written_.size());
    for (std::size_t i = first_key; i < written_.size(); ++i) {
      ++writer_starts_[written_[i].index() + 1];
    }
  }
  for (std::size_t i = 1; i < writer_starts_.size(); ++i)
    writer_starts_[i] += writer_starts_[i - 1];
  writers_.resize(written_.size());
  std::vector<std::size_t> next(writer_starts_.begin(), writer_starts_.end() - 1);
  for (Number t = 1; t + 1 < write_starts_.size(); ++t) {
    for (const KeyId key : written_by(t)) writers_[next[key.index()]++] = t;
  }
  std::ranges::sort(versions_);
  version_starts_ = starts_by_key(history_.key_count(), versions_,
                                  [](const Version& version) { return version.key; });
}

/// An element that was appended twice, or was there initially, does not say who appended it.
void CertainReads::set_repeated_lists_aside() {
  for (std::size_t i = 1; i < versions_.size(); ++i) {
    const Version& one = versions_[i];
    if (use_[one.key.index()] == Use::list && one.key == versions_[i - 1].key &&
        one.value == versions_[i - 1].value) {
      use_[one.key.index()] = Use::aside;
    }
  }
  for (const KeyId key : history_.keys()) {
    if (use_[key.index()] != Use::list) continue;
    for (ValueId list = initial_list(key); size_of(history_.values(), list) > 0;
         list = history_.values().list_prefix(list)) {
      if (!versions(key, history_.values().list_last(list)).empty()) {
        use_[key.index()] = Use::aside;
        break;
      }
    }
  }
}

ValueId CertainReads::initial_list(KeyId key) const {
  const auto initial = history_.initial_value(key);
  const bool is_list = initial && history_.values().kind(*initial) == ValueKind::list;
  return is_list ? *initial : ValuePool::empty_list;
}

std::span<const CertainReads::Version> CertainReads::versions(KeyId key, ValueId value) const {
  const std::size_t first = version_starts_[key.index()];
  const auto of_key = std::span(versions_).subspan(first, version_starts_[key.index() + 1] - first);
  const auto range = std::ranges::equal_range(of_key, value, {}, &Version::value);
  return {range.begin(), range.end()};
}

void CertainReads::collect_reads() {
  std::vector<CertainRead> lists;
  std::vector<ValueId> lists_read;
  struct Own {
    std::uint32_t by = 0;  // the last transaction that accessed the key
    std::uint32_t appends = 0;
    bool wrote = false;
    bool read = false;
  };
  std::vector<Own> own(history_.key_count());
  for (const TransactionId t : history_.transactions()) {
    if (history_.outcome(t) != Outcome::committed) continue;
    const Number reader = number_of(t);
    for_each_access(history_, t, [&](KeyId key, const Access& access) {
      Own& mine = own[key.index()];
      if (mine.by != reader) mine = {.by = reader};
      if (access.kind() == Access::Kind::append) {
        ++mine.appends;
      } else if (!access.is_read()) {
        mine.wrote = true;
      } else if (!mine.wrote && !mine.read) {
        mine.read = true;
        keep({key, reader, 0, access.operation(), mine.appends}, access.value, lists, lists_read);
      }
    });
  }
  find_longest_reads(lists, lists_read);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const List* order = list_of(lists[i].key);
    const bool fits = order != nullptr && lists[i].length < order->prefixes.size() &&
                      order->prefixes[lists[i].length] == lists_read[i];
    if (fits) reads_.push_back(lists[i]);
  }
  std::ranges::sort(reads_, {},
                    [](const CertainRead& one) { return std::pair(one.reader, one.key); });
  read_starts_.assign(history_.transaction_count() + 2, 0);
  for (const CertainRead& one : reads_) ++read_starts_[one.reader + 1];
  for (std::size_t i = 1; i < read_starts_.size(); ++i) read_starts_[i] += read_starts_[i - 1];
  by_version_.resize(reads_.size());
  for (std::uint32_t i = 0; i < by_version_.size(); ++i) by_version_[i] = i;
  std::ranges::sort(by_version_, {}, [&](std::uint32_t i) {
    return std::tuple(reads_[i].key, reads_[i].source, reads_[i].reader);
  });
  by_version_starts_ = starts_by_key(history_.key_count(), by_version_,
                                     [&](std::uint32_t i) { return reads_[i].key; });
}

/// `read.length` has the number of own appends before it.
void CertainReads::keep(const CertainRead& read, ValueId value, std::vector<CertainRead>& lists,
                        std::vector<ValueId>& lists_read) {
  const ValuePool& values = history_.values();
  const auto initial = history_.initial_value(read.key);
  CertainRead kept = read;
  kept.length = 0;
  kept.after_own = read.length > 0;
  if (use_[read.key.index()] == Use::reg) {
    const ValueId first = initial.value_or(ValuePool::unreported);
    const ValueId normal = first == ValuePool::empty_list ? ValuePool::nil : first;
    std::size_t candidates = normal == value ? 1 : 0;
    for (const Version& one : versions(read.key, value)) {
      if (one.writer == read.reader) continue;
      kept.source = one.writer;
      ++candidates;
    }
    if (candidates == 1) reads_.push_back(kept);
    return;
  }
  if (use_[read.key.index()] != Use::list || !initial) return;
  ValueId list = values.kind(value) == ValueKind::list ? value : ValuePool::empty_list;
  const std::size_t all = size_of(values, list);
  if (all < read.length) return;
  for (std::uint32_t i = 0; i < read.length; ++i) list = values.list_prefix(list);
  kept.length = static_cast<std::uint32_t>(all - read.length);
  if (list != initial_list(read.key)) {
    if (kept.length == 0) return;
    const auto last = versions(read.key, values.list_last(list));
    if (last.size() != 1 || last.front().writer == read.reader) return;
    kept.source = last.front().writer;
  }
  lists.push_back(kept);
  lists_read.push_back(list);
}

void CertainReads::find_longest_reads(const std::vector<CertainRead>& lists,
                                      const std::vector<ValueId>& read) {
  const ValuePool& values = history_.values();
  std::vector<std::uint32_t> longest(history_.key_count(), UINT32_MAX);
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    std::uint32_t& best = longest[lists[i].key.index()];
    if (best == UINT32_MAX || lists[best].length < lists[i].length) best = i;
  }
  for (const KeyId key : history_.keys()) {
    if (longest[key.index()] == UINT32_MAX) continue;
    List order{.key = key};
    ValueId list = read[longest[key.index()]];
    const std::size_t start = size_of(values, initial_list(key));
    order.prefixes.resize(size_of(values, list) + 1, ValuePool::empty_list);
    auto& ends = order.by_number;
    for (std::size_t length = size_of(values, list); length > 0; --length) {
      order.prefixes[length] = list;
      const auto who = versions(key, values.list_last(list));
      list = values.list_prefix(list);
      if (length <= start || who.empty()) continue;
      const bool again = !ends.empty() && ends.back().first == who.front().writer;
      if (!again) ends.emplace_back(who.front().writer, static_cast<std::uint32_t>(length));
    }
    for (auto one = ends.rbegin(); one != ends.rend(); ++one) {
      order.appenders.push_back(one->first);
      order.ends.push_back(one->second);
    }
    std::ranges::sort(ends);
    lists_.push_back(std::move(order));
  }
}

const CertainReads::List* CertainReads::list_of(KeyId key) const {
  const auto at = std::ranges::lower_bound(lists_, key, {}, &List::key);
  return at != lists_.end() && at->key == key ? &*at : nullptr;
}

std::span<const Number> CertainReads::appended_after(const CertainRead& list_read) const {
  const List* list = list_of(list_read.key);
  if (list == nullptr) return {};
  const auto first = std::ranges::upper_bound(list->ends, list_read.length) - list->ends.begin();
  return std::span(list->appenders).subspan(static_cast<std::size_t>(first));
}

bool CertainReads::misses(const CertainRead& list_read, Number t) const {
  const List* list = list_of(list_read.key);
  if (list == nullptr) return false;
  const auto at =
      std::ranges::lower_bound(list->by_number, t, {}, &std::pair<Number, std::uint32_t>::first);
  return at == list->by_number.end() || at->first != t || at->second > list_read.length;
}

const CertainRead* CertainReads::find(Number reader, KeyId key) const {
  const auto reads = of(reader);
  const auto at = std::ranges::lower_bound(reads, key, {}, &CertainRead::key);
  return at != reads.end() && at->key == key ? &*at : nullptr;
}

const CertainRead* CertainReads::first_from(Number reader, Number source) const {
  for (const CertainRead& one : of(reader)) {
    if (one.source == source) return &one;
  }
  return nullptr;
}

std::span<const std::uint32_t> CertainReads::of_version(KeyId key, Number source) const {
  const std::size_t first = by_version_starts_[key.index()];
  const auto of_key =
      std::span(by_version_).subspan(first, by_version_starts_[key.index() + 1] - first);
  const auto range = std::ranges::equal_range(of_key, source, {},
                                              [&](std::uint32_t i) { return reads_[i].source; });
  return {range.begin(), range.end()};
}

bool CertainReads::write_a_common_key(Number a, Number b) const {
  const auto few = written_by(a).size() <= written_by(b).size() ? a : b;
  return std::ranges::any_of(written_by(few),
                             [&](KeyId key) { return writes(few == a ? b : a, key); });
}

bool CertainReads::writes(Number t, KeyId key) const {
  return std::ranges::binary_search(written_by(t), key);
}

}  // namespace isoscope::direct
