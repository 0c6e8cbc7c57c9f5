#include <algorithm>

#include "models/model_checks.h"

// Clients add elements to a set, and in the end one of them reads it. The final read has every
// element whose add was acknowledged before it began, and only elements that somebody may have
// added by then.
//
// The final read is the successful one that completes last. An add that failed adds nothing, which
// is stricter than Jepsen, where any attempt explains an element. An add that was acknowledged only
// after the final read began may be missing from it, which Jepsen counts as lost. Linear time.

namespace isoscope::models {

namespace {

using Operation = OperationLog::Operation;

/// What is known about the adds of one element.
struct Adds {
  bool acknowledged = false;
  bool attempted = false;  ///< before the final read ended
  std::size_t place = 0;   ///< of an add that says the most
};

std::optional<std::size_t> final_read(const OperationLog& log) {
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < log.operations().size(); ++i) {
    const Operation& operation = log.operations()[i];
    if (log.f(operation) != "read" || !is_ok(operation)) continue;
    if (!last || log.operations()[*last].completed < operation.completed) last = i;
  }
  return last;
}

}  // namespace

Result<ModelVerdict> check_set(const OperationLog& log, const ModelOptions&) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"add", "read"}));
  ModelVerdict verdict;
  const auto last = final_read(log);
  if (!last) {
    verdict.reason = "no read succeeded";
    return verdict;
  }
  const Operation& read = log.operations()[*last];
  ElementNumbers numbers;
  std::vector<Adds> adds;
  std::int64_t attempts = 0;
  for (std::size_t i = 0; i < log.operations().size(); ++i) {
    const Operation& operation = log.operations()[i];
    if (log.f(operation) != "add") continue;
    ISOSCOPE_TRY(element, argument_of(log, operation));
    const std::size_t number = numbers.number_of(element);
    adds.resize(numbers.size());
    ++attempts;
    if (operation.outcome == Outcome::aborted) continue;
    if (operation.invoked < read.completed) adds[number].attempted = true;
    if (!is_ok(operation) || operation.completed > read.invoked) continue;
    adds[number].acknowledged = true;
    adds[number].place = i;
  }
  ISOSCOPE_TRY(elements, elements_of(log, read));
  const std::size_t added = numbers.size();
  std::vector<bool> found(added);
  verdict.answer = Answer::holds;
  std::int64_t unexpected = 0;
  std::int64_t ok = 0;
  for (const LogValue element : elements) {
    const std::size_t number = numbers.number_of(element);
    const bool explained = number < added && adds[number].attempted;
    if (number < added && found[number]) continue;
    if (number < added) found[number] = true;
    if (explained) {
      ++ok;
      continue;
    }
    ++unexpected;
    add_error(verdict, {"unexpected",
                        {*last},
                        operation_name(log, read) + " has " + element.text() +
                            (number < added ? ", but nobody can have added it by then"
                                            : ", but nobody added it")});
  }
  std::int64_t lost = 0;
  for (std::size_t number = 0; number < added; ++number) {
    if (!adds[number].acknowledged || found[number]) continue;
    ++lost;
    add_error(verdict, {"lost",
                        {adds[number].place, *last},
                        operation_name(log, read) + " lacks " + numbers.text(number) +
                            ", whose add was acknowledged before"});
  }
  verdict.counts = {{"attempt-count", attempts},
                    {"ok-count", ok},
                    {"lost-count", lost},
                    {"unexpected-count", unexpected}};
  return verdict;
}

}  // namespace isoscope::models
