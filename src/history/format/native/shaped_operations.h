#pragma once

#include <array>
#include <span>
#include <vector>

#include "history/format/native/operation_shape.h"
#include "isoscope/base/byte_reader.h"
#include "isoscope/history/history_builder.h"

namespace isoscope::format {

/// Reads the operations that have the shape of one before (operation_shape.h) into a builder.
///
///   if (!operations.take(input)) { operations.hand_in(); read the operation some other way }
///
/// Looking up rows among a million others is waiting for memory. So a few operations are collected,
/// and the memory is asked for, before the first of them is looked up. The builder comes to know
/// everything in the order in which it is in the file, as if nothing was collected.
class ShapedOperations {
 public:
  explicit ShapedOperations(HistoryBuilder& builder) : builder_(builder) {}

  /// Takes the operation at the front of `input`, if it has a known shape. Otherwise remembers its
  /// shape, and the caller reads it: the names in it must be known when the next one is taken.
  bool take(ByteReader& input);
  /// How many are collected, and not yet with the builder.
  std::size_t waiting() const { return waiting_.size(); }
  /// Gives the builder what is collected. To be called before anything else is given to it.
  void hand_in() {
    if (!waiting_.empty()) hand_in_all();
  }

 private:
  static constexpr std::size_t max_shapes = 16;
  static constexpr std::size_t max_waiting = 16;
  static constexpr std::size_t look_ahead = 512;  // no longer operation is given a shape

  struct Known {
    OperationShape shape;
    TableId table;
    RowShape row;
  };
  struct Waiting {
    OperationKind kind;
    std::size_t shape;
    std::uint64_t hash;  // of the value, if it is a row
    std::array<std::int64_t, OperationShape::max_integers> integers;

    std::int64_t key() const { return integers[0]; }
    /// Those of the value.
    std::span<const std::int64_t> value(std::size_t count) const {
      return std::span(integers).subspan(1, count);
    }
  };

  bool take(ByteReader& input, std::size_t shape);
  void know(OperationShape shape);
  void hand_in_all();

  HistoryBuilder& builder_;
  std::vector<Known> known_;
  std::size_t latest_ = 0;                // among them
  std::optional<OperationShape> unread_;  // of the operation that the caller is reading
  std::vector<Waiting> waiting_;
};

}  // namespace isoscope::format
