#include <algorithm>

#include "models/model_checks.h"

// Clients add to a counter that starts at 0, and read it. Each read by itself is between two sums,
// as in Jepsen:
//
//   lower  of what was added for certain before the read began
//   upper  of what may have been added before the read ended
//
// An add counts for certain once it was acknowledged, and may have happened once it was asked for,
// unless it failed. Jepsen has only positive amounts; with negative ones an add that may have
// happened moves the lower sum instead of the upper one. That two reads fit together is not asked,
// and neither is whether some of the adds have exactly this sum.
//
// One pass sums up by lines, so linear time.

namespace isoscope::models {

namespace {

using Operation = OperationLog::Operation;

/// Sums up to a line, that line excluded.
class SumsByLine {
 public:
  explicit SumsByLine(std::uint64_t lines) : sums_(lines + 2) {}

  void add(std::uint64_t line, std::int64_t amount) { sums_[line + 1] += amount; }
  void finish() {
    for (std::size_t line = 1; line < sums_.size(); ++line) sums_[line] += sums_[line - 1];
  }
  std::int64_t before(std::uint64_t line) const { return sums_[line]; }

 private:
  std::vector<std::int64_t> sums_;
};

struct Add {
  const Operation* operation;
  std::int64_t amount;
};

/// All adds that did not fail. The sum of their absolute amounts has 64 bits, so no sum of some of
/// them is too large.
Result<std::vector<Add>> adds_of(const OperationLog& log) {
  std::vector<Add> adds;
  std::int64_t all = 0;
  for (const Operation& operation : log.operations()) {
    if (log.f(operation) != "add" || operation.outcome == Outcome::aborted) continue;
    ISOSCOPE_TRY(amount, argument_of(log, operation));
    if (!amount.is_integer())
      return log.error(operation, "expected an integer to add, found " + amount.text());
    const std::int64_t number = amount.integer();
    if (number == INT64_MIN || __builtin_add_overflow(all, number < 0 ? -number : number, &all))
      return log.error(operation, "expected amounts whose sum has 64 bits");
    adds.push_back({&operation, number});
  }
  return adds;
}

}  // namespace

Result<ModelVerdict> check_counter(const OperationLog& log, const ModelOptions&) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"add", "read"}));
  ISOSCOPE_TRY(adds, adds_of(log));
  std::uint64_t lines = 0;
  for (const Operation& operation : log.operations()) {
    lines = std::max(lines, operation.invoked);
    if (operation.completed != OperationLog::never) lines = std::max(lines, operation.completed);
  }
  SumsByLine sure_gains(lines);
  SumsByLine sure_losses(lines);
  SumsByLine possible_gains(lines);
  SumsByLine possible_losses(lines);
  for (const Add& add : adds) {
    const bool gain = add.amount > 0;
    (gain ? possible_gains : possible_losses).add(add.operation->invoked, add.amount);
    if (is_ok(*add.operation))
      (gain ? sure_gains : sure_losses).add(add.operation->completed, add.amount);
  }
  for (SumsByLine* sums : {&sure_gains, &sure_losses, &possible_gains, &possible_losses})
    sums->finish();

  ModelVerdict verdict{.answer = Answer::holds};
  std::int64_t reads = 0;
  std::int64_t errors = 0;
  for (std::size_t i = 0; i < log.operations().size(); ++i) {
    const Operation& read = log.operations()[i];
    if (log.f(read) != "read" || !is_ok(read)) continue;
    ++reads;
    ISOSCOPE_TRY(value, result_of(log, read));
    if (!value.is_integer())
      return log.error(read, "expected an integer as the counter's value, found " + value.text());
    const std::int64_t lower =
        sure_gains.before(read.invoked) + possible_losses.before(read.completed);
    const std::int64_t upper =
        possible_gains.before(read.completed) + sure_losses.before(read.invoked);
    if (lower <= value.integer() && value.integer() <= upper) continue;
    ++errors;
    add_error(verdict,
              {"out-of-bounds",
               {i},
               operation_name(log, read) + " returned " + value.text() + ", which is not between " +
                   std::to_string(lower) + " and " + std::to_string(upper)});
  }
  verdict.counts = {{"read-count", reads}, {"error-count", errors}};
  if (reads == 0) {
    verdict.answer = Answer::unknown;
    verdict.reason = "no read succeeded";
  }
  return verdict;
}

}  // namespace isoscope::models
