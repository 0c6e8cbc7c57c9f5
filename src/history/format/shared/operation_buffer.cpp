#include "history/format/shared/operation_buffer.h"

#include <algorithm>
#include <numeric>

namespace isoscope::format {

bool OperationBuffer::are_in_place() const {
  return std::ranges::is_sorted(pieces_, {}, &Piece::transaction) &&
         std::ranges::none_of(transactions_, &Transaction::left_out);
}

void OperationBuffer::put_in_place() {
  std::vector<std::size_t> order(pieces_.size());  // of the pieces
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return pieces_[i].transaction; });
  std::vector<Operation> placed;
  std::vector<Piece> pieces;
  placed.reserve(operations_.size());
  for (const std::size_t i : order) {
    const std::uint32_t transaction = pieces_[i].transaction;
    if (transactions_[transaction].left_out) continue;
    if (pieces.empty() || pieces.back().transaction != transaction) {
      pieces.push_back({static_cast<std::uint32_t>(placed.size()), transaction});
    }
    const auto operations = operations_of(i);
    placed.insert(placed.end(), operations.begin(), operations.end());
  }
  operations_ = std::move(placed);
  pieces_ = std::move(pieces);
}

void OperationBuffer::move_to_builder() {
  if (!are_in_place()) put_in_place();
  std::vector<HistoryBuilder::Collected> collected;
  collected.reserve(transactions_.size());
  auto piece = pieces_.begin();
  for (std::size_t t = 0; t < transactions_.size(); ++t) {
    const Transaction& transaction = transactions_[t];
    const std::size_t first = piece != pieces_.end() ? piece->first : operations_.size();
    if (piece != pieces_.end() && piece->transaction == t) ++piece;
    if (transaction.left_out) continue;
    collected.push_back({transaction.session, transaction.name, transaction.outcome, first});
  }
  builder_.add_collected(std::move(operations_), collected);
  operations_.clear();
  pieces_.clear();
  transactions_.clear();
}

}  // namespace isoscope::format
