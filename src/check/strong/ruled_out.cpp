#include "check/strong/ruled_out.h"

#include <algorithm>

#include "check/value_table.h"

namespace isoscope::strong {

namespace {

ReadNumber number_of(const OperationRef& at) {
  return {isoscope::number_of(at.transaction), at.operation + 1};
}

bool contradicts_itself(const BadRead& bad) {
  return bad.kind == ReadFinding::internal_inconsistency ||
         bad.kind == ReadFinding::non_repeatable_read;
}

}  // namespace

namespace {

/// Whether each element of the list can have been appended by one transaction only.
bool appended_once(const History& history, const KeyAccesses& accesses, KeyId key) {
  if (accesses.use(key) != KeyUse::list) return false;
  ValueTable<std::uint8_t> seen;
  seen.reset(accesses.of(key).size());
  const auto initial = history.initial_value(key);
  if (initial && history.values().kind(*initial) == ValueKind::list) {
    for (const ValueId element : history.values().list_elements(*initial)) {
      if (seen[element]++ > 0) return false;
    }
  }
  for (const Access& access : accesses.of(key)) {
    if (access.is_read() || history.outcome(access.transaction) == Outcome::aborted) continue;
    if (seen[access.value]++ > 0) return false;
  }
  return true;
}

}  // namespace

RuledOut::RuledOut(const History& history, const KeyAccesses& accesses,
                   std::span<const BadRead> reasons)
    : history_(history),
      accesses_(accesses),
      reasons_(reasons),
      out_(history.transaction_count(), 0) {
  for (const BadRead& reason : reasons) out_[reason.read.transaction.index()] = 1;
}

void RuledOut::exclude(ProofWriter& writer, ReadNumber read, KeyId key, ValueId value) {
  if (reasons_.empty()) return;
  if (value == ValuePool::empty_list) value = ValuePool::nil;
  for_each_run(accesses_.of(key), [&](std::span<const Access> run) {
    const TransactionId t = run[0].transaction;
    if (!is_out(t) || isoscope::number_of(t) == read.transaction) return;
    const Access* write = final_write(run);
    if (write == nullptr || write->value != value) return;
    prove_all(writer);
    writer.took(read, isoscope::number_of(t));
  });
}

void RuledOut::refute(ProofWriter& writer, const BadRead& bad) {
  prove_all(writer);
  prove(writer, bad);
}

void RuledOut::prove_all(ProofWriter& writer) {
  if (proved_) return;
  proved_ = true;
  for (const BadRead& reason : reasons_) prove(writer, reason);
}

void RuledOut::prove(ProofWriter& writer, const BadRead& bad) {
  const ReadNumber read = number_of(bad.read);
  if (contradicts_itself(bad)) {
    writer.inside(read);
    return;
  }
  if (accesses_.use(bad.key) == KeyUse::list) {
    for (const OperationRef& involved : bad.involved()) {
      if (history_.outcome(involved.transaction) != Outcome::indeterminate ||
          !is_out(involved.transaction) || bad.problem != ReadProblem::aborted_writer) {
        continue;
      }
      writer.member(read, isoscope::number_of(involved.transaction));
      return;
    }
  } else {
    exclude(writer, read, bad.key, bad.value);
  }
  writer.read(read);
}

std::optional<Certificate> refute_by_read(const History& history, const KeyAccesses& accesses,
                                          const Verdict& verdict) {
  if (!accesses.predicate_users().empty()) return std::nullopt;
  const auto can_be_shown = [&](const BadRead& bad) {
    return contradicts_itself(bad) || accesses.use(bad.key) == KeyUse::reg ||
           appended_once(history, accesses, bad.key);
  };
  const auto bad = std::ranges::find_if(verdict.evidence, can_be_shown);
  if (bad == verdict.evidence.end()) return std::nullopt;
  if (!std::ranges::all_of(verdict.ruled_out, can_be_shown)) return std::nullopt;
  const Problem nothing = {};
  ProofWriter writer(nothing);
  if (contradicts_itself(*bad)) {
    writer.inside(number_of(bad->read));
  } else {
    RuledOut(history, accesses, verdict.ruled_out).refute(writer, *bad);
  }
  Certificate certificate;
  certificate.level = verdict.level;
  certificate.steps = writer.take();
  return certificate;
}

}  // namespace isoscope::strong
