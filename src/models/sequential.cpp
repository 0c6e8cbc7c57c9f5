#include "models/model_checks.h"

// A client inserts the subkeys of a key one after the other. A reader asks for them in the reverse
// order, the last one first, and returns what it found:
//
//   {:f :read, :value [0 [nil "0_2" "0_1" "0_0"]]}
//
// A later subkey that is there means that the earlier ones are, too, if the store takes the order
// of each client. So nothing that is missing comes after something that was found. Linear time.

namespace isoscope::models {

Result<ModelVerdict> check_sequential(const OperationLog& log, const ModelOptions&) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"add", "insert", "read", "write"}));
  ModelVerdict verdict{.answer = Answer::holds};
  std::int64_t reads = 0;
  std::int64_t bad = 0;
  for (std::size_t i = 0; i < log.operations().size(); ++i) {
    const OperationLog::Operation& operation = log.operations()[i];
    if (log.f(operation) != "read" || !is_ok(operation)) continue;
    ISOSCOPE_TRY(value, result_of(log, operation));
    if (!value.is_sequence() || value.size() != 2 || !value[1].is_sequence()) {
      return log.error(operation, "expected a key and the values of its subkeys as :value, found " +
                                      value.text());
    }
    ++reads;
    bool found = false;
    bool misses = false;
    for (const LogValue subkey : value[1]) {
      if (subkey.is_nil() && found) misses = true;
      if (!subkey.is_nil()) found = true;
    }
    if (!misses) continue;
    ++bad;
    add_error(verdict, {"trailing-nil",
                        {i},
                        operation_name(log, operation) +
                            " found a later subkey, and then not an earlier one: " + value.text()});
  }
  verdict.counts = {{"read-count", reads}, {"bad-count", bad}};
  if (reads == 0) {
    verdict.answer = Answer::unknown;
    verdict.reason = "no read succeeded";
  }
  return verdict;
}

}  // namespace isoscope::models
