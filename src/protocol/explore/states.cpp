#include "protocol/explore/states.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::protocol {

std::uint64_t hash_of(const std::uint64_t* words, std::size_t count) {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ words[i]) * 0xBF58476D1CE4E5B9;
    hash ^= hash >> 31;
  }
  hash *= 0x94D049BB133111EB;
  return hash ^ (hash >> 29);
}

namespace {

/// Bits of the hash that choose neither the shard nor the slot.
std::uint8_t tag_of(std::uint64_t hash) { return static_cast<std::uint8_t>(hash >> 48); }

}  // namespace

std::size_t StateSet::size() const {
  std::size_t result = 0;
  for (const Shard& shard : shards_) result += shard.size;
  return result;
}

std::size_t StateSet::memory() const {
  std::size_t result = shards_.size() * sizeof(Shard);
  for (const Shard& shard : shards_) {
    result += shard.slots.capacity() * (sizeof(std::uint32_t) + 1) +
              shard.blocks.size() * (sizeof(Block) + block_size * words_ * sizeof(std::uint64_t)) +
              shard.blocks.capacity() * sizeof(void*);
  }
  return result;
}

std::size_t StateSet::slot_of(const Shard& shard, const std::uint64_t* wanted,
                              std::uint64_t hash) const {
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t slot = hash & mask;
  const std::uint8_t tag = tag_of(hash);
  while (shard.slots[slot] != 0 &&
         (shard.tags[slot] != tag ||
          !std::equal(wanted, wanted + words_, packed(shard, shard.slots[slot] - 1)))) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

bool StateSet::contains(const std::uint64_t* wanted, std::uint64_t hash) const {
  const Shard& shard = shards_[shard_of(hash)];
  return !shard.slots.empty() && shard.slots[slot_of(shard, wanted, hash)] != 0;
}

StateId StateSet::find(const std::uint64_t* wanted, std::uint64_t hash) const {
  const Shard& shard = shards_[shard_of(hash)];
  ISOSCOPE_REQUIRE(contains(wanted, hash));
  return id(shard_of(hash), shard.slots[slot_of(shard, wanted, hash)] - 1);
}

void StateSet::grow(Shard& shard) {
  shard.slots.assign(std::max<std::size_t>(64, shard.slots.size() * 2), 0);
  shard.tags.assign(shard.slots.size(), 0);
  for (std::size_t i = 0; i < shard.size; ++i) {
    const std::uint64_t* state = packed(shard, i);
    const std::uint64_t hash = hash_of(state, words_);
    const std::size_t slot = slot_of(shard, state, hash);
    shard.slots[slot] = static_cast<std::uint32_t>(i + 1);
    shard.tags[slot] = tag_of(hash);
  }
}

bool StateSet::add(const std::uint64_t* state, std::uint64_t hash, StateId predecessor) {
  Shard& shard = shards_[shard_of(hash)];
  if (shard.size * 8 >= shard.slots.size() * 5) grow(shard);
  const std::size_t slot = slot_of(shard, state, hash);
  if (shard.slots[slot] != 0) return false;
  const std::size_t index = shard.size++;
  if (index % block_size == 0) {
    auto block = std::make_unique<Block>();
    block->states = std::make_unique<std::uint64_t[]>(block_size * words_);
    shard.blocks.push_back(std::move(block));
  }
  Block& block = *shard.blocks.back();
  std::copy_n(state, words_, block.states.get() + index % block_size * words_);
  block.predecessors[index % block_size] = predecessor;
  shard.slots[slot] = static_cast<std::uint32_t>(index + 1);
  shard.tags[slot] = tag_of(hash);
  return true;
}

}  // namespace isoscope::protocol
