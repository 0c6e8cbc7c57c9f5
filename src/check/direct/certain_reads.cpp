#include "check/direct/certain_reads.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::direct {

namespace {

// How many reads are looked at together, so that memory answers to all of them at a time. Caches
// have room for more, but processors do not ask for more at once.
constexpr std::size_t at_once = 16;

std::size_t size_of(const ValuePool& values, ValueId list) {
  return values.kind(list) == ValueKind::list ? values.list_size(list) : 0;
}

}  // namespace

CertainReads::CertainReads(const History& history, const KeyAccesses& accesses)
    : history_(history), written_(history, accesses) {
  ISOSCOPE_REQUIRE(accesses.unreported_writes().empty());
  collect_writers();
  collect_reads();
  collect_updates();
}

void CertainReads::collect_writers() {
  const auto all = written_.all();
  const auto each_writer = [&](const auto& visit) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool again =
          i > 0 && all[i].key == all[i - 1].key && all[i].writer == all[i - 1].writer;
      if (again || !is_committed(all[i].writer)) continue;
      visit(all[i].key.index(), all[i].writer);
    }
  };
  writers_ = Groups<Number>(history_.key_count(), each_writer);
}

std::uint32_t CertainReads::first_version_of(Number writer, KeyId key) const {
  if (writer == 0) return static_cast<std::uint32_t>(written_.all().size() + key.index());
  const auto its = written_by(writer);
  const auto at = std::ranges::lower_bound(its, key, {}, &Version::key);
  ISOSCOPE_REQUIRE(at != its.end() && at->key == key);  // or it would be another key's version
  return first_version(writer) + static_cast<std::uint32_t>(at - its.begin());
}

/// Looks for the sources of the reads, and asks memory for what is needed of later ones.
void CertainReads::keep(std::span<const FirstRead> first, std::vector<CertainRead>& lists,
                        std::vector<ValueId>& lists_read) {
  for (const FirstRead& one : first) written_.prefetch_place(one.value);
  for (const FirstRead& one : first) written_.prefetch_found(one.value);
  for (const FirstRead& one : first) keep(one.read, one.value, lists, lists_read);
}

void CertainReads::collect_reads() {
  std::vector<CertainRead> lists;
  std::vector<ValueId> lists_read;
  std::vector<FirstRead> first;
  struct Own {
    std::uint32_t by = 0;  // the last transaction that accessed the key
    std::uint32_t appends = 0;
    bool writes = false;  // at any time
    bool wrote = false;   // so far
    bool read = false;
  };
  std::vector<Own> own(history_.key_count());
  reads_.reserve(history_.operation_count());
  for (const TransactionId t : history_.transactions()) {
    if (history_.outcome(t) != Outcome::committed) continue;
    const Number reader = number_of(t);
    for (const Version& written : written_by(reader)) {
      own[written.key.index()] = {.by = reader, .writes = true};
    }
    for_each_access(history_, t, [&](KeyId key, const Access& access) {
      Own& mine = own[key.index()];
      if (mine.by != reader) mine = {.by = reader};
      if (access.kind() == Access::Kind::append) {
        ++mine.appends;
      } else if (!access.is_read()) {
        mine.wrote = true;
      } else if (!mine.wrote && !mine.read) {
        mine.read = true;
        first.push_back({{.key = key,
                          .reader = reader,
                          .operation = access.operation(),
                          .length = mine.appends,
                          .is_update = mine.writes},
                         access.value});
      }
    });
    if (first.size() < at_once) continue;
    keep(first, lists, lists_read);
    first.clear();
  }
  keep(first, lists, lists_read);
  find_longest_reads(lists, lists_read);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const List* order = list_of(lists[i].key);
    const bool fits = order != nullptr && lists[i].length < order->prefixes.size() &&
                      order->prefixes[lists[i].length] == lists_read[i];
    if (fits) reads_.push_back(lists[i]);
  }
  if (!lists.empty()) {
    std::ranges::stable_sort(
        reads_, {}, [](const CertainRead& one) { return std::pair(one.reader, one.operation); });
  }
  read_starts_.assign(history_.transaction_count() + 2, 0);
  for (const CertainRead& one : reads_) ++read_starts_[one.reader + 1];
  for (std::size_t i = 1; i < read_starts_.size(); ++i) read_starts_[i] += read_starts_[i - 1];
  ISOSCOPE_ENSURE(read_starts_.back() == reads_.size());
}

void CertainReads::collect_updates() {
  const auto each_update = [&](const auto& visit) {
    for (std::uint32_t i = 0; i < reads_.size(); ++i) {
      if (reads_[i].is_update) visit(reads_[i].version, Update{reads_[i].reader, i});
    }
  };
  updates_ = Groups<Update>(written_.all().size() + history_.key_count(), each_update);
}

