#include "check/strong/problem/list_problem.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/history/litmus_text.h"

namespace isoscope::strong {

void ListProblem::start(KeyId key, std::span<const VersionId> versions) {
  ISOSCOPE_REQUIRE(!versions.empty() && versions.front() == p_.initial_version(key));
  key_ = key;
  versions_ = versions;
  version_of_.reset(versions.size());
  reads_.clear();
}

void ListProblem::add_appends(Txn writer, std::span<const Access> run) {
  const auto version = std::ranges::lower_bound(versions_, writer, {},
                                                [&](VersionId v) { return p_.versions[v].writer; });
  for (const Access& access : run) {
    if (access.is_read()) continue;
    ISOSCOPE_REQUIRE(version != versions_.end() && p_.versions[*version].writer == writer);
    version_of_[access.value] = version->value + 1;
  }
}

ValueId ListProblem::external_read(std::span<const Access> run) const {
  std::size_t own = 0;
  for (const Access& access : run) {
    if (!access.is_read()) {
      ++own;
      continue;
    }
    ValueId list = access.value;
    for (; own > 0; --own) list = history_.values().list_prefix(list);
    return list;
  }
  ISOSCOPE_REQUIRE(false);
  return {};
}

std::size_t ListProblem::size_of(ValueId list) const {
  const ValuePool& values = history_.values();
  return values.kind(list) == ValueKind::list ? values.list_size(list) : 0;
}

VersionId ListProblem::source(ValueId list) {
  const VersionId initial = p_.initial_version(key_);
  if (size_of(list) == 0) return initial;
  const std::uint32_t* version = version_of_.find(history_.values().list_last(list));
  return version == nullptr ? initial
                            : VersionId(*version - 1);  // else an element it held initially
}

void ListProblem::add_read(ReadId read, Txn reader, ValueId list) {
  ISOSCOPE_REQUIRE(!versions_.empty());  // start() comes first
  ISOSCOPE_REQUIRE(p_.reads[read].reader == reader && p_.reads[read].key == key_);
  reads_.push_back({read, reader, list});
}

bool ListProblem::is_prefix(ValueId list, ValueId of) const {
  const std::size_t size = size_of(list);
  std::size_t left = size_of(of);
  if (size > left) return false;
  if (size == 0) return true;
  for (; left > size; --left) of = history_.values().list_prefix(of);
  return list == of;
}

void ListProblem::finish() {
  const auto longest_of = [&](bool open) {
    const ListRead* longest = nullptr;
    for (const ListRead& read : reads_) {
      if ((p_.open[read.reader] != 0) != open) continue;
      if (longest == nullptr || size_of(read.list) > size_of(longest->list)) longest = &read;
    }
    return longest;
  };
  const ListRead* longest = longest_of(false);
  if (longest != nullptr) {
    add_orders(*longest);
    for (const ListRead& read : reads_) {
      if (p_.open[read.reader] != 0 || is_prefix(read.list, longest->list)) continue;
      add_orders(read);
      break;
    }
  }
  // What an open reader saw counts only if it committed; mostly it is nothing new.
  for (const ListRead& read : reads_) {
    if (p_.open[read.reader] == 0) continue;
    if (longest == nullptr || !is_prefix(read.list, longest->list)) add_orders(read);
  }
}

void ListProblem::add_orders(const ListRead& read) {
  listed_.clear();
  const ValuePool& values = history_.values();
  VersionId later = none;
  VersionId last = none;
  ValueId list = read.list;
  for (std::size_t left = size_of(list); left > 0; --left, list = values.list_prefix(list)) {
    const std::uint32_t* found = version_of_.find(values.list_last(list));
    if (found == nullptr) break;  // what it held initially
    const VersionId version(*found - 1);
    if (version == later) continue;  // the same block
    const Txn writer = p_.versions[version].writer;
    listed_.push_back(version);
    if (p_.open[writer] != 0) members_.push_back({writer, read.read});
    if (later == none) {
      last = version;
    } else {
      orders_.push_back({writer, p_.versions[later].writer, read.read});
    }
    later = version;
  }
  if (last == none) return;
  std::ranges::sort(listed_);
  for (const VersionId v : versions_.subspan(1)) {
    if (std::ranges::binary_search(listed_, v)) continue;
    orders_.push_back({p_.versions[last].writer, p_.versions[v].writer, read.read});
  }
}

std::optional<ValueId> repeated_element(const History& history, const KeyAccesses& accesses,
                                        KeyId key, Appends which) {
  ValueTable<std::uint8_t> seen;
  seen.reset(accesses.of(key).size());
  const auto initial = history.initial_value(key);
  if (initial && history.values().kind(*initial) == ValueKind::list) {
    for (const ValueId element : history.values().list_elements(*initial)) {
      if (++seen[element] > 1) return element;
    }
  }
  for (const Access& access : accesses.of(key)) {
    const bool counts =
        which == Appends::of_all || history.outcome(access.transaction) != Outcome::aborted;
    if (access.is_read() || !counts) continue;
    if (++seen[access.value] > 1) return access.value;
  }
  return std::nullopt;
}

std::string ListProblem::unsupported_reason(const History& history, const KeyAccesses& accesses) {
  for (const KeyId key : history.keys()) {
    const KeyUse use = accesses.use(key);
    if (use == KeyUse::reg) continue;
    if (use == KeyUse::both) {
      return "the key " + key_text(history, key) + " is both appended to and written";
    }
  }
  return {};
}

}  // namespace isoscope::strong
