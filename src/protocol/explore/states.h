#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace isoscope::protocol {

/// Number of a state in a StateSet.
using StateId = std::uint32_t;
inline constexpr StateId no_state = UINT32_MAX;

std::uint64_t hash_of(const std::uint64_t* words, std::size_t count);

/// Packed states, each once, with the state that each was first reached from. They are divided into
/// shards by hash, so that several threads can add states at once: each shard belongs to one
/// thread.
///
/// Memory per state of w words: 8w + 4 bytes, and 8 to 16 for its place in the index, which is an
/// open hash table of numbers. Blocks never move, so nothing is copied when a shard grows.
class StateSet {
 public:
  static constexpr std::size_t shard_bits = 6, shard_count = std::size_t{1} << shard_bits;

  explicit StateSet(std::size_t words) : words_(words), shards_(shard_count) {}

  std::size_t words() const { return words_; }
  static std::size_t shard_of(std::uint64_t hash) { return hash >> (64 - shard_bits); }
  std::size_t size() const;
  std::size_t size_of_shard(std::size_t shard) const { return shards_[shard].size; }
  std::size_t memory() const;

  static StateId id(std::size_t shard, std::size_t index) {
    return static_cast<StateId>(index << shard_bits | shard);
  }
  const std::uint64_t* packed(StateId id) const {
    return packed(shards_[id & (shard_count - 1)], id >> shard_bits);
  }
  StateId predecessor(StateId id) const {
    const Shard& shard = shards_[id & (shard_count - 1)];
    const std::size_t index = id >> shard_bits;
    return shard.blocks[index / block_size]->predecessors[index % block_size];
  }

  bool contains(const std::uint64_t* packed, std::uint64_t hash) const;
  /// True if the state is new. `hash` says which shard it belongs to.
  bool add(const std::uint64_t* packed, std::uint64_t hash, StateId predecessor);
  /// The state must be there.
  StateId find(const std::uint64_t* packed, std::uint64_t hash) const;

 private:
  static constexpr std::size_t block_size = 512;
  struct Block {
    std::unique_ptr<std::uint64_t[]> states;
    std::array<StateId, block_size> predecessors;
  };
  struct Shard {
    std::size_t size = 0;
    std::vector<std::unique_ptr<Block>> blocks;
    std::vector<std::uint32_t> slots;  ///< 1 + index; 0: free
    std::vector<std::uint8_t>
        tags;  ///< by slot: bits of the hash, so that few states are looked at
  };

  const std::uint64_t* packed(const Shard& shard, std::size_t index) const {
    return shard.blocks[index / block_size]->states.get() + index % block_size * words_;
  }
  std::size_t slot_of(const Shard& shard, const std::uint64_t* packed, std::uint64_t hash) const;
  void grow(Shard& shard);

  std::size_t words_;
  std::vector<Shard> shards_;
};

}  // namespace isoscope::protocol
