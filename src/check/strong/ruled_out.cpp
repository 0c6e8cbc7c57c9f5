#include "check/strong/ruled_out.h"

#include <algorithm>

#include "check/strong/list_problem.h"
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
  if (accesses_.use(bad.key) != KeyUse::list) {
    exclude(writer, read, bad.key, bad.value);
  } else if (const auto member = member_that_is_out(bad)) {
    writer.member(read, isoscope::number_of(*member));
    return;
  }
  writer.read(read);
}

/// If the list is made of whole blocks of transactions that may have committed: one that did not.
/// Otherwise there are no members to speak of, and the list by itself is the contradiction.
std::optional<TransactionId> RuledOut::member_that_is_out(const BadRead& bad) const {
  const ValuePool& values = history_.values();
  if (values.kind(bad.value) != ValueKind::list) return std::nullopt;
  // Every transaction's block: its elements and whose they are.
  std::vector<ValueId> own;
  ValueTable<std::uint32_t> block_of;  // by element: index into blocks, plus one
  std::vector<std::span<const Access>> blocks;
  block_of.reset(accesses_.of(bad.key).size());
  for_each_run(accesses_.of(bad.key), [&](std::span<const Access> run) {
    if (history_.outcome(run[0].transaction) == Outcome::aborted) return;
    blocks.push_back(run);
    for (const Access& access : run) {
      if (access.is_read()) continue;
      const bool is_own = run[0].transaction == bad.read.transaction;
      if (is_own && access.operation() < bad.read.operation) own.push_back(access.value);
      if (!is_own) block_of[access.value] = static_cast<std::uint32_t>(blocks.size());
    }
  });
  std::vector<ValueId> left = values.list_elements(bad.value);
  if (left.size() < own.size()) return std::nullopt;
  left.resize(left.size() - own.size());
  std::optional<TransactionId> out;
  while (!left.empty()) {
    const std::uint32_t* block = block_of.find(left.back());
    if (block == nullptr) break;  // what it held initially, or nobody appended it
    const std::span<const Access> run = blocks[*block - 1];
    for (std::size_t i = run.size(); i > 0; --i) {
      if (run[i - 1].is_read()) continue;
      if (left.empty() || left.back() != run[i - 1].value) return std::nullopt;
      left.pop_back();
    }
    if (is_out(run[0].transaction)) out = run[0].transaction;
  }
  const auto initial = history_.initial_value(bad.key);
  const bool has_list = initial && values.kind(*initial) == ValueKind::list;
  if (left != (has_list ? values.list_elements(*initial) : std::vector<ValueId>{})) {
    return std::nullopt;
  }
  return out;
}

std::optional<Certificate> refute_by_read(const History& history, const KeyAccesses& accesses,
                                          const Verdict& verdict, std::int64_t clock_skew) {
  if (!accesses.predicate_users().empty()) return std::nullopt;
  const auto can_be_shown = [&](const BadRead& bad) {
    return contradicts_itself(bad) || accesses.use(bad.key) == KeyUse::reg ||
           (accesses.use(bad.key) == KeyUse::list && !repeated_element(history, accesses, bad.key));
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
  certificate.clock_skew = rules_of(verdict.level.id)->real_time ? clock_skew : 0;
  certificate.steps = writer.take();
  return certificate;
}

}  // namespace isoscope::strong
