#include <algorithm>

#include "models/model_checks.h"

// Clients move money between accounts, and read all accounts at once. No money comes or goes, so
// every read has the same total. In SQL a read is one transaction over all rows.
//
//   {:f :transfer, :value {:from 0, :to 1, :amount 5}}
//   {:f :read, :value {0 95, 1 105}}
//
// Transfers are not looked at: what they say would tell the balances, but not at which level the
// store runs. Linear time.

namespace isoscope::models {

namespace {

using Operation = OperationLog::Operation;

struct Balances {
  std::int64_t total = 0;
  std::int64_t lowest = 0;
  bool has_nil = false;
};

Result<Balances> balances_of(const OperationLog& log, const Operation& read) {
  ISOSCOPE_TRY(accounts, result_of(log, read));
  if (!accounts.is_map()) {
    return log.error(
        read, "expected a map from accounts to balances as :value, found " + accounts.text());
  }
  Balances balances;
  for (auto at = accounts.begin(); !(at == accounts.end()); ++at) {
    const LogValue balance = *++at;
    if (balance.is_nil()) {
      balances.has_nil = true;
      continue;
    }
    if (!balance.is_integer())
      return log.error(read, "expected an integer as balance, found " + balance.text());
    balances.lowest = std::min(balances.lowest, balance.integer());
    if (__builtin_add_overflow(balances.total, balance.integer(), &balances.total))
      return log.error(read, "expected balances whose sum has 64 bits");
  }
  return balances;
}

/// What is wrong with a read by itself.
void judge(const OperationLog& log, std::size_t place, const Balances& balances, std::int64_t total,
           const ModelOptions& options, ModelVerdict& verdict) {
  const std::string name = operation_name(log, log.operations()[place]);
  const auto wrong = [&](std::string_view type, const std::string& text) {
    add_error(verdict, {type, {place}, name + " " + text});
    ++verdict.counts[1].count;
  };
  if (balances.has_nil) {
    wrong("nil-balance", "has an account without a balance");
  } else if (balances.total != total) {
    wrong("wrong-total", "has a total of " + std::to_string(balances.total) + " instead of " +
                             std::to_string(total));
  } else if (balances.lowest < 0 && !options.allow_negative_balances) {
    wrong("negative-value", "has a balance of " + std::to_string(balances.lowest));
  }
}

}  // namespace

Result<ModelVerdict> check_bank(const OperationLog& log, const ModelOptions& options) {
  ISOSCOPE_TRY_STATUS(expect_functions(log, {"read", "transfer"}));
  std::vector<std::size_t> reads;
  for (std::size_t i = 0; i < log.operations().size(); ++i) {
    const Operation& operation = log.operations()[i];
    if (log.f(operation) == "read" && is_ok(operation)) reads.push_back(i);
  }
  ModelVerdict verdict;
  verdict.counts = {{"read-count", static_cast<std::int64_t>(reads.size())}, {"error-count", 0}};
  if (reads.empty()) {
    verdict.reason = "no read succeeded";
    return verdict;
  }
  std::ranges::sort(reads, {}, [&](std::size_t i) { return log.operations()[i].completed; });
  std::optional<std::int64_t> total = options.total_amount;
  verdict.answer = Answer::holds;
  for (const std::size_t place : reads) {
    ISOSCOPE_TRY(balances, balances_of(log, log.operations()[place]));
    if (!total && !balances.has_nil) {
      total = balances.total;
      verdict.remarks.push_back("the total is taken from " +
                                operation_name(log, log.operations()[place]) + ": " +
                                std::to_string(*total));
    }
    judge(log, place, balances, total.value_or(0), options, verdict);
  }
  return verdict;
}

}  // namespace isoscope::models
