#include "history/format/jepsen/jepsen.h"

#include <algorithm>
#include <vector>

#include "history/format/jepsen/locate.h"

namespace isoscope::format {

std::string JepsenReader::where(const Process& process) const {
  const Position position = locate(source_, process.offset);
  return spell("invoke") + (position.line == 0 ? " at byte " + std::to_string(position.byte)
                                               : " in line " + std::to_string(position.line));
}

std::string JepsenReader::who(const Operation& operation) const {
  if (operation.process) return "process " + std::to_string(*operation.process);
  return "no " + spell("process");
}

Status JepsenReader::read_names(Operation& operation) {
  if (operation.index) operation.name_value = builder_.values().integer(*operation.index);
  if (const auto& name = operation.name) {
    if (name->is(TermKind::integer)) {
      operation.name_value = builder_.values().integer(name->integer());
    } else if (name->is(TermKind::string)) {
      operation.name_value = builder_.transaction_name(name->text());
    } else {
      return micro_.expected("a transaction's name: an integer or a string", *name);
    }
  }
  if (const auto& session = operation.session) {
    if (session->is(TermKind::integer)) {
      operation.session_value = builder_.values().integer(session->integer());
    } else if (session->is(TermKind::string)) {
      operation.session_value = builder_.values().string(session->text());
    } else {
      return micro_.expected("a session's name: an integer or a string", *session);
    }
  }
  return Done{};
}

Status JepsenReader::add(Term term) {
  ISOSCOPE_TRY(logged, read_logged_operation(term, micro_));
  if (!logged.is_client) return Done{};
  Operation operation(logged);
  ISOSCOPE_TRY_STATUS(read_names(operation));
  ++client_operations_;
  if (time_from_ == TimeSource::lines) {
    operation.time = static_cast<std::int64_t>(client_operations_);
  }
  Process& process = operation.process ? processes_[*operation.process] : nobody_;
  if (operation.type == LogType::invoke) return invoke(operation, process);
  return complete(operation, process);
}

Status JepsenReader::micro_operations(const Operation& operation, Phase phase,
                                      MicroOperations& into) {
  const bool is_txn =
      !operation.f || (micro_.is_name(*operation.f) && operation.f->text() == "txn");
  if (!is_txn && !(operation.value && micro_.fits(*operation.value))) {
    return micro_.expected(
        spell("f") + " " + spell("txn") + " with a " + spell("value") +
            " of micro-operations (a list-append, rw-register or closed-predicate workload)",
        *operation.f);
  }
  if (!operation.value)
    return micro_.error(operation.offset, "expected an operation with a " + spell("value"));
  return micro_.read(*operation.value, phase, into);
}

Status JepsenReader::invoke(const Operation& operation, Process& process) {
  if (process.is_waiting) {
    return micro_.error(operation.offset, "expected the completion of the " + where(process) +
                                              ", found another " + spell("invoke") + " of " +
                                              who(operation));
  }
  if (is_init(operation)) {
    ISOSCOPE_TRY_STATUS(init(operation, process));
  } else {
    ISOSCOPE_TRY_STATUS(micro_operations(operation, Phase::requested, process.request));
  }
  process.has_invoked = true;
  process.is_waiting = true;
  process.is_init = is_init(operation);
  process.offset = operation.offset;
  process.time = operation.time;
  process.name = operation.name_value;
  process.session = operation.session_value;
  process.process = operation.process;
  return Done{};
}

Status JepsenReader::init(const Operation& operation, Process& process) {
  const bool answers = process.is_waiting;
  if (client_operations_ != (answers ? 2 : 1)) {
    return micro_.error(operation.offset,
                        "expected " + spell("f") + " " + spell("init") +
                            " only as the first operation, found it after others");
  }
  if (operation.type == LogType::fail || operation.type == LogType::info) {
    return micro_.error(operation.offset, "expected " + spell("f") + " " + spell("init") +
                                              " to be " + spell("ok") + ", found " +
                                              spell(name_of(operation.type)));
  }
  if (!operation.value)
    return micro_.error(operation.offset, "expected an operation with a " + spell("value"));
  reply_.rows.clear();
  ISOSCOPE_TRY_STATUS(micro_.read_rows(*operation.value, true, reply_.rows));
  std::ranges::sort(reply_.rows, {}, &RowVersion::key);
  if (operation.type == LogType::invoke) {
    process.request.operations.clear();
    process.request.rows = reply_.rows;
    return Done{};
  }
  if (answers && process.request.rows != reply_.rows) {
    return micro_.error(operation.value->offset(),
                        "expected the same keys and values as in the " + where(process));
  }
  process.is_waiting = false;
  for (const RowVersion& row : reply_.rows) builder_.set_initial(row.key, row.value);
  return Done{};
}

Status JepsenReader::complete(const Operation& operation, Process& process) {
  const std::string_view type_name = name_of(operation.type);
  const bool answers = process.is_waiting;
  if (!answers && process.has_invoked) {
    return micro_.error(operation.offset, "expected an " + spell("invoke") + " of " +
                                              who(operation) + " before, found its " +
                                              spell(type_name));
  }
  if (is_init(operation) || (answers && process.is_init)) {
    if (answers && is_init(operation) != process.is_init) {
      return micro_.error(operation.offset, "expected the completion of the " + where(process) +
                                                ", found one of another " + spell("f"));
    }
    return init(operation, process);
  }

  // A client that failed may log no value, but then it must have said before what it tried.
  const bool same_as_request = answers && !operation.value && operation.type != LogType::ok;
  if (!same_as_request) {
    const Phase phase = operation.type == LogType::ok ? Phase::succeeded : Phase::open;
    ISOSCOPE_TRY_STATUS(micro_operations(operation, phase, reply_));
    if (answers) {
      ISOSCOPE_TRY_STATUS(micro_.match(process.request, reply_, operation.value->offset(),
                                       [&] { return where(process); }));
    }
  }
  if (!answers) {
    process.time.reset();
    process.session = operation.session_value;
    process.process = operation.process;
  }
  process.is_waiting = false;
  process.name = operation.name_value;

  std::optional<std::int64_t> end;
  if (operation.type != LogType::info) end = operation.time;
  if (end && process.time && *end < *process.time) {
    return micro_.error(operation.time_offset, "expected a " + spell("time") + " of at least " +
                                                   std::to_string(*process.time) + " as in the " +
                                                   where(process) + ", found " +
                                                   std::to_string(*end));
  }
  const Outcome outcome = operation.type == LogType::ok     ? Outcome::committed
                          : operation.type == LogType::fail ? Outcome::aborted
                                                            : Outcome::indeterminate;
  return add_transaction(process, outcome, end, same_as_request ? process.request : reply_);
}

Status JepsenReader::add_transaction(const Process& process, Outcome outcome,
                                     std::optional<std::int64_t> end,
                                     const MicroOperations& content) {
  SessionId session;
  if (process.session) {
    session = builder_.session(*process.session);
  } else if (process.process) {
    session = builder_.session(builder_.values().integer(*process.process));
  } else {
    session = builder_.add_session();
  }
  // Some logs count per process: an index that is taken names nothing.
  const bool named = process.name && !builder_.has_transaction(*process.name);
  builder_.begin_transaction(session, named ? process.name : std::nullopt);
  builder_.set_outcome(outcome);
  builder_.set_times(process.time, end);
  for (const MicroOperation& micro : content.operations) {
    if (micro.kind != OperationKind::predicate_read) {
      builder_.add(micro.kind, micro.key, micro.value);
      continue;
    }
    std::optional<std::span<const RowVersion>> rows;
    if (micro.reported) rows = std::span(content.rows).subspan(micro.first_row, micro.row_count);
    builder_.add_predicate(micro.kind, HistoryBuilder::default_table, micro.predicate, rows);
  }
  return Done{};
}

Result<History> JepsenReader::finish() && {
  std::vector<const Process*> waiting;
  if (nobody_.is_waiting) waiting.push_back(&nobody_);
  for (const auto& [number, process] : processes_) {
    if (process.is_waiting) waiting.push_back(&process);
  }
  std::ranges::sort(waiting, {}, &Process::offset);
  for (const Process* process : waiting) {
    if (process->is_init) {
      return micro_.error(process->offset, "expected an " + spell("ok") + " for the " + spell("f") +
                                               " " + spell("init"));
    }
    ISOSCOPE_TRY_STATUS(
        add_transaction(*process, Outcome::indeterminate, std::nullopt, process->request));
  }
  micro_.settle();
  return std::move(builder_).finish();
}

}  // namespace isoscope::format
