#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/contract.h"
#include "isoscope/base/result.h"
#include "isoscope/history/history.h"
#include "isoscope/history/value.h"

namespace isoscope {

class OperationLog;

/// A look at one value of a log. Scalars are nil, integers, strings, and keywords as strings with
/// their colon; vectors, lists and sets are sequences; the children of a map are key, value, key,
/// value, and so on.
class LogValue {
 public:
  enum class Kind : std::uint8_t { scalar, sequence, map };

  LogValue(const OperationLog& log, std::uint32_t node) : log_(&log), node_(node) {}

  Kind kind() const;
  bool is_nil() const;
  bool is_integer() const;
  bool is_sequence() const { return kind() == Kind::sequence; }
  bool is_map() const { return kind() == Kind::map; }
  /// Each may be asked only of a value that has it.
  ValueId scalar() const;
  std::int64_t integer() const;
  /// The number of children.
  std::size_t size() const;

  class Iterator {
   public:
    Iterator(const OperationLog& log, std::uint32_t node) : log_(&log), node_(node) {}
    LogValue operator*() const { return {*log_, node_}; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return node_ == other.node_; }

   private:
    const OperationLog* log_;
    std::uint32_t node_;
  };
  Iterator begin() const { return {*log_, node_ + 1}; }
  Iterator end() const;
  /// The child of that number.
  LogValue operator[](std::size_t number) const;

  /// The same scalar, or the same children in the same order. Both must be of one log.
  bool operator==(const LogValue& other) const;
  /// As EDN writes it, `[0 nil]`, cut short if it is longer than `most` bytes.
  std::string text(std::size_t most = 60) const;

 private:
  void append_text(std::string& to, std::size_t most) const;

  const OperationLog* log_;
  std::uint32_t node_;
};

/// What the clients of a Jepsen test did where their operations are no transactions: adds to a
/// set, transfers between accounts, acquisitions of a lock. It is for the checks of whole workloads
/// (isoscope/models/check_model.h).
///
/// Operations are in the order in which they begin. Real time is the order of lines, as in Jepsen:
/// an operation has a line for its invocation and one for its completion, counted among the
/// clients' lines from 1 on. Costs 12 bytes for each value. Immutable once it was read.
class OperationLog {
 public:
  struct Operation {
    ValueId f = ValuePool::nil;  ///< a string, without its colon; nil if there is none
    Outcome outcome = Outcome::indeterminate;
    std::optional<std::int64_t> process = {};
    std::uint64_t invoked = 0;        ///< 0: there is no such line, so when it began is not known
    std::uint64_t completed = never;  ///< the line of :ok or :fail
    std::int64_t index = -1;          ///< of the completion, if there is one; -1: not known
    std::uint64_t offset = 0;         ///< of the last line about it in the file, in bytes
    std::uint32_t request = no_value;
    std::uint32_t reply = no_value;
  };
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  explicit OperationLog(std::string source_name) : source_name_(std::move(source_name)) {}

  std::span<const Operation> operations() const { return operations_; }
  /// What was asked for, and what came back; nothing where it is nil or was not logged.
  std::optional<LogValue> request(const Operation& operation) const {
    return value_at(operation.request);
  }
  std::optional<LogValue> reply(const Operation& operation) const {
    return value_at(operation.reply);
  }
  const ValuePool& values() const { return values_; }
  std::string_view f(const Operation& operation) const {
    return operation.f == ValuePool::nil ? "" : values_.string_of(operation.f);
  }

  /// An Error about this operation. Its position is a byte; with_line() finds the line.
  Error error(const Operation& operation, std::string what) const {
    return Error{std::move(what), source_name_, Position{operation.offset, 0, 0}};
  }

  // For the reader, and for tests.

  ValuePool& values() { return values_; }
  std::vector<Operation>& operations() { return operations_; }
  /// Adds a scalar, or opens a collection that ends at close(). Each returns its number.
  std::uint32_t add(ValueId scalar) { return add(LogValue::Kind::scalar, scalar); }
  std::uint32_t open(LogValue::Kind kind) { return add(kind, ValuePool::nil); }
  void close(std::uint32_t opened) {
    nodes_[opened].end = static_cast<std::uint32_t>(nodes_.size());
  }

 private:
  friend class LogValue;

  static constexpr std::uint32_t no_value = std::numeric_limits<std::uint32_t>::max();

  struct Node {
    ValueId scalar;
    std::uint32_t end = 0;  // the number after the last value inside
    LogValue::Kind kind = LogValue::Kind::scalar;
  };

  std::uint32_t add(LogValue::Kind kind, ValueId scalar) {
    ISOSCOPE_REQUIRE(nodes_.size() < no_value - 1);
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({scalar, number + 1, kind});
    return number;
  }
  std::optional<LogValue> value_at(std::uint32_t node) const {
    if (node == no_value) return std::nullopt;
    return LogValue(*this, node);
  }

  std::string source_name_;
  ValuePool values_;
  std::vector<Node> nodes_;
  std::vector<Operation> operations_;
};

}  // namespace isoscope
