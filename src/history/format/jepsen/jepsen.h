#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "history/format/jepsen/micro_operation.h"
#include "history/format/jepsen/term.h"
#include "isoscope/base/source.h"

namespace isoscope::format {

/// Makes a History of the operations that a Jepsen test logged, given one after the other,
/// whichever notation they came in (docs/formats/jepsen.md):
///
///   {:process 0 :type :invoke :f :txn :value [[:append 7 1] [:r 8 nil]]   :time 10 :index 0}
///   {:process 0 :type :ok     :f :txn :value [[:append 7 1] [:r 8 [3 4]]] :time 25 :index 1}
///
/// An :invoke and the next operation of the same process are one transaction, named by the :index
/// of the second; a process is a session. :ok is committed, :fail aborted, :info and no completion
/// at all indeterminate. Operations of processes that are no integers (the nemesis) are passed
/// over.
///
/// Holds the transactions under way and the history so far; each operation costs time linear in its
/// size.
class JepsenReader {
 public:
  /// `source` is for messages and must outlive the reader.
  JepsenReader(const Source& source, std::string source_name, Notation notation,
               TimeSource time_from)
      : source_(source), time_from_(time_from), micro_(builder_, notation, std::move(source_name)) {
    builder_.set_time_source(time_from);
  }
  JepsenReader(const JepsenReader&) = delete;
  JepsenReader& operator=(const JepsenReader&) = delete;

  /// The next operation. After an Error, do not go on; it may have only the byte as its position
  /// (locate.h).
  Status add(Term operation);
  Result<History> finish() &&;

 private:
  /// An operation with its names as values of the history.
  struct Operation : LoggedOperation {
    explicit Operation(const LoggedOperation& operation) : LoggedOperation(operation) {}

    std::optional<ValueId> name_value;
    std::optional<ValueId> session_value;
  };

  /// What is left to do for a process.
  struct Process {
    bool has_invoked = false;
    bool is_waiting = false;
    // What is known of the operation under way, if the process is waiting:
    bool is_init = false;
    std::uint64_t offset = 0;
    MicroOperations request;
    std::optional<std::int64_t> time;
    std::optional<ValueId> name;
    std::optional<ValueId> session;
    std::optional<std::int64_t> process;
  };

  Status read_names(Operation& operation);
  Status invoke(const Operation& operation, Process& process);
  Status complete(const Operation& operation, Process& process);
  Status init(const Operation& operation, Process& process);
  /// The operation's micro-operations, or why its workload is none of those we read.
  Status micro_operations(const Operation& operation, Phase phase, MicroOperations& into);
  /// Adds the transaction to the history; `end` is only for those whose end is known.
  Status add_transaction(const Process& process, Outcome outcome, std::optional<std::int64_t> end,
                         const MicroOperations& content);

  bool is_init(const Operation& operation) const {
    return operation.f && micro_.is_name(*operation.f) && operation.f->text() == "init";
  }
  std::string spell(std::string_view name) const { return micro_.spell(name); }
  std::string where(const Process& process) const;
  std::string who(const Operation& operation) const;

  const Source& source_;
  const TimeSource time_from_;
  HistoryBuilder builder_;
  MicroOperationReader micro_;
  std::unordered_map<std::int64_t, Process> processes_;
  Process nobody_;  // operations without a process
  MicroOperations reply_;
  std::uint64_t client_operations_ = 0;
};

}  // namespace isoscope::format
