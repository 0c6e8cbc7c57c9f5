#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/history/history.h"

namespace isoscope::verifier {

/// What the operations of a history, aborted transactions included, treat a key as.
enum class KeyUse : std::uint8_t {
  reg,   ///< written and read
  list,  ///< appended to, or read as a list and never written
  both,  ///< appended to and written: what that makes is not defined
};

std::vector<KeyUse> key_uses(const History& history);

/// A register that holds nothing may have been recorded as nil or as the empty list.
inline ValueId register_value(ValueId value) {
  return value == ValuePool::empty_list ? ValuePool::nil : value;
}

/// The value of a list key as a list: nil, and an initial value that is no list, are the empty one.
/// What else is no list stays as it is, and is no version of the key.
ValueId list_value(const History& history, KeyId key, ValueId value);

/// Takes these elements off the list's end; false if it does not end in them.
bool take_end(const ValuePool& values, ValueId& list, std::span<const ValueId> end);

/// What the transactions that are not aborted left: the last value written to a register, all
/// elements appended to a list.
class Writes {
 public:
  explicit Writes(const History& history);

  struct Write {
    KeyId key;
    ValueId value;              ///< registers
    std::uint32_t appends = 0;  ///< lists: how many
  };
  /// Sorted by key.
  std::span<const Write> of(TransactionId t) const {
    ISOSCOPE_REQUIRE(t.index() + 1 < starts_.size());
    return std::span(writes_).subspan(starts_[t.index()],
                                      starts_[t.index() + 1] - starts_[t.index()]);
  }
  /// Null if t leaves the key alone.
  const Write* find(TransactionId t, KeyId key) const;
  /// Whether it is known what t, which writes the key, left there; of a list, that it is not empty.
  bool is_reported(TransactionId t, KeyId key) const {
    const Write* write = find(t, key);
    return write != nullptr && (use(key) == KeyUse::list || write->value != ValuePool::unreported);
  }
  /// Do both write some key? One that is appended to and written does not count.
  bool share_key(TransactionId t, TransactionId u) const;
  /// Does t write a key that one of these operations writes?
  bool share_key_before(TransactionId t, const History& history,
                        std::span<const Operation> operations) const;
  /// The place of a write among all of them.
  std::size_t number(const Write& write) const {
    ISOSCOPE_REQUIRE(&write >= writes_.data() && &write < writes_.data() + writes_.size());
    return static_cast<std::size_t>(&write - writes_.data());
  }
  std::size_t size() const { return writes_.size(); }

  struct Origin {
    KeyId key;
    ValueId value;
    TransactionId writer;
    std::uint32_t place = 0;  ///< lists: among the writer's appends to the key, from 0

    auto operator<=>(const Origin&) const = default;
  };
  /// The transactions that left this value in the register, or the appends of this element.
  std::span<const Origin> origins(KeyId key, ValueId value) const;
  /// All origins of a key. A list has one for each append.
  std::span<const Origin> origins(KeyId key) const;

  KeyUse use(KeyId key) const {
    ISOSCOPE_REQUIRE(key.index() < uses_.size());
    return uses_[key.index()];
  }
  /// May an element have been appended to the list more than once?
  bool repeats(KeyId key) const { return repeats_[key.index()]; }

 private:
  std::vector<KeyUse> uses_;
  std::vector<std::size_t> starts_;
  std::vector<Write> writes_;    // by transaction and key
  std::vector<Origin> origins_;  // sorted
  std::vector<bool> repeats_;    // by key
};

}  // namespace isoscope::verifier
