#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isoscope/history/history_builder.h"

namespace isoscope::format {

/// Holds the transactions of a file that a HistoryBuilder cannot be given while reading: because
/// operations of different transactions interleave, or because only the end of the file tells what
/// some of them mean.
///
///   OperationBuffer buffer(builder);
///   const std::size_t t = buffer.begin_transaction(session, name);
///   buffer.add(t, OperationKind::write, key, value);
///   buffer.move_to_builder();
///
/// Keys, values and sessions are the builder's own. Costs 16 bytes an operation while it lasts.
class OperationBuffer {
 public:
  struct Entry {
    std::uint32_t transaction;
    KeyId key;
    ValueId value;
    OperationKind kind;
  };
  struct Transaction {
    SessionId session;
    std::optional<ValueId> name;
    Outcome outcome = Outcome::committed;
    /// It will not become part of the history.
    bool left_out = false;
  };

  explicit OperationBuffer(HistoryBuilder& builder) : builder_(builder) {}

  /// Returns the transaction's number here.
  std::size_t begin_transaction(SessionId session, std::optional<ValueId> name = std::nullopt) {
    transactions_.push_back({session, name});
    return transactions_.size() - 1;
  }
  void add(std::size_t transaction, OperationKind kind, KeyId key, ValueId value) {
    entries_.push_back({static_cast<std::uint32_t>(transaction), key, value, kind});
  }

  std::vector<Entry>& entries() { return entries_; }
  Transaction& transaction(std::size_t number) { return transactions_[number]; }
  std::size_t transaction_count() const { return transactions_.size(); }

  /// Gives the builder all transactions in the order they were begun, each with its operations in
  /// the order they were added.
  void move_to_builder();

 private:
  void group_by_transaction();

  HistoryBuilder& builder_;
  std::vector<Entry> entries_;
  std::vector<Transaction> transactions_;
};

}  // namespace isoscope::format
