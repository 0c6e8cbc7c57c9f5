#include "check/reads/judging_round.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope {

BadRead JudgingRound::start(const Access& read, KeyId key) const {
  ISOSCOPE_REQUIRE(read.is_read() ||
                   history.operations(read.transaction)[read.operation()].is_predicate());
  ISOSCOPE_REQUIRE(key.index() < history.key_count());
  BadRead finding;
  finding.read = read.ref();
  finding.key = key;
  // Accesses do not tell [] from nil; what the user wrote does.
  const Operation& operation = history.operations(read.transaction)[read.operation()];
  finding.value = operation.is_predicate() ? read.value : operation.value();
  finding.element = finding.value;
  return finding;
}

void JudgingRound::add(BadRead finding) {
  ISOSCOPE_REQUIRE(finding.read.operation < history.operations(finding.read.transaction).size());
  ISOSCOPE_REQUIRE(counts(finding.read.transaction));  // what other transactions read is not judged
  finding.possible.add(finding.kind);
  const bool is_external = finding.kind != ReadFinding::internal_inconsistency &&
                           finding.kind != ReadFinding::non_repeatable_read;
  if (is_external && !unreported.none()) {
    if (unreported.by_aborted(finding.key)) finding.possible.add(ReadFinding::aborted_read);
    if (unreported.by_self(finding.key, finding.read.transaction, finding.read.operation,
                           INT64_MAX)) {
      finding.possible.add(ReadFinding::future_read);
    }
  }
  found.push_back(finding);
}

void JudgingRound::add_changed(const Access& read, const Access& first, KeyId key) {
  ISOSCOPE_REQUIRE(first.transaction == read.transaction && first.operation() <= read.operation());
  if (unreported.by_self(key, read.transaction, first.operation(), read.operation())) {
    add_undecided(UndecidedRead::Why::unreported_write, read.ref(), key,
                  ReadFinding::non_repeatable_read);
    return;
  }
  BadRead finding = start(read, key);
  finding.kind = ReadFinding::non_repeatable_read;
  finding.problem = ReadProblem::changed;
  finding.involve(first.ref());
  add(finding);
}

void JudgingRound::add_undecided(UndecidedRead::Why why, OperationRef read, KeyId key,
                                 ReadFinding kind) {
  ISOSCOPE_REQUIRE(read.operation < history.operations(read.transaction).size());
  ISOSCOPE_REQUIRE(key.index() < history.key_count() && counts(read.transaction));
  if (std::ranges::find(undecided, kind, &UndecidedRead::kind) != undecided.end()) return;
  undecided.push_back({why, read, key, kind});
}

}  // namespace isoscope
