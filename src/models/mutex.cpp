#include "models/one_object.h"

// One lock that starts free: an acquisition is a compare-and-set from free to held, a release the
// reverse. Who holds it is not looked at, as in Knossos.

namespace isoscope::models {

Result<ModelVerdict> check_mutex(const OperationLog& log, const ModelOptions& options) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"acquire", "release"}));
  OneObject object(log, "lock");
  const ValueId free = object.string("free");
  const ValueId held = object.string("held");
  object.set_initial(free);
  for (const OperationLog::Operation& operation : log.operations()) {
    const bool acquires = log.f(operation) == "acquire";
    object.add_compare_and_set(operation, acquires ? free : held, acquires ? held : free);
  }
  const bool empty = object.size() == 0;
  ModelVerdict verdict = std::move(object).check(options);
  if (empty) {
    verdict.answer = Answer::unknown;
    verdict.reason = "there are no operations";
  }
  return verdict;
}

}  // namespace isoscope::models
