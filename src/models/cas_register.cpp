#include "isoscope/base/words.h"
#include "models/one_object.h"

// One register that starts as nil, with reads, writes, and compare-and-sets:
//
//   {:f :read, :value 3}    {:f :write, :value 3}    {:f :cas, :value [3 4]}
//
// A compare-and-set that succeeded was applied to 3 and wrote 4. One that failed did nothing: that
// the register held something else is not concluded, because it may have failed for another reason.
// A read of nil says nothing, as in Knossos: clients log it also where they did not learn the
// value.

namespace isoscope::models {

namespace {

using Operation = OperationLog::Operation;

Status add_cas(const OperationLog& log, const Operation& operation, OneObject& object) {
  ISOSCOPE_TRY(pair, argument_of(log, operation));
  const bool fits = pair.is_sequence() && pair.size() == 2 &&
                    pair[0].kind() == LogValue::Kind::scalar &&
                    pair[1].kind() == LogValue::Kind::scalar;
  if (!fits) {
    return log.error(operation,
                     "expected the old and the new value as :value, found " + pair.text());
  }
  object.add_compare_and_set(operation, object.value(pair[0]), object.value(pair[1]));
  return Done{};
}

Status expect_scalar(const OperationLog& log, const Operation& operation, LogValue value) {
  if (value.kind() == LogValue::Kind::scalar) return Done{};
  return log.error(operation,
                   "expected an integer, a string or a keyword as :value, found " + value.text());
}

}  // namespace

Result<ModelVerdict> check_cas_register(const OperationLog& log, const ModelOptions& options) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"read", "write", "cas"}));
  OneObject object(log, "register");
  std::size_t silent = 0;
  std::size_t reads = 0;
  for (const Operation& operation : log.operations()) {
    const std::string_view f = log.f(operation);
    if (f == "cas") {
      ISOSCOPE_TRY_STATUS(add_cas(log, operation, object));
    } else if (f == "write") {
      ISOSCOPE_TRY(value, argument_of(log, operation));
      ISOSCOPE_TRY_STATUS(expect_scalar(log, operation, value));
      object.add(operation, std::nullopt, object.value(value));
    } else if (is_ok(operation)) {
      const auto value = log.reply(operation);
      if (!value || value->is_nil()) {
        ++silent;
        continue;
      }
      ISOSCOPE_TRY_STATUS(expect_scalar(log, operation, *value));
      object.add(operation, object.value(*value), std::nullopt);
      ++reads;
    }
  }
  const bool empty = object.size() == 0;
  ModelVerdict verdict = std::move(object).check(options);
  verdict.counts.push_back({"read-count", static_cast<std::int64_t>(reads)});
  if (silent > 0) verdict.remarks.push_back(counted(silent, "read") + " of nil left out");
  if (empty) {
    verdict.answer = Answer::unknown;
    verdict.reason = "no operation says anything";
  }
  return verdict;
}

}  // namespace isoscope::models
