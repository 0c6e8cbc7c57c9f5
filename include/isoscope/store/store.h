#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace isoscope {

/// Mistakes that can be switched on in an embedded store, to see a checker find them.
enum class Bug : std::uint8_t {
  none,
  dirty_read,  ///< reads return the newest write of a key, committed or not
};

std::string_view name_of(Bug bug);

/// An in-memory key-value store of integers with transactions at read committed: writes are kept
/// aside until commit, reads return the transaction's own write or the last committed value. Nobody
/// ever waits, and the last commit wins.
///
/// Single-threaded on purpose: whoever calls it decides the interleaving, so a run can be repeated
/// exactly.
class Store {
 public:
  using Transaction = std::size_t;

  Store(std::size_t keys, Bug bug) : committed_(keys), bug_(bug) {}

  Transaction begin();
  /// Nothing: never written.
  std::optional<std::int64_t> read(Transaction transaction, std::size_t key) const;
  void write(Transaction transaction, std::size_t key, std::int64_t value);
  void commit(Transaction transaction);
  void abort(Transaction transaction);

 private:
  struct Pending {
    Transaction transaction;
    std::size_t key;
    std::int64_t value;
  };

  void forget(Transaction transaction);

  std::vector<std::optional<std::int64_t>> committed_;
  std::vector<Pending> pending_;  // in the order of the writes
  Transaction next_ = 0;
  Bug bug_;
};

}  // namespace isoscope
