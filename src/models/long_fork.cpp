#include <algorithm>
#include <map>

#include "models/model_checks.h"

// Every key is written once. Reads ask for several keys at once; those that ask for the same keys
// are a group. In a group, one read must have seen all that the other one saw, or the reverse:
// otherwise two writes took effect in different orders for the two of them, which parallel snapshot
// isolation allows and snapshot isolation forbids.
//
//   [[:w 0 1]]   [[:w 1 1]]   [[:r 0 1] [:r 1 nil]]   [[:r 0 nil] [:r 1 1]]      a long fork
//
// Reads of a group, sorted by how many keys they saw written, must each be contained in the next.
// Time: n log n.

namespace isoscope::models {

namespace {

using Operation = OperationLog::Operation;

struct Micro {
  bool is_write;
  std::size_t key;
  LogValue value;
};

/// A read of a group: which of the group's keys it saw written.
struct Seen {
  std::vector<std::size_t> keys;  // sorted
  std::size_t place;
};

class LongFork {
 public:
  LongFork(const OperationLog& log, const ModelOptions& options) : log_(log), options_(options) {}

  Result<ModelVerdict> run() {
    for (std::size_t i = 0; i < log_.operations().size(); ++i) {
      const Operation& operation = log_.operations()[i];
      if (operation.outcome == Outcome::aborted) continue;
      ISOSCOPE_TRY_STATUS(add(i));
    }
    verdict_.counts = {{"reads-count", reads_}};
    if (!problem_.empty() || reads_ == 0) {
      verdict_.reason = problem_.empty() ? "no read succeeded" : problem_;
      return std::move(verdict_);
    }
    verdict_.answer = Answer::holds;
    for (auto& [keys, group] : groups_) judge(group);
    return std::move(verdict_);
  }

 private:
  Status add(std::size_t place) {
    const Operation& operation = log_.operations()[place];
    ISOSCOPE_TRY(micros, micro_operations(operation));
    const auto writes = std::ranges::count(micros, true, &Micro::is_write);
    if (writes > 0 && micros.size() > 1)
      return log_.error(operation, "expected either reads or one write, found both or more");
    if (writes == 1) {
      add_write(micros[0]);
    } else if (is_ok(operation)) {
      return add_read(place, micros);
    }
    return Done{};
  }

  Result<std::vector<Micro>> micro_operations(const Operation& operation) {
    const auto value = is_ok(operation) ? result_of(log_, operation) : argument_of(log_, operation);
    if (!value) return value.error();
    const Error wrong =
        log_.error(operation,
                   "expected micro-operations such as [:r 0 1] or [:w 0 1] as :value, "
                   "found " +
                       value->text());
    if (!value->is_sequence()) return wrong;
    std::vector<Micro> micros;
    for (const LogValue one : *value) {
      if (!one.is_sequence() || one.size() != 3 || one[0].kind() != LogValue::Kind::scalar)
        return wrong;
      const std::string name = one[0].text();
      const bool is_write = name == ":w" || name == "\"w\"";
      if (!is_write && name != ":r" && name != "\"r\"") return wrong;
      micros.push_back({is_write, keys_.number_of(one[1]), one[2]});
      if (one[2].kind() != LogValue::Kind::scalar) return wrong;
    }
    return micros;
  }

  void add_write(const Micro& write) {
    written_.resize(std::max(written_.size(), keys_.size()));
    if (written_[write.key] && problem_.empty())
      problem_ = "key " + keys_.text(write.key) + " was written more than once";
    written_[write.key] = true;
  }

  Status add_read(std::size_t place, std::vector<Micro>& micros) {
    const Operation& operation = log_.operations()[place];
    ++reads_;
    if (options_.group_size && micros.size() != *options_.group_size) {
      return log_.error(operation, "expected reads of " + std::to_string(*options_.group_size) +
                                       " keys, found one of " + std::to_string(micros.size()));
    }
    std::ranges::sort(micros, {}, &Micro::key);
    std::vector<std::size_t> group;
    Seen seen{{}, place};
    value_of_.resize(std::max(value_of_.size(), keys_.size()));
    for (const Micro& micro : micros) {
      if (!group.empty() && group.back() == micro.key)
        return log_.error(operation, "expected every key once, found one again");
      group.push_back(micro.key);
      if (micro.value.is_nil()) continue;
      seen.keys.push_back(micro.key);
      std::optional<ValueId>& value = value_of_[micro.key];
      if (value && *value != micro.value.scalar() && problem_.empty())
        problem_ = "key " + keys_.text(micro.key) + " had more than one value";
      value = micro.value.scalar();
    }
    groups_[std::move(group)].push_back(std::move(seen));
    return Done{};
  }

  void judge(std::vector<Seen>& group) {
    std::ranges::stable_sort(group, {}, [](const Seen& seen) { return seen.keys.size(); });
    for (std::size_t i = 1; i < group.size(); ++i) {
      const Seen& less = group[i - 1];
      const Seen& more = group[i];
      if (std::ranges::includes(more.keys, less.keys)) continue;
      add_error(verdict_, {"fork",
                           {less.place, more.place},
                           operation_name(log_, log_.operations()[less.place]) + " and " +
                               operation_name(log_, log_.operations()[more.place]) +
                               " each saw a write that the other one missed"});
    }
  }

  const OperationLog& log_;
  const ModelOptions& options_;
  ModelVerdict verdict_;
  ElementNumbers keys_;
  std::vector<bool> written_;                     // by key
  std::vector<std::optional<ValueId>> value_of_;  // by key: what was read, other than nil
  std::map<std::vector<std::size_t>, std::vector<Seen>> groups_;
  std::int64_t reads_ = 0;
  std::string problem_;
};

}  // namespace

Result<ModelVerdict> check_long_fork(const OperationLog& log, const ModelOptions& options) {
  return LongFork(log, options).run();
}

}  // namespace isoscope::models
