#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/protocol/abstract_model.h"
#include "isoscope/protocol/instance.h"

namespace isoscope::protocol {

/// What is remembered of time besides the model's own state.
enum class RememberedTime : std::uint8_t {
  nothing,
  ends,   ///< for each transaction, whether it has begun and whether its client was answered
  order,  ///< also for each two, whether the one's client was answered when the other began
};

/// All that a state of a model with definite sizes consists of, cell by cell. First come the places
/// of an Instance's State in the same order; then what is watched of time; then the model's orders,
/// with a cell for each pair that says whether the one is before the other. Cells hold what a State
/// holds, except that "none" is `nobody`.
class Cells {
 public:
  static constexpr std::uint8_t nobody = 63;

  Cells(const Model& model, Sizes sizes, RememberedTime time);

  const Instance& instance() const { return instance_; }
  const Model& model() const { return instance_.model(); }
  std::size_t count(Sort sort) const { return instance_.count(sort); }
  std::size_t transactions() const { return count(Sort::transaction); }
  std::size_t keys() const { return count(Sort::key); }
  std::size_t size() const { return size_; }

  std::uint32_t place(std::uint32_t component, std::span<const std::uint8_t> arguments) const {
    return static_cast<std::uint32_t>(instance_.place(component, arguments));
  }
  RememberedTime remembered_time() const { return remembered_time_; }
  bool remembers_time() const { return remembered_time_ != RememberedTime::nothing; }
  std::uint32_t begun(std::size_t transaction) const {
    return static_cast<std::uint32_t>(instance_.state_size() + transaction);
  }
  std::uint32_t answered(std::size_t transaction) const {
    return static_cast<std::uint32_t>(instance_.state_size() + transactions() + transaction);
  }
  /// Was the first one's client answered when the second began?
  std::uint32_t preceded(std::size_t first, std::size_t second) const {
    return static_cast<std::uint32_t>(instance_.state_size() + (2 + first) * transactions() +
                                      second);
  }
  std::uint32_t order(std::uint32_t order, std::size_t first, std::size_t second) const {
    return static_cast<std::uint32_t>(orders_ + (order * transactions() + first) * transactions() +
                                      second);
  }
  std::size_t first_order_cell() const { return orders_; }

  /// Fixed from the start: a constant's, or an order's.
  bool is_fixed(std::size_t cell) const { return is_fixed_[cell]; }
  bool holds_transaction(std::size_t cell) const { return holds_transaction_[cell]; }
  /// How many values a fixed cell can have.
  std::uint8_t value_count(std::size_t cell) const { return value_count_[cell]; }

  /// At the start: constants and orders all 0.
  const std::vector<std::uint8_t>& initial() const { return initial_; }
  State state(const std::uint8_t* values) const;
  std::vector<std::uint8_t> values(const State& state) const;

  /// Where the cell's value goes when keys and transactions are renamed; clients go along with
  /// their transactions.
  std::uint32_t renamed(std::size_t cell, std::span<const std::uint8_t> keys,
                        std::span<const std::uint8_t> clients) const;
  std::uint8_t renamed_transaction(std::uint8_t transaction,
                                   std::span<const std::uint8_t> clients) const;

 private:
  Instance instance_;
  RememberedTime remembered_time_;
  std::size_t orders_ = 0;
  std::size_t size_ = 0;
  std::vector<bool> is_fixed_, holds_transaction_;
  std::vector<std::uint8_t> value_count_, initial_;
  struct Where {
    std::uint32_t first = 0;  ///< cell of the component (or of what else stands there)
    std::vector<Sort> sorts;
    std::vector<std::uint8_t> arguments;
  };
  std::vector<Where> where_;
};

}  // namespace isoscope::protocol
