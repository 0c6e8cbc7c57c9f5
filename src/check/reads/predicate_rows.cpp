#include "check/reads/predicate_rows.h"

#include "check/reads/key_values.h"
#include "isoscope/base/contract.h"

namespace isoscope {

PredicateRows::PredicateRows(JudgingRound& round)
    : round_(round),
      others_(round),
      own_of_key_(round.history.key_count(), 0),
      listed_by_(round.history.key_count(), 0) {}

std::optional<StopReason> PredicateRows::check(TransactionId t) {
  const History& history = round_.history;
  const std::span<const Operation> operations = history.operations(t);
  ISOSCOPE_REQUIRE(own_.empty());  // one transaction after the other
  ISOSCOPE_REQUIRE(round_.counts(t));
  round_.work += operations.size();
  for (std::uint32_t at = 0; at < operations.size(); ++at) {
    const Operation& operation = operations[at];
    if (operation.is_item_write()) {
      const bool appended = operation.kind() == OperationKind::append;
      write(operation.key(), appended ? some_list : operation.value(), at, appended);
    }
    if (!operation.is_predicate()) continue;
    const PredicateAccess access = history.predicate_access(operation);
    if (!access.reported) continue;
    if (const auto reason = round_.stopped()) return reason;
    round_.work += access.rows.size() + own_.size();
    ++operations_;
    const bool reads = operation.kind() == OperationKind::predicate_read;
    reads ? check_returned({t, at}, access) : check_changed({t, at}, access);
    check_left_out({t, at}, access);
    if (reads) continue;
    for (const RowVersion& row : access.rows) write(row.key, row.value, at, false);
  }
  for (const OwnRow& row : own_) own_of_key_[row.key.index()] = 0;
  own_.clear();
  return std::nullopt;
}

void PredicateRows::write(KeyId key, ValueId value, std::uint32_t operation, bool appended) {
  std::uint32_t& known = own_of_key_[key.index()];
  if (known == 0) {
    own_.push_back({});
    known = static_cast<std::uint32_t>(own_.size());
  }
  ISOSCOPE_ENSURE(own_[known - 1].operation <= operation);  // in program order
  own_[known - 1] = {key, appended ? value : register_value(value), operation, appended};
}

bool PredicateRows::selects(const PredicateAccess& access, KeyId key, ValueId value) const {
  const History& history = round_.history;
  return evaluate(history.predicate(access.predicate), history.values(), history.key_name(key),
                  value) == Truth::yes;
}

void PredicateRows::check_returned(OperationRef read, const PredicateAccess& access) {
  ISOSCOPE_REQUIRE(access.reported && operations_ > 0);  // zero marks what was never listed
  for (const RowVersion& row : access.rows) {
    listed_by_[row.key.index()] = operations_;
    if (row.value == ValuePool::unreported) continue;
    const KeyUse use = round_.accesses.use(row.key);
    if (selects(access, row.key, seen_row(round_.history, use, row.key, row.value))) continue;
    BadRead finding;
    finding.kind = ReadFinding::internal_inconsistency;
    finding.problem = ReadProblem::row_not_selected;
    finding.read = read;
    finding.key = row.key;
    finding.value = finding.element = row.value;
    round_.add(finding);
  }
}

void PredicateRows::check_changed(OperationRef at, const PredicateAccess& access) {
  ISOSCOPE_REQUIRE(access.reported && operations_ > 0);
  for (const RowVersion& row : access.rows) {
    std::uint32_t& listed_by = listed_by_[row.key.index()];
    if (listed_by == operations_) continue;
    listed_by = operations_;
    const std::uint32_t own = own_of_key_[row.key.index()];
    if (own == 0) {
      others_.check_changed(at, access, row.key);
    } else if (!selects(access, row.key, own_[own - 1].value)) {
      wrong_own(at, own_[own - 1], ReadProblem::own_row_unselected);
    }
  }
}

void PredicateRows::check_left_out(OperationRef at, const PredicateAccess& access) {
  const auto is_listed = [&](KeyId key) { return listed_by_[key.index()] == operations_; };
  for (const OwnRow& row : own_) {
    if (is_listed(row.key) || round_.history.key_table(row.key) != access.table) continue;
    if (row.value == ValuePool::unreported || selects(access, row.key, row.value))
      wrong_own(at, row, ReadProblem::own_row_missing);
  }
  others_.check_left_out(
      at, access, [&](KeyId key) { return is_listed(key) || own_of_key_[key.index()] != 0; });
}

void PredicateRows::wrong_own(OperationRef at, const OwnRow& row, ReadProblem problem) {
  ISOSCOPE_ENSURE(row.operation < at.operation);
  ISOSCOPE_REQUIRE(round_.history.operations(at.transaction)[at.operation].is_predicate());
  const auto undecided = [&](UndecidedRead::Why why) {
    round_.add_undecided(why, at, row.key, ReadFinding::internal_inconsistency);
  };
  if (row.value == ValuePool::unreported) return undecided(UndecidedRead::Why::unreported_write);
  if (row.appended && round_.accesses.use(row.key) == KeyUse::both) {
    return undecided(UndecidedRead::Why::appended_and_written);
  }
  if (round_.unreported.by_self(row.key, at.transaction, row.operation, at.operation)) {
    return undecided(UndecidedRead::Why::unreported_write);
  }
  BadRead finding;
  finding.kind = ReadFinding::internal_inconsistency;
  finding.problem = problem;
  finding.read = at;
  finding.key = row.key;
  finding.value = finding.element = ValuePool::nil;
  finding.involve({at.transaction, row.operation});
  round_.add(finding);
}

}  // namespace isoscope
