#pragma once

#include <optional>
#include <string_view>

#include "isoscope/history/history_builder.h"
#include "models/model_checks.h"

namespace isoscope::models {

/// One object as the only key of a history, and each operation as a transaction of its own.
///
/// An operation then takes effect at one point between its beginning and its end, in an order that
/// all clients agree on: linearizability is strict serializability, and sequential consistency is
/// serializability with the order of each session. A compare-and-set is an update: if it took
/// effect, it was applied to what it expected. An operation of unknown outcome may take effect
/// at any time after its beginning, or never; one that failed never does.
///
/// Real time is the order of lines.
class OneObject {
 public:
  OneObject(const OperationLog& log, std::string_view name);

  ValueId string(std::string_view text) { return builder_.values().string(text); }
  /// A scalar of the log as a value of the history. Nil is nil.
  ValueId value(LogValue scalar);
  void set_initial(ValueId value) { builder_.set_initial(key_, value); }

  /// The next operation: what it read, what it wrote, or both.
  void add(const OperationLog::Operation& operation, std::optional<ValueId> read,
           std::optional<ValueId> written);
  /// The next operation is a compare-and-set of a client that takes it as done.
  void add_compare_and_set(const OperationLog::Operation& operation, ValueId expected,
                           ValueId replacement);
  std::size_t size() const { return builder_.transaction_count(); }

  /// Whether the history is at the level.
  ModelVerdict check(const ModelOptions& options) &&;

 private:
  const OperationLog& log_;
  HistoryBuilder builder_;
  void begin(const OperationLog::Operation& operation);

  KeyId key_;
};

}  // namespace isoscope::models
