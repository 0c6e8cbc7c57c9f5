#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/history/history.h"

namespace isoscope::shrinking {

/// A write, or an append, of one key: by an operation of its own, or as one row of a predicate
/// write.
struct WriteAt {
  TransactionId transaction;
  std::uint32_t place = 0;  ///< among the transaction's operations
  KeyId key;

  auto operator<=>(const WriteAt&) const = default;
};

/// What the operations of a history treat a key as.
enum class KeyUse : std::uint8_t {
  reg,   ///< a register or row: written and read
  list,  ///< a list: appended to, or read as one and never written
  both,  ///< anything else: what that makes is not defined
};

/// All writes of a history by key and value, so that the transactions that may have written what
/// was read are found without a walk. The empty list counts as nil. Cost: a sort of the writes.
class WriteIndex {
 public:
  struct Write {
    KeyId key;
    ValueId value;  ///< or the element appended
    TransactionId transaction;
    std::uint32_t place = 0;
    bool is_append = false;
    bool is_final = false;  ///< its transaction's last write of the key
    bool may_count = true;  ///< its transaction did not abort

    WriteAt at() const { return {transaction, place, key}; }
    /// Others may have read what it left.
    bool is_version() const { return is_final && may_count; }
  };

  explicit WriteIndex(const History& history);

  std::span<const Write> of(KeyId key) const {
    return std::span(writes_).subspan(starts_[key.index()],
                                      starts_[key.index() + 1] - starts_[key.index()]);
  }
  std::span<const Write> of(KeyId key, ValueId value) const;
  KeyUse use(KeyId key) const;
  /// Predicate writes to the table that did not report what they changed.
  std::span<const WriteAt> unreported(TableId table) const { return unreported_[table.index()]; }

  static ValueId without_empty_list(ValueId value) {
    return value == ValuePool::empty_list ? ValuePool::nil : value;
  }

 private:
  enum Flag : std::uint8_t { appended = 1, written = 2, list_read = 4 };

  std::vector<Write> writes_;  // by key, value, transaction and place
  std::vector<std::size_t> starts_;
  std::vector<std::uint8_t> flags_;               // by key
  std::vector<std::vector<WriteAt>> unreported_;  // by table; their key says nothing
};

}  // namespace isoscope::shrinking
