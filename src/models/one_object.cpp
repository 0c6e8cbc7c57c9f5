#include "models/one_object.h"

#include <array>

#include "isoscope/check/several_levels.h"

namespace isoscope::models {

OneObject::OneObject(const OperationLog& log, std::string_view name) : log_(log) {
  key_ = builder_.key(name);
  builder_.set_time_source(TimeSource::lines);
}

ValueId OneObject::value(LogValue scalar) {
  const ValueId id = scalar.scalar();
  switch (log_.values().kind(id)) {
    case ValueKind::integer:
      return builder_.values().integer(log_.values().integer_of(id));
    case ValueKind::string:
      return builder_.values().string(log_.values().string_of(id));
    default:
      return ValuePool::nil;
  }
}

void OneObject::add(const OperationLog::Operation& operation, std::optional<ValueId> read,
                    std::optional<ValueId> written) {
  begin(operation);
  if (read) builder_.read(key_, *read);
  if (written) builder_.write(key_, *written);
}

void OneObject::add_compare_and_set(const OperationLog::Operation& operation, ValueId expected,
                                    ValueId replacement) {
  begin(operation);
  builder_.update(key_, {.function = Update::Function::compare_and_set,
                         .learned = Update::Learned::done,
                         .argument = expected,
                         .replacement = replacement});
}

void OneObject::begin(const OperationLog::Operation& operation) {
  const SessionId session = operation.process
                                ? builder_.session(builder_.values().integer(*operation.process))
                                : builder_.add_session();
  std::optional<ValueId> name;
  if (operation.index >= 0) name = builder_.values().integer(operation.index);
  if (name && builder_.has_transaction(*name)) name.reset();
  builder_.begin_transaction(session, name);
  builder_.set_outcome(operation.outcome);
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
  if (operation.invoked != 0) begin = static_cast<std::int64_t>(operation.invoked);
  if (operation.completed != OperationLog::never)
    end = static_cast<std::int64_t>(operation.completed);
  builder_.set_times(begin, end);
}

ModelVerdict OneObject::check(const ModelOptions& options) && {
  ModelVerdict result;
  result.counts = {{"operation-count", static_cast<std::int64_t>(size())}};
  CheckedHistory checked{std::move(builder_).finish(), {}};
  const std::array levels = {options.level};
  checked.verdict = check_levels(checked.history, levels, {.each = options.check})[0];
  result.answer = checked.verdict.answer;
  result.reason = checked.verdict.reason;
  result.checked = std::move(checked);
  return result;
}

}  // namespace isoscope::models
