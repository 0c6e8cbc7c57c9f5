#include <algorithm>

#include "models/model_checks.h"

// Clients write elements to several tables, and read all of them at once. If an element is there,
// so is every element whose write was acknowledged before that one's write began: otherwise the
// later write was visible without the earlier one, which strict serializability forbids.
//
// It is enough to look at the element of a read whose write began last: what precedes another one
// precedes that one, too. If an element was written more than once, any of the writes may have been
// seen, so the first one counts. Linear time for each read's elements and n log n for the writes.

namespace isoscope::models {

namespace {

using Operation = OperationLog::Operation;

struct Acknowledged {
  std::uint64_t line;
  std::size_t element;
  std::size_t place;
};

class Comments {
 public:
  explicit Comments(const OperationLog& log) : log_(log) {}

  Result<ModelVerdict> run() {
    ISOSCOPE_TRY_STATUS(read_writes());
    std::int64_t reads = 0;
    verdict_.answer = Answer::holds;
    for (std::size_t i = 0; i < log_.operations().size(); ++i) {
      const Operation& operation = log_.operations()[i];
      if (log_.f(operation) != "read" || !is_ok(operation)) continue;
      ++reads;
      ISOSCOPE_TRY(content, elements_of(log_, operation));
      judge(i, content);
    }
    verdict_.counts = {{"read-count", reads}, {"error-count", errors_}};
    if (reads == 0) {
      verdict_.answer = Answer::unknown;
      verdict_.reason = "no read succeeded";
    }
    return std::move(verdict_);
  }

 private:
  Status read_writes() {
    for (std::size_t i = 0; i < log_.operations().size(); ++i) {
      const Operation& operation = log_.operations()[i];
      if (log_.f(operation) != "write" || operation.outcome == Outcome::aborted) continue;
      ISOSCOPE_TRY(element, argument_of(log_, operation));
      const std::size_t number = numbers_.number_of(element);
      began_.resize(numbers_.size(), OperationLog::never);
      began_[number] = std::min(began_[number], operation.invoked);
      if (is_ok(operation)) acknowledged_.push_back({operation.completed, number, i});
    }
    std::ranges::sort(acknowledged_, {}, &Acknowledged::line);
    return Done{};
  }

  void judge(std::size_t place, LogValue content) {
    std::vector<bool> seen(began_.size());
    std::uint64_t last = 0;
    std::size_t latest = 0;
    for (const LogValue element : content) {
      const std::size_t number = numbers_.number_of(element);
      if (number >= began_.size()) continue;  // written before the log begins
      seen[number] = true;
      if (began_[number] < last) continue;
      last = began_[number];
      latest = number;
    }
    std::vector<std::size_t> shown = {place};
    std::string missing;
    for (const Acknowledged& write : acknowledged_) {
      if (write.line >= last) break;
      if (seen[write.element]) continue;
      seen[write.element] = true;
      shown.push_back(write.place);
      missing += (missing.empty() ? "" : ", ") + numbers_.text(write.element);
    }
    if (missing.empty()) return;
    ++errors_;
    if (missing.size() > 200) missing = missing.substr(0, missing.find(',', 150)) + ", ...";
    add_error(verdict_,
              {"missing", std::move(shown),
               operation_name(log_, log_.operations()[place]) + " has " + numbers_.text(latest) +
                   " and lacks " + missing + ", acknowledged before its write began"});
  }

  const OperationLog& log_;
  ModelVerdict verdict_;
  ElementNumbers numbers_;
  std::vector<std::uint64_t> began_;  // by element: the line of its first write's beginning
  std::vector<Acknowledged> acknowledged_;
  std::int64_t errors_ = 0;
};

}  // namespace

Result<ModelVerdict> check_comments(const OperationLog& log, const ModelOptions&) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"read", "write"}));
  return Comments(log).run();
}

}  // namespace isoscope::models
