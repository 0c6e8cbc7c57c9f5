#include "check/predicate_rows.h"

namespace isoscope {

PredicateRows::PredicateRows(Sweep& sweep)
    : sweep_(sweep),
      own_of_key_(sweep.history.key_count(), 0),
      returned_by_(sweep.history.key_count(), 0) {}

std::optional<StopReason> PredicateRows::check(TransactionId t) {
  const History& history = sweep_.history;
  const std::span<const Operation> operations = history.operations(t);
  sweep_.work += operations.size();
  for (std::uint32_t at = 0; at < operations.size(); ++at) {
    const Operation& operation = operations[at];
    if (operation.is_item_write()) {
      const bool appended = operation.kind() == OperationKind::append;
      write(operation.key(), appended ? ValuePool::empty_list : operation.value(), at, appended);
    } else if (operation.is_predicate()) {
      const PredicateAccess access = history.predicate_access(operation);
      if (operation.kind() == OperationKind::predicate_write) {
        for (const RowVersion& row : access.rows) write(row.key, row.value, at, false);
      } else if (access.reported) {
        if (const auto reason = sweep_.stopped()) return reason;
        check_read({t, at}, access);
      }
    }
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
  own_[known - 1] = {key, value, operation, appended};
}

void PredicateRows::check_read(OperationRef read, const PredicateAccess& access) {
  const History& history = sweep_.history;
  const Predicate& predicate = history.predicate(access.predicate);
  sweep_.work += access.rows.size() + own_.size();
  ++reads_;
  for (const RowVersion& row : access.rows) {
    returned_by_[row.key.index()] = reads_;
    if (row.value == ValuePool::unreported) continue;
    if (evaluate(predicate, history.values(), history.key_name(row.key), row.value) == Truth::yes)
      continue;
    BadRead finding;
    finding.kind = ReadFinding::internal_inconsistency;
    finding.problem = ReadProblem::row_not_selected;
    finding.read = read;
    finding.key = row.key;
    finding.value = finding.element = row.value;
    sweep_.add(finding);
  }
  for (const OwnRow& row : own_) {
    if (returned_by_[row.key.index()] == reads_ || history.key_table(row.key) != access.table)
      continue;
    check_missing(read, access, row);
  }
}

void PredicateRows::check_missing(OperationRef read, const PredicateAccess& access,
                                  const OwnRow& row) {
  const History& history = sweep_.history;
  const auto undecided = [&](UndecidedRead::Why why) {
    sweep_.add_undecided(why, read, row.key, ReadFinding::internal_inconsistency);
  };
  if (row.value == ValuePool::unreported) return undecided(UndecidedRead::Why::unreported_write);
  const Predicate& predicate = history.predicate(access.predicate);
  if (evaluate(predicate, history.values(), history.key_name(row.key), row.value) != Truth::yes)
    return;
  if (row.appended && sweep_.accesses.use(row.key) == KeyUse::both) {
    return undecided(UndecidedRead::Why::appended_and_written);
  }
  if (sweep_.unreported.by_self(row.key, read.transaction, row.operation, read.operation)) {
    return undecided(UndecidedRead::Why::unreported_write);
  }
  BadRead finding;
  finding.kind = ReadFinding::internal_inconsistency;
  finding.problem = ReadProblem::own_row_missing;
  finding.read = read;
  finding.key = row.key;
  finding.value = finding.element = ValuePool::nil;
  finding.involve({read.transaction, row.operation});
  sweep_.add(finding);
}

}  // namespace isoscope
