#include "history/format/jepsen/jepsen.h"

#include <algorithm>
#include <array>
#include <vector>

#include "history/format/jepsen/locate.h"
#include "isoscope/base/words.h"

namespace isoscope::format {

namespace {

enum class Member : std::uint8_t { type, process, f, value, time, index, session, name, count };

// The last two are ours, for what Jepsen has no place for; docs/formats/jepsen.md.
constexpr std::array<std::string_view, static_cast<std::size_t>(Member::count)> member_names = {
    "type", "process", "f", "value", "time", "index", "isoscope/session", "isoscope/name"};

constexpr std::array<std::string_view, 4> type_names = {"invoke", "ok", "fail", "info"};

}  // namespace

std::string JepsenReader::where(const Process& process) const {
  const Position position = locate(source_, process.offset);
  return spell("invoke") + (position.line == 0 ? " at byte " + std::to_string(position.byte)
                                               : " in line " + std::to_string(position.line));
}

std::string JepsenReader::who(const Operation& operation) const {
  if (operation.process) return "process " + std::to_string(*operation.process);
  return "no " + spell("process");
}

Status JepsenReader::read_type(Term term, Operation& operation) const {
  const auto found = std::ranges::find(type_names, micro_.is_name(term) ? term.text() : "");
  if (found == type_names.end()) {
    const auto spelt = [&](std::string_view name) { return spell(name); };
    return micro_.expected("a " + spell("type") + " of " + joined(type_names, spelt), term);
  }
  operation.type = static_cast<Type>(found - type_names.begin());
  return Done{};
}

Status JepsenReader::read_process(Term term, Operation& operation) const {
  switch (term.kind()) {
    case TermKind::nil:
      return Done{};
    case TermKind::integer:
      operation.process = term.integer();
      return Done{};
    case TermKind::keyword:
    case TermKind::string:
    case TermKind::symbol:
      operation.is_client = false;
      return Done{};
    default:
      break;
  }
  return micro_.expected(
      "a " + spell("process") + ": an integer, or a name such as " + spell("nemesis"), term);
}

Result<JepsenReader::Operation> JepsenReader::members_of(Term map) {
  std::array<std::optional<Term>, member_names.size()> members;
  for (auto at = map.begin(); at != map.end(); ++at) {
    const Term name = *at;
    const Term value = *++at;
    if (!micro_.is_name(name)) continue;
    const auto known = std::ranges::find(member_names, name.text());
    if (known == member_names.end()) continue;
    std::optional<Term>& member = members[static_cast<std::size_t>(known - member_names.begin())];
    if (member)
      return micro_.error(name.offset(), "expected one " + spell(*known) + ", found another");
    member = value;
  }
  const auto member = [&](Member which) -> std::optional<Term>& {
    std::optional<Term>& term = members[static_cast<std::size_t>(which)];
    if (term && term->is(TermKind::nil)) term.reset();
    return term;
  };

  Operation operation(map.offset());
  if (const auto& process = member(Member::process)) {
    ISOSCOPE_TRY_STATUS(read_process(*process, operation));
    if (!operation.is_client) return operation;
  }
  const auto& type = member(Member::type);
  if (!type) return micro_.error(map.offset(), "expected an operation with a " + spell("type"));
  ISOSCOPE_TRY_STATUS(read_type(*type, operation));
  operation.f = member(Member::f);
  operation.value = member(Member::value);
  if (const auto& time = member(Member::time)) {
    if (!time->is(TermKind::integer))
      return micro_.expected("a " + spell("time") + " in whole nanoseconds", *time);
    if (time->integer() != -1) operation.time = time->integer();
    operation.time_offset = time->offset();
  }
  if (const auto& index = member(Member::index)) {
    if (!index->is(TermKind::integer))
      return micro_.expected("an integer as " + spell("index"), *index);
    if (index->integer() >= 0) operation.name = builder_.values().integer(index->integer());
  }
  if (const auto& name = member(Member::name)) {
    if (name->is(TermKind::integer)) {
      operation.name = builder_.values().integer(name->integer());
    } else if (name->is(TermKind::string)) {
      operation.name = builder_.transaction_name(name->text());
    } else {
      return micro_.expected("a transaction's name: an integer or a string", *name);
    }
  }
  if (const auto& session = member(Member::session)) {
    if (session->is(TermKind::integer)) {
      operation.session = builder_.values().integer(session->integer());
    } else if (session->is(TermKind::string)) {
      operation.session = builder_.values().string(session->text());
    } else {
      return micro_.expected("a session's name: an integer or a string", *session);
    }
  }
  return operation;
}

Status JepsenReader::add(Term term) {
  while (term.is(TermKind::tagged)) term = *term.begin();  // #jepsen.history.Op{...}
  if (!term.is(TermKind::map))
    return micro_.expected("an operation such as {" + spell("type") + " ...}", term);
  ISOSCOPE_TRY(operation, members_of(term));
  if (!operation.is_client) return Done{};
  ++client_operations_;
  if (time_from_ == TimeSource::lines) {
    operation.time = static_cast<std::int64_t>(client_operations_);
  }
  Process& process = operation.process ? processes_[*operation.process] : nobody_;
  if (operation.type == Type::invoke) return invoke(operation, process);
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
  process.name = operation.name;
  process.session = operation.session;
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
  if (operation.type == Type::fail || operation.type == Type::info) {
    return micro_.error(operation.offset,
                        "expected " + spell("f") + " " + spell("init") + " to be " + spell("ok") +
                            ", found " +
                            spell(type_names[static_cast<std::size_t>(operation.type)]));
  }
  if (!operation.value)
    return micro_.error(operation.offset, "expected an operation with a " + spell("value"));
  reply_.rows.clear();
  ISOSCOPE_TRY_STATUS(micro_.read_rows(*operation.value, true, reply_.rows));
  std::ranges::sort(reply_.rows, {}, &RowVersion::key);
  if (operation.type == Type::invoke) {
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
  const std::string_view type_name = type_names[static_cast<std::size_t>(operation.type)];
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
  const bool same_as_request = answers && !operation.value && operation.type != Type::ok;
  if (!same_as_request) {
    const Phase phase = operation.type == Type::ok ? Phase::succeeded : Phase::open;
    ISOSCOPE_TRY_STATUS(micro_operations(operation, phase, reply_));
    if (answers) {
      ISOSCOPE_TRY_STATUS(micro_.match(process.request, reply_, operation.value->offset(),
                                       [&] { return where(process); }));
    }
  }
  if (!answers) {
    process.time.reset();
    process.session = operation.session;
    process.process = operation.process;
  }
  process.is_waiting = false;
  process.name = operation.name;

  std::optional<std::int64_t> end;
  if (operation.type != Type::info) end = operation.time;
  if (end && process.time && *end < *process.time) {
    return micro_.error(operation.time_offset, "expected a " + spell("time") + " of at least " +
                                                   std::to_string(*process.time) + " as in the " +
                                                   where(process) + ", found " +
                                                   std::to_string(*end));
  }
  const Outcome outcome = operation.type == Type::ok     ? Outcome::committed
                          : operation.type == Type::fail ? Outcome::aborted
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
