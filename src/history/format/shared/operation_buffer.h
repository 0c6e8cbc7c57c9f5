#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
/// Keys, values and sessions are the builder's own. Where nothing interleaves and nothing is left
/// out, the operations become the history's without being copied.
class OperationBuffer {
 public:
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
    if (pieces_.empty() || pieces_.back().transaction != transaction) {
      begin_piece(transaction);
    }
    operations_.push_back(Operation::item(kind, key, value));
  }

  /// All of them, in the order in which they were added.
  std::vector<Operation>& operations() { return operations_; }
  /// Calls visit(operations) for each piece in which the transaction's operations stand.
  template <class Visit>
  void for_each_piece_of(std::size_t transaction, const Visit& visit) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].transaction == transaction) visit(operations_of(i));
    }
  }
  Transaction& transaction(std::size_t number) { return transactions_[number]; }
  std::size_t transaction_count() const { return transactions_.size(); }

  /// Gives the builder all transactions in the order they were begun, each with its operations in
  /// the order they were added.
  void move_to_builder();

 private:
  /// Operations of one transaction in a row: from `first` to the next piece.
  struct Piece {
    std::uint32_t first;
    std::uint32_t transaction;
  };

  void begin_piece(std::size_t transaction) {
    ISOSCOPE_ENSURE(operations_.size() < 0xFFFFFFFF);
    pieces_.push_back(
        {static_cast<std::uint32_t>(operations_.size()), static_cast<std::uint32_t>(transaction)});
  }
  std::span<const Operation> operations_of(std::size_t piece) const {
    const std::size_t end =
        piece + 1 < pieces_.size() ? pieces_[piece + 1].first : operations_.size();
    return std::span(operations_).subspan(pieces_[piece].first, end - pieces_[piece].first);
  }
  /// Whether the operations stand as the builder wants them.
  bool are_in_place() const;
  /// Puts the operations of each transaction together, without those that are left out.
  void put_in_place();

  HistoryBuilder& builder_;
  std::vector<Operation> operations_;
  std::vector<Piece> pieces_;
  std::vector<Transaction> transactions_;
};

}  // namespace isoscope::format
