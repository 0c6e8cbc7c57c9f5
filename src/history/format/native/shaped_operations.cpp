#include "history/format/native/shaped_operations.h"

namespace isoscope::format {

bool ShapedOperations::take(ByteReader& input, std::size_t shape) {
  const OperationShape& expected = known_[shape].shape;
  const std::string_view text = input.window(expected.max_length());
  Waiting& next = waiting_.emplace_back();
  const std::size_t length = expected.match(text, next.integers.data());
  if (length == 0) {
    waiting_.pop_back();
    return false;
  }
  next.kind = text[2] == 'w' ? OperationKind::write : OperationKind::read;
  next.shape = shape;
  input.skip(length);
  const RowShape& row = known_[shape].row;
  if (row.size() != 0) {
    next.hash = builder_.values().row_hash(row, next.value(row.size()));
    builder_.values().prefetch_row(next.hash);
  }
  if (waiting_.size() == max_waiting) hand_in_all();
  return true;
}

bool ShapedOperations::take(ByteReader& input) {
  if (unread_) {
    know(std::move(*unread_));
    unread_.reset();
  }
  if (!known_.empty() && take(input, latest_)) return true;
  for (std::size_t shape = 0; shape < known_.size(); ++shape) {
    if (shape == latest_ || !take(input, shape)) continue;
    latest_ = shape;
    return true;
  }
  if (known_.size() < max_shapes) unread_ = OperationShape::of(input.window(look_ahead));
  return false;
}

void ShapedOperations::know(OperationShape shape) {
  std::vector<ValueId> names;
  for (const std::string& name : shape.columns()) names.push_back(builder_.values().string(name));
  const TableId table = builder_.table(shape.table());
  latest_ = known_.size();
  known_.push_back({std::move(shape), table, builder_.values().row_shape(names)});
}

void ShapedOperations::hand_in_all() {
  ValuePool& values = builder_.values();
  for (const Waiting& operation : waiting_) {
    if (known_[operation.shape].row.size() != 0) values.prefetch_row_content(operation.hash);
  }
  for (const Waiting& operation : waiting_) {
    const auto& [shape, table, row] = known_[operation.shape];
    const KeyId key = builder_.key(operation.key(), table);
    const ValueId value = row.size() == 0
                              ? values.integer(operation.integers[1])
                              : values.row(row, operation.value(row.size()), operation.hash);
    builder_.add(operation.kind, key, value);
  }
  waiting_.clear();
}

}  // namespace isoscope::format
