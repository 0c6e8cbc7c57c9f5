#include "check/strong/problem/transaction_part.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::strong {

namespace {

/// When a read has more candidates than this, it shares them with all reads of the value. The
/// first number is for when every read can have its own ones, the second for when memory has to be
/// spared.
constexpr std::size_t wide = 4096;
constexpr std::size_t wide_when_spared = 64;

// How far ahead something is prefetched, in transactions and in reads.
constexpr Txn operations_ahead = 8;
constexpr std::uint32_t start_ahead = 32;
constexpr std::uint32_t entry_ahead = 16;

/// Up to this many accesses are sorted by insertion, which is all that most transactions need.
constexpr std::size_t few = 32;

/// What was read stands in for the candidate until that is known.
ValueId value_read(const Read& read) { return ValueId(read.candidate.index()); }

/// Sorts by key, without disturbing the order of what was done to a key.
template <class Done>
void sort_by_key(std::vector<Done>& all) {
  if (all.size() > few) {
    std::ranges::stable_sort(all, {}, &Done::key);
    return;
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Done moved = all[i];
    std::size_t to = i;
    for (; to > 0 && all[to - 1].key > moved.key; --to) all[to] = all[to - 1];
    all[to] = moved;
  }
}

}  // namespace

/// Calls visit(key, read, write) for each key that the transaction looked at, by key: the read that
/// tells something about others, and the last write or append; null where there is none.
template <class Visit>
void TransactionPart::for_each_key(Txn t, const Visit& visit) {
  if (t + operations_ahead < last_) {
    const auto operations = input_.history.operations(p_.ids[t + operations_ahead]);
    for (std::size_t i = 0; i < operations.size(); i += 4) prefetch(&operations[i]);
  }
  done_.clear();
  for_each_access(input_.history, p_.ids[t], [&](KeyId key, const Access& access) {
    done_.push_back({key, access});
  });
  sort_by_key(done_);
  for (std::size_t i = 0; i < done_.size();) {
    const KeyId key = done_[i].key;
    // Every read of a list tells something about other transactions; own appends stand behind it.
    const bool tells = done_[i].access.kind() != Access::Kind::write;
    const Access* read = nullptr;
    const Access* write = nullptr;
    for (; i < done_.size() && done_[i].key == key; ++i) {
      const Access& access = done_[i].access;
      if (!access.is_read()) {
        write = &access;
      } else if (read == nullptr && tells) {
        read = &access;
      }
    }
    if (read != nullptr && !input_.looks_at_reads(p_.ids[t], key)) read = nullptr;
    visit(key, read, write);
  }
}

void TransactionPart::count() {
  ISOSCOPE_REQUIRE(first_ > 0 && first_ <= last_ && last_ <= p_.size());
  for (Txn t = first_; t < last_ && !is_stopped(); ++t) {
    std::uint32_t reads = 0;
    std::uint32_t writes = 0;
    for_each_key(t, [&](KeyId, const Access* read, const Access* write) {
      if (read != nullptr) ++reads;
      if (write != nullptr) ++writes;
    });
    p_.read_starts[t] = reads;
    p_.write_starts[t] = writes;
  }
}

void TransactionPart::fill() {
  ISOSCOPE_REQUIRE(p_.reads.size() == p_.read_starts.back());
  ISOSCOPE_REQUIRE(p_.versions.size() == p_.write_starts.back());
  for (Txn t = first_; t < last_ && !is_stopped(); ++t) {
    auto next_read = p_.reads.begin() + p_.read_starts[t];
    auto next_version = p_.versions.begin() + p_.write_starts[t];
    for_each_key(t, [&](KeyId key, const Access* read, const Access* write) {
      const bool is_list = input_.accesses.use(key) == KeyUse::list;
      if (read != nullptr) {
        *next_read++ = {.reader = t,
                        .key = key,
                        .operation = read->operation() & Read::most_operations,
                        .candidate = is_list ? VersionId(none) : VersionId(read->value.index())};
      }
      if (write != nullptr) {
        *next_version++ = {key, t, is_list ? ValuePool::unreported : write->value};
      }
    });
  }
}

void TransactionPart::find_candidates(const VersionsByValue& versions, std::size_t spared_from) {
  ISOSCOPE_REQUIRE(last_ < p_.read_starts.size());
  const std::span<const Read> reads = p_.reads;
  const std::uint32_t last = p_.read_starts[last_];
  for (std::uint32_t r = p_.read_starts[first_]; r < last && !is_stopped(); ++r) {
    if (r + start_ahead < last && reads[r + start_ahead].candidate != none) {
      versions.prefetch_start(value_read(reads[r + start_ahead]));
    }
    if (r + entry_ahead < last && reads[r + entry_ahead].candidate != none) {
      const Read& ahead = reads[r + entry_ahead];
      versions.prefetch_entry(ahead.key, value_read(ahead));
    }
    const Read& read = reads[r];
    if (read.candidate == none) continue;
    const ValueId value = value_read(read);
    const auto found = versions.find(read.key, value);
    const bool is_wide =
        found.size() > (candidates_.size() < spared_from ? wide : wide_when_spared);
    const CandidateSet set =
        is_wide ? shared_candidates(value, found) : own_candidates(read.reader, found);
    ISOSCOPE_REQUIRE(set.all > 0);  // or the first pass would have found it
    candidates_.assign(ReadId(r), set);
  }
}

CandidateSet TransactionPart::own_candidates(Txn reader, std::span<const std::uint64_t> versions) {
  CandidateSet set;
  set.first = candidates_.end();
  for (const std::uint64_t named : versions) {
    const VersionId version = VersionsByValue::version_of(named);
    if (!p_.writes_of(reader).contains(version)) candidates_.push(version);
  }
  set.left = set.all = candidates_.end() - set.first;
  return set;
}

CandidateSet TransactionPart::shared_candidates(ValueId value,
                                                std::span<const std::uint64_t> versions) {
  ISOSCOPE_REQUIRE(!versions.empty());
  const std::uint64_t key = versions.front() >> 32;
  const auto [at, is_new] = shared_.try_emplace(key << 32 | value.value, candidates_.end());
  if (is_new) {
    for (const std::uint64_t named : versions) candidates_.push(VersionsByValue::version_of(named));
  }
  const auto count = static_cast<std::uint32_t>(versions.size());
  return {.first = at->second, .left = count, .all = count, .is_wide = true};
}

}  // namespace isoscope::strong
