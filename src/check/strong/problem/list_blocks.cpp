#include "check/strong/problem/list_blocks.h"

#include <algorithm>
#include <map>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

ListBlocks::ListBlocks(const History& history, const KeyAccesses& accesses, const OrderProblem& p,
                       KeyId key, std::span<const VersionId> versions)
    : values_(history.values()), key_(key), initial_version_(OrderProblem::initial_version(key)) {
  ISOSCOPE_REQUIRE(accesses.use(key) == KeyUse::list);
  const auto initial = history.initial_value(key);
  if (initial && values_.kind(*initial) == ValueKind::list) initial_ = *initial;
  for (const ValueId element : values_.list_elements(initial_)) ++times_[element.value];
  std::unordered_map<Txn, VersionId> version_of;
  for (const VersionId version : versions) version_of[p.versions[version].writer] = version;
  std::map<std::vector<ValueId>, std::uint32_t> known;
  for_each_run(accesses.of(key), [&](std::span<const Access> run) {
    if (history.outcome(run[0].transaction) == Outcome::aborted) return;
    std::vector<ValueId> elements;
    for (const Access& access : run) {
      if (access.is_read()) continue;
      elements.push_back(access.value);
      ++times_[access.value.value];
    }
    const Txn t = p.number[run[0].transaction.index()];
    if (elements.empty() || t == none) return;
    ISOSCOPE_ENSURE(version_of.contains(t));
    const auto [at, is_new] = known.try_emplace(elements, blocks_.size());
    if (is_new) {
      by_last_[elements.back().value].push_back(at->second);
      blocks_.push_back({std::move(elements), {}});
    }
    blocks_[at->second].versions.push_back(version_of.at(t));
    block_of_[version_of.at(t)] = at->second;
  });
  for (Block& block : blocks_) std::ranges::sort(block.versions);
}

bool ListBlocks::ends_in(ValueId list, const Block& block) const {
  if (values_.list_size(list) < block.elements.size() + values_.list_size(initial_)) return false;
  for (std::size_t i = block.elements.size(); i > 0; --i) {
    if (values_.list_last(list) != block.elements[i - 1]) return false;
    list = values_.list_prefix(list);
  }
  return true;
}

void ListBlocks::find_blocks(ValueId list, std::vector<std::uint32_t>& found) const {
  if (list == ValuePool::empty_list) return;
  const auto blocks = by_last_.find(values_.list_last(list).value);
  if (blocks == by_last_.end()) return;
  for (const std::uint32_t block : blocks->second) {
    if (ends_in(list, blocks_[block])) found.push_back(block);
  }
}

void ListBlocks::find_candidates(ValueId list, std::vector<VersionId>& found) const {
  std::vector<std::uint32_t> blocks;
  find_blocks(list, blocks);
  if (list == initial_) found.push_back(initial_version_);
  for (const std::uint32_t block : blocks) {
    found.insert(found.end(), blocks_[block].versions.begin(), blocks_[block].versions.end());
  }
  std::ranges::sort(found);
}

bool ListBlocks::may_have_left(VersionId version, ValueId list) const {
  if (version == initial_version_) return list == initial_;
  const auto block = block_of_.find(version);
  ISOSCOPE_REQUIRE(block != block_of_.end());
  return ends_in(list, blocks_[block->second]);
}

std::uint32_t ListBlocks::appends(VersionId version) const {
  const std::size_t size = version == initial_version_
                               ? values_.list_size(initial_)
                               : blocks_[block_of_.at(version)].elements.size();
  return static_cast<std::uint32_t>(size);
}

ValueId ListBlocks::before(VersionId version, ValueId list) const {
  ISOSCOPE_REQUIRE(appends(version) <= values_.list_size(list));
  for (std::uint32_t left = appends(version); left > 0; --left) list = values_.list_prefix(list);
  return list;
}

bool ListBlocks::has_too_often(ValueId list, std::span<const Access> run) const {
  std::unordered_map<std::uint32_t, std::size_t> left;
  const auto left_of = [&](ValueId element) -> std::size_t& {
    const auto [at, is_new] = left.try_emplace(element.value, 0);
    const auto times = times_.find(element.value);
    if (is_new && times != times_.end()) at->second = times->second;
    return at->second;
  };
  for (const Access& access : run) {
    if (!access.is_read()) --left_of(access.value);
  }
  for (; list != ValuePool::empty_list; list = values_.list_prefix(list)) {
    std::size_t& times = left_of(values_.list_last(list));
    if (times == 0) return true;
    --times;
  }
  return false;
}

}  // namespace isoscope::strong
