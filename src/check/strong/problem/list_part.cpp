#include "check/strong/problem/list_part.h"

#include <algorithm>
#include <ranges>

#include "check/reads/key_values.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// When a read has more candidates than this, it shares them with all reads that end in the same
/// blocks. (The number is smaller than for registers, because the candidates of lists are searched
/// one by one.)
constexpr std::size_t wide_list = 16;

/// Every read of a list tells something about other transactions; own appends stand behind it.
bool is_external_read(std::span<const Access> run) {
  return std::ranges::any_of(run, &Access::is_read);
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void ListPart::find_candidates() {
  ISOSCOPE_REQUIRE(first_ <= last_ && last_.index() <= p_.key_count());
  for (const KeyId key : IdRange(first_, last_)) {
    if (input_.limits.reached()) return;
    if (input_.accesses.use(key) != KeyUse::list) continue;
    if (repeated_element(input_.history, input_.accesses, key)) {
      find_in_repeated_list(key);
    } else {
      find_in_list(key);
    }
  }
}

void ListPart::add_to_problem() {
  candidates_.add_to_problem();
  append(list_orders_, p_.list_orders);
  append(members_, p_.members);
  append(list_reads_, p_.list_reads);
  p_.list_appends.insert(list_appends_.begin(), list_appends_.end());
}

/// Calls visit(read, run) for each transaction that read the list and did not just append to it.
template <class Visit>
void ListPart::for_each_external_read(KeyId key, const Visit& visit) const {
  for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
    const Txn t = p_.number[run[0].transaction.index()];
    if (t == none || !is_external_read(run)) return;
    if (!input_.looks_at_reads(run[0].transaction, key)) return;
    const auto reads = std::views::iota(p_.read_starts[t], p_.read_starts[t + 1]);
    const auto key_of = [&](std::uint32_t r) { return p_.reads[ReadId(r)].key; };
    const auto read = std::ranges::lower_bound(reads, key, {}, key_of);
    ISOSCOPE_ENSURE(read != reads.end() && key_of(*read) == key);
    visit(ReadId(*read), run);
  });
}

void ListPart::find_in_list(KeyId key) {
  lists_.start(key, p_.all_versions_of(key));
  for_each_run(input_.accesses.of(key), [&](std::span<const Access> run) {
    const Txn t = p_.number[run[0].transaction.index()];
    if (t != none) lists_.add_appends(t, run);
  });
  for_each_external_read(key, [&](ReadId r, std::span<const Access> run) {
    const ValueId prefix = lists_.external_read(run);
    p_.reads[r].candidate = lists_.source(prefix);
    lists_.add_read(r, p_.reads[r].reader, prefix);
  });
  lists_.finish();
}

void ListPart::find_in_repeated_list(KeyId key) {
  const auto versions = p_.all_versions_of(key);
  const ListBlocks blocks(input_.history, input_.accesses, p_, key, versions);
  shared_blocks_.clear();
  for (const VersionId v : versions) list_appends_.emplace_back(v, blocks.appends(v));
  for_each_external_read(key, [&](ReadId r, std::span<const Access> run) {
    if (input_.limits.reached()) return;
    const auto list = list_value(input_.history, key, lists_.external_read(run));
    const bool has_start = input_.history.initial_value(key) || !run[0].is_read();
    CandidateSet candidates = {.is_of_list = true};  // nobody left that
    if (list && !blocks.has_too_often(*list, run)) {
      const std::size_t size = input_.history.values().list_size(*list);
      list_reads_.push_back({r, *list, static_cast<std::uint32_t>(size)});
      candidates = list_candidates(p_.reads[r].reader, blocks, *list, has_start);
    }
    candidates_.assign(r, candidates);
  });
}

/// The candidates of a read of a list: the versions whose appends the list ends in.
CandidateSet ListPart::list_candidates(Txn reader, const ListBlocks& blocks, ValueId list,
                                       bool has_start) {
  std::vector<std::uint32_t> ends;
  blocks.find_blocks(list, ends);
  std::size_t count = 0;
  for (const std::uint32_t block : ends) count += blocks.versions(block).size();
  CandidateSet result = {.first = candidates_.end()};
  std::vector<VersionId> found;
  if (count > wide_list) {
    const auto [known, is_new] = shared_blocks_.try_emplace(ends, result.first);
    result.first = known->second;
    result.is_wide = result.is_sorted = true;
    if (is_new) blocks.find_candidates(list, found);
  } else {
    if (list != blocks.initial() || has_start) blocks.find_candidates(list, found);
    std::erase_if(found, [&](VersionId v) { return p_.versions[v].writer == reader; });
    count = found.size();
    result.is_of_list = true;
  }
  result.left = result.all = static_cast<std::uint32_t>(count);
  for (const VersionId version : found) candidates_.push(version);
  return result;
}

}  // namespace isoscope::strong
