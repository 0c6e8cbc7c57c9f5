#include "models/model_checks.h"

#include <algorithm>

#include "isoscope/base/words.h"

namespace isoscope::models {

Status expect_functions(const OperationLog& log, std::initializer_list<std::string_view> known) {
  for (const OperationLog::Operation& operation : log.operations()) {
    const std::string_view f = log.f(operation);
    if (std::ranges::find(known, f) != known.end()) continue;
    const auto spelt = [](std::string_view name) { return ":" + std::string(name); };
    return log.error(operation, "expected an operation with :f " +
                                    joined(std::vector<std::string_view>(known), spelt) +
                                    ", found " + (f.empty() ? "none" : ":" + std::string(f)));
  }
  return Done{};
}

Result<LogValue> argument_of(const OperationLog& log, const OperationLog::Operation& operation) {
  const auto request = log.request(operation);
  const auto reply = log.reply(operation);
  if (request && reply && !(*request == *reply)) {
    return log.error(operation, "expected the :value " + request->text() +
                                    " as in its :invoke, found " + reply->text());
  }
  if (request) return *request;
  if (reply) return *reply;
  return log.error(operation, "expected an operation with a :value");
}

Result<LogValue> result_of(const OperationLog& log, const OperationLog::Operation& operation) {
  if (const auto reply = log.reply(operation)) return *reply;
  return log.error(operation, "expected the result of the read as its :value, found none");
}

Result<LogValue> elements_of(const OperationLog& log, const OperationLog::Operation& operation) {
  ISOSCOPE_TRY(result, result_of(log, operation));
  if (result.is_sequence()) return result;
  return log.error(operation,
                   "expected a set or a vector of elements as :value, found " + result.text());
}

bool is_ok(const OperationLog::Operation& operation) {
  return operation.outcome == Outcome::committed;
}

std::string operation_name(const OperationLog& log, const OperationLog::Operation& operation) {
  const std::string what = "the " + std::string(log.f(operation));
  if (operation.index >= 0) return what + " at :index " + std::to_string(operation.index);
  return what + " at byte " + std::to_string(operation.offset);
}

std::size_t ElementNumbers::number_of(LogValue element) {
  const std::size_t next = texts_.size();
  const auto found = element.kind() == LogValue::Kind::scalar
                         ? scalars_.try_emplace(element.scalar().value, next).first->second
                         : collections_.try_emplace(element.text(SIZE_MAX), next).first->second;
  if (found == next) texts_.push_back(element.text());
  return found;
}

void add_error(ModelVerdict& verdict, ModelError error) {
  verdict.answer = Answer::violated;
  if (verdict.errors.size() < most_errors) verdict.errors.push_back(std::move(error));
}

}  // namespace isoscope::models
