#include "history/format/jepsen/operation_log_reader.h"

namespace isoscope::format {

Status OperationLogReader::add(Term form) {
  ISOSCOPE_TRY(logged, read_logged_operation(form, words_));
  if (!logged.is_client) return Done{};
  ++lines_;
  Waiting& waiting = logged.process ? processes_[*logged.process] : nobody_;
  if (logged.type == LogType::invoke) return invoke(logged, waiting);
  return complete(logged, waiting);
}

Status OperationLogReader::read_content(const LoggedOperation& logged, ValueId& f,
                                        std::uint32_t& value) {
  if (logged.f) {
    if (!words_.is_name(*logged.f))
      return words_.expected("a name as " + words_.spell("f"), *logged.f);
    f = log_.values().string(logged.f->text());
  }
  if (logged.value) {
    ISOSCOPE_TRY(number, read_value(*logged.value));
    value = number;
  }
  return Done{};
}

Status OperationLogReader::invoke(const LoggedOperation& logged, Waiting& waiting) {
  if (logged.process && !waiting.open.empty()) {
    return words_.error(logged.offset,
                        "expected the completion of the operation before, found "
                        "another " +
                            words_.spell("invoke") + " of process " +
                            std::to_string(*logged.process));
  }
  OperationLog::Operation operation;
  operation.process = logged.process;
  operation.invoked = lines_;
  operation.offset = logged.offset;
  if (logged.index) operation.index = *logged.index;
  ISOSCOPE_TRY_STATUS(read_content(logged, operation.f, operation.request));
  waiting.has_invoked = true;
  waiting.open.push_back(log_.operations().size());
  log_.operations().push_back(operation);
  return Done{};
}

Result<std::optional<std::size_t>> OperationLogReader::completed_by(
    const LoggedOperation& logged, const OperationLog::Operation& completion,
    const Waiting& waiting) const {
  std::optional<std::size_t> found;
  for (std::size_t place = 0; place < waiting.open.size(); ++place) {
    const OperationLog::Operation& open = log_.operations()[waiting.open[place]];
    if (logged.process) return std::optional(place);
    if (open.f != completion.f) continue;
    const auto asked = log_.request(open);
    const auto answer = log_.reply(completion);
    if (asked && answer && !(*asked == *answer)) continue;
    if (found) {
      return words_.error(logged.offset, "expected a " + words_.spell("process") +
                                             ", because this completes any of several operations");
    }
    found = place;
  }
  if (!found && waiting.has_invoked) {
    return words_.error(logged.offset, "expected an " + words_.spell("invoke") +
                                           " before that this completes, found its " +
                                           words_.spell(name_of(logged.type)));
  }
  return found;
}

Status OperationLogReader::complete(const LoggedOperation& logged, Waiting& waiting) {
  OperationLog::Operation completion;
  ISOSCOPE_TRY_STATUS(read_content(logged, completion.f, completion.reply));
  ISOSCOPE_TRY(place, completed_by(logged, completion, waiting));
  if (!place) {
    completion.process = logged.process;
    waiting.open.push_back(log_.operations().size());
    log_.operations().push_back(completion);
    place = waiting.open.size() - 1;
  }
  OperationLog::Operation& operation = log_.operations()[waiting.open[*place]];
  if (operation.f != completion.f) {
    return words_.error(logged.offset, "expected the completion of " +
                                           words_.spell(log_.f(operation)) + ", found one of " +
                                           words_.spell(log_.f(completion)));
  }
  waiting.open.erase(waiting.open.begin() + static_cast<std::ptrdiff_t>(*place));
  operation.reply = completion.reply;
  operation.offset = logged.offset;
  if (logged.index) operation.index = *logged.index;
  if (logged.type == LogType::info) return Done{};
  operation.outcome = logged.type == LogType::ok ? Outcome::committed : Outcome::aborted;
  operation.completed = lines_;
  return Done{};
}

Result<ValueId> OperationLogReader::scalar(Term term) {
  if (term.is(TermKind::symbol)) return log_.values().string(term.text());
  ISOSCOPE_TRY(value, words_.scalar(term, log_.values()));
  if (value) return *value;
  return words_.expected("nil, an integer of 64 bits, a string, a keyword, or a collection", term);
}

Result<std::uint32_t> OperationLogReader::read_value(Term term) {
  while (term.is(TermKind::tagged)) term = *term.begin();
  if (!term.is_sequence() && !term.is(TermKind::set) && !term.is(TermKind::map)) {
    ISOSCOPE_TRY(value, scalar(term));
    return log_.add(value);
  }
  const std::uint32_t opened =
      log_.open(term.is(TermKind::map) ? LogValue::Kind::map : LogValue::Kind::sequence);
  for (const Term child : term) {
    ISOSCOPE_TRY(number, read_value(child));
    (void)number;
  }
  log_.close(opened);
  return opened;
}

}  // namespace isoscope::format
