#include "check/strong/problem/list_states.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

ListStates::ListStates(const History& history, const KeyAccesses& accesses,
                       const OrderProblem& problem)
    : history_(history), p_(problem) {
  if (p_.list_reads.empty()) return;
  for (const OrderProblem::ListRead& read : p_.list_reads) {
    reads_.push_back(read.read);
    lists_.emplace(read.read, read.list);
    const KeyId key = p_.reads[read.read].key;
    if (!blocks_.contains(key)) {
      blocks_.try_emplace(key, history, accesses, problem, key, p_.versions_of(key));
    }
  }
  std::ranges::sort(reads_);
  ISOSCOPE_ENSURE(std::ranges::adjacent_find(reads_) == reads_.end());
  for (const std::uint32_t start : p_.read_starts) {
    const auto first = std::ranges::lower_bound(reads_, ReadId(start));
    starts_.push_back(static_cast<std::uint32_t>(first - reads_.begin()));
  }
}

bool ListStates::find_wrong_reads(std::span<const std::uint32_t> order,
                                  const std::vector<std::uint8_t>& takes_part, const Limits& limits,
                                  std::vector<ReadId>& wrong) {
  ISOSCOPE_REQUIRE(takes_part.size() == p_.size());
  IdVector<KeyId, VersionId>& current = last_;
  current.resize(p_.key_count());
  for (const KeyId key : p_.keys()) current[key] = p_.initial_version(key);
  previous_.assign(p_.versions.size(), none);
  known_.assign(p_.versions.size(), std::nullopt);
  seen_.clear();
  for (const std::uint32_t event : order) {
    if (p_.is_time(event)) continue;
    const Txn t = p_.transaction_of(event);
    if (t == 0 || takes_part[t] == 0) continue;
    if (event == p_.begin(t)) {
      for (std::uint32_t i = starts_[t]; i < starts_[t + 1]; ++i) {
        if (limits.reached()) return false;
        const Read& read = p_.reads[reads_[i]];
        const VersionId seen = current[read.key];
        const ValueId list = lists_.at(reads_[i]);
        if (!p_.fits(read, seen)) continue;
        if (is_right(seen, list)) {
          known_[seen] = list;
        } else {
          wrong.push_back(reads_[i]);
          seen_[reads_[i]] = seen;
        }
      }
    }
    if (event != p_.commit(t)) continue;
    for (const VersionId version : p_.writes_of(t)) {
      previous_[version] = current[p_.versions[version].key];
      current[p_.versions[version].key] = version;
    }
  }
  return true;
}

void ListStates::cut(KeyId key, ValueId list,
                     std::unordered_map<ValueId, VersionId>& writers) const {
  ISOSCOPE_REQUIRE(last_.size() == p_.key_count());
  if (writers.contains(list)) return;
  const ListBlocks& blocks = blocks_.at(key);
  std::vector<VersionId> unused;
  for (VersionId v = last_[key]; p_.versions[v].writer != 0; v = previous_[v]) {
    unused.push_back(v);
  }
  std::ranges::reverse(unused);
  std::vector<ValueId> parts = {list};
  while (parts.back() != ValuePool::empty_list) {
    parts.push_back(history_.values().list_prefix(parts.back()));
  }
  std::ranges::reverse(parts);
  std::size_t at = size(blocks.initial());
  while (at + 1 < parts.size()) {
    const auto next = std::ranges::find_if(unused, [&](VersionId v) {
      const std::size_t end = at + blocks.appends(v);
      return end < parts.size() && blocks.may_have_left(v, parts[end]);
    });
    if (next == unused.end()) return;
    at += blocks.appends(*next);
    writers.emplace(parts[at], *next);
    unused.erase(next);
  }
}

/// Whether the version, with all before it, made the list.
bool ListStates::is_right(VersionId version, ValueId list) const {
  ISOSCOPE_REQUIRE(known_.size() == p_.versions.size());
  const ListBlocks& blocks = blocks_.at(p_.versions[version].key);
  for (; known_[version] != list; version = previous_[version]) {
    if (!blocks.may_have_left(version, list)) return false;
    if (p_.versions[version].writer == 0) return true;
    list = blocks.before(version, list);
  }
  return true;
}

}  // namespace isoscope::strong