/// `read.length` has the number of own appends before it.
void CertainReads::keep(const CertainRead& read, ValueId value, std::vector<CertainRead>& lists,
                        std::vector<ValueId>& lists_read) {
  const ValuePool& values = history_.values();
  const auto initial = history_.initial_value(read.key);
  CertainRead kept = read;
  kept.length = 0;
  kept.after_own = read.length > 0;
  if (written_.use(read.key) == WrittenValues::Use::reg) {
    const ValueId first = initial.value_or(ValuePool::unreported);
    const ValueId normal = first == ValuePool::empty_list ? ValuePool::nil : first;
    std::size_t candidates = normal == value ? 1 : 0;
    kept.version = first_version_of(0, read.key);
    for (const std::uint32_t one : written_.find(read.key, value)) {
      if (written_.version(one).writer == read.reader) continue;
      kept.source = written_.version(one).writer;
      kept.version = one;
      if (++candidates > 1) return;
    }
    if (candidates == 1) reads_.push_back(kept);
    return;
  }
  if (!is_list(read.key) || !initial) return;
  ValueId list = values.kind(value) == ValueKind::list ? value : ValuePool::empty_list;
  const std::size_t all = size_of(values, list);
  if (all < read.length) return;
  for (std::uint32_t i = 0; i < read.length; ++i) list = values.list_prefix(list);
  kept.length = static_cast<std::uint32_t>(all - read.length);
  if (list != written_.initial_list(read.key)) {
    if (kept.length == 0) return;
    const auto last = written_.find(read.key, values.list_last(list));
    if (last.size() != 1 || written_.version(last.front()).writer == read.reader) return;
    kept.source = written_.version(last.front()).writer;
  }
  kept.version = first_version_of(kept.source, read.key);
  lists.push_back(kept);
  lists_read.push_back(list);
}

void CertainReads::find_longest_reads(const std::vector<CertainRead>& lists,
                                      const std::vector<ValueId>& read) {
  ISOSCOPE_REQUIRE(lists.size() == read.size() && lists_.empty());
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
    const std::size_t start = size_of(values, written_.initial_list(key));
    order.prefixes.resize(size_of(values, list) + 1, ValuePool::empty_list);
    auto& ends = order.by_number;
    for (std::size_t length = size_of(values, list); length > 0; --length) {
      order.prefixes[length] = list;
      const auto appended = written_.find(key, values.list_last(list));
      list = values.list_prefix(list);
      if (length <= start || appended.empty()) continue;
      const Number writer = written_.version(appended.front()).writer;
      const bool again = !ends.empty() && ends.back().first == writer;
      if (!again) ends.emplace_back(writer, static_cast<std::uint32_t>(length));
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
  ISOSCOPE_REQUIRE(is_list(list_read.key));
  const List* list = list_of(list_read.key);
  if (list == nullptr) return {};
  const auto first = std::ranges::upper_bound(list->ends, list_read.length) - list->ends.begin();
  return std::span(list->appenders).subspan(static_cast<std::size_t>(first));
}

bool CertainReads::misses(const CertainRead& list_read, Number t) const {
  ISOSCOPE_REQUIRE(is_list(list_read.key));
  const List* list = list_of(list_read.key);
  if (list == nullptr) return false;
  const auto at =
      std::ranges::lower_bound(list->by_number, t, {}, &std::pair<Number, std::uint32_t>::first);
  return at == list->by_number.end() || at->first != t || at->second > list_read.length;
}

const CertainRead* CertainReads::find(Number reader, KeyId key) const {
  const auto reads = of(reader);
  const auto at = std::ranges::find(reads, key, &CertainRead::key);
  return at != reads.end() ? &*at : nullptr;
}

void CertainReads::prefetch_places(Number reader) const {
  for (const CertainRead& one : of(reader)) {
    written_.prefetch_start(one.source);
    prefetch(&read_starts_[one.source]);
    updates_.prefetch_place(one.version);
  }
}

void CertainReads::prefetch_place(Number reader) const { prefetch(&read_starts_[reader]); }

/// Few transactions read more than two lines of memory hold.
void CertainReads::prefetch_reads(Number reader) const {
  prefetch(reads_.data() + read_starts_[reader]);
  prefetch(reads_.data() + read_starts_[reader + 1]);
}

void CertainReads::prefetch_updates(Number reader) const {
  for (const CertainRead& one : of(reader)) updates_.prefetch_place(one.version);
}

void CertainReads::prefetch_sources(Number reader) const {
  for (const CertainRead& one : of(reader)) {
    written_.prefetch_versions(one.source);
    prefetch_reads(one.source);
    updates_.prefetch_members(one.version);
  }
}

bool CertainReads::write_a_common_key(Number a, Number b) const {
  const auto few = written_by(a).size() <= written_by(b).size() ? a : b;
  return std::ranges::any_of(written_by(few),
                             [&](const Version& one) { return writes(few == a ? b : a, one.key); });
}

bool CertainReads::writes(Number t, KeyId key) const {
  return std::ranges::binary_search(written_by(t), key, {}, &Version::key);
}

}  // namespace isoscope::direct
