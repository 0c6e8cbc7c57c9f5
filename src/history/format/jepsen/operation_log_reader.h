#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/format/jepsen/logged_operation.h"
#include "isoscope/base/source.h"
#include "isoscope/history/operation_log.h"

namespace isoscope::format {

/// Makes an OperationLog of the operations that a Jepsen test logged, given one after the other,
/// whatever their :f and :value are:
///
///   {:process 0 :type :invoke :f :add :value 7}
///   {:process 0 :type :ok     :f :add :value 7}
///
/// An :invoke and the next operation of the same process are one operation. Where there is no
/// process, a completion is that of the one open :invoke with the same :f and :value, where a
/// :value of nil is the same as any; if there are several of that kind, that is an error.
class OperationLogReader {
 public:
  /// The source and the origin of times are not needed; they are what JepsenReader takes, too.
  OperationLogReader(const Source&, std::string source_name, Notation notation, TimeSource)
      : words_(notation, source_name), log_(std::move(source_name)) {}

  /// The next operation. After an Error, do not go on; its position is a byte (locate.h).
  Status add(Term form);
  Result<OperationLog> finish() && { return std::move(log_); }

 private:
  /// The operations under way of one process, or of nobody in particular.
  struct Waiting {
    bool has_invoked = false;
    std::vector<std::size_t> open;
  };

  Status invoke(const LoggedOperation& logged, Waiting& waiting);
  Status complete(const LoggedOperation& logged, Waiting& waiting);
  /// The place in `open` of the operation that this completes; nothing if there is none.
  Result<std::optional<std::size_t>> completed_by(const LoggedOperation& logged,
                                                  const OperationLog::Operation& completion,
                                                  const Waiting& waiting) const;
  Status read_content(const LoggedOperation& logged, ValueId& f, std::uint32_t& value);
  Result<std::uint32_t> read_value(Term term);
  Result<ValueId> scalar(Term term);

  LogWords words_;
  OperationLog log_;
  std::unordered_map<std::int64_t, Waiting> processes_;
  Waiting nobody_;
  std::uint64_t lines_ = 0;
};

}  // namespace isoscope::format
