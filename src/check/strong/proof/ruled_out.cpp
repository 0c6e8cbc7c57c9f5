#include "check/strong/proof/ruled_out.h"

#include <algorithm>
#include <utility>

#include "check/reads/key_values.h"
#include "check/reads/value_table.h"
#include "check/strong/problem/list_problem.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

bool contradicts_itself(const BadRead& bad) {
  return bad.kind == ReadFinding::internal_inconsistency ||
         bad.kind == ReadFinding::non_repeatable_read;
}

/// By a predicate that did not return the row.
bool is_of_row(const BadRead& bad) {
  return bad.problem == ReadProblem::row_missing || bad.problem == ReadProblem::changed_unselected;
}

bool allows_dirty_reads(LevelId level) {
  return level == LevelId::read_uncommitted || level == LevelId::strong_read_uncommitted;
}

/// Whether anybody, aborted or not, may have appended an element that was there or appended before.
bool may_repeat(const History& history, const KeyAccesses& accesses, KeyId key) {
  return accesses.use(key) == KeyUse::list &&
         (!accesses.unreported_writes().empty() ||
          repeated_element(history, accesses, key, Appends::of_all));
}

bool is_row_returned(const History& history, const OperationRef& at, KeyId key) {
  const Operation& operation = history.operations(at.transaction)[at.operation];
  if (operation.kind() != OperationKind::predicate_read) return false;
  const auto rows = history.predicate_access(operation).rows;
  return std::ranges::find(rows, key, &RowVersion::key) != rows.end();
}

}  // namespace

RuledOut::RuledOut(const History& history, const KeyAccesses& accesses,
                   std::span<const BadRead> reasons)
    : history_(history), accesses_(accesses), out_(history.transaction_count(), 0) {
  for (const BadRead& reason : reasons) {
    if (can_show(reason)) {
      reasons_.push_back(reason);
      out_[reason.read.transaction.index()] = 1;
    } else {
      left_aside_.push_back(reason);
    }
  }
}

bool RuledOut::can_show(const BadRead& bad) const {
  const KeyUse use = accesses_.use(bad.key);
  if (use == KeyUse::both) return false;
  if (contradicts_itself(bad)) return true;
  const bool is_list = use == KeyUse::list && !is_of_row(bad);
  if (is_list && is_repeated_list(bad.key)) return false;
  if (left_aside_.empty()) return true;
  if (is_list) {
    const Members its = members(bad);
    return !its.make_list || its.out;
  }
  bool can = true;
  for_each_run(accesses_.of(bad.key), [&](std::span<const Access> run) {
    const TransactionId t = run[0].transaction;
    if (is_out(t) || t == bad.read.transaction || history_.outcome(t) == Outcome::aborted) return;
    if (may_have_read(bad.read, bad.key, run)) can = false;
  });
  return can;
}

bool RuledOut::is_repeated_list(KeyId key) const {
  return accesses_.use(key) == KeyUse::list && repeated_element(history_, accesses_, key);
}

void RuledOut::exclude(ProofWriter& writer, const OperationRef& at, KeyId key,
                       std::uint32_t elements) {
  if (reasons_.empty()) return;
  ISOSCOPE_REQUIRE(at.operation < history_.operations(at.transaction).size());
  const bool predicate = history_.operations(at.transaction)[at.operation].is_predicate();
  const bool is_list = is_repeated_list(key) && (!predicate || is_row_returned(history_, at, key));
  ReadNumber read = writer.read_number(at, key);
  read.elements = elements;
  ValueId list = ValuePool::empty_list;
  if (is_list) {
    list = list_read(at, key);
    while (history_.values().list_size(list) > elements) list = history_.values().list_prefix(list);
  }
  for_each_run(accesses_.of(key), [&](std::span<const Access> run) {
    const TransactionId t = run[0].transaction;
    if (!is_out(t) || t == at.transaction) return;
    if (is_list ? !is_end(list, key, run) : !may_have_read(at, key, run)) return;
    prove_all(writer);
    writer.took(read, number_of(t));
  });
}

/// What the operation read of the list, without the own appends before; the empty list for what is
/// no list.
ValueId RuledOut::list_read(const OperationRef& at, KeyId key) const {
  const ValuePool& values = history_.values();
  ValueId list = ValuePool::empty_list;
  for_each_run(accesses_.of(key), [&](std::span<const Access> run) {
    if (run[0].transaction != at.transaction) return;
    std::size_t own = 0;
    for (const Access& access : run) {
      if (!access.is_read()) ++own;
      if (access.operation() != at.operation) continue;
      if (values.kind(access.value) == ValueKind::list) list = access.value;
      break;
    }
    for (; own > 0; --own) list = values.list_prefix(list);
  });
  return list;
}

/// Whether the list ends in all that the transaction of the run appended, and that is not part of
/// what it was initially.
bool RuledOut::is_end(ValueId list, KeyId key, std::span<const Access> run) const {
  ISOSCOPE_REQUIRE(history_.values().kind(list) == ValueKind::list);
  const ValuePool& values = history_.values();
  const auto initial = history_.initial_value(key);
  const bool has_list = initial && values.kind(*initial) == ValueKind::list;
  const std::size_t start = has_list ? values.list_size(*initial) : 0;
  std::size_t left = std::max(values.list_size(list), start) - start;
  bool appends = false;
  for (std::size_t i = run.size(); i > 0; --i) {
    if (run[i - 1].is_read()) continue;
    if (left == 0 || values.list_last(list) != run[i - 1].value) return false;
    list = values.list_prefix(list);
    --left;
    appends = true;
  }
  return appends;
}

/// Whether the read would accept what the transaction of the run left at the key.
bool RuledOut::may_have_read(const OperationRef& at, KeyId key, std::span<const Access> run) const {
  const auto writes = std::ranges::any_of(run, [](const Access& a) { return !a.is_read(); });
  if (!writes) return false;
  const bool is_list = accesses_.use(key) == KeyUse::list;
  // To predicates all lists are alike. (No list that was read is equal to that.)
  const ValueId left = is_list ? some_list : final_write(run)->value;
  const Operation& operation = history_.operations(at.transaction)[at.operation];
  if (!operation.is_predicate()) return register_value(operation.value()) == left;
  const PredicateAccess access = history_.predicate_access(operation);
  const auto listed = std::ranges::find(access.rows, key, &RowVersion::key);
  const bool is_listed = listed != access.rows.end();
  if (is_listed && operation.kind() == OperationKind::predicate_read) {
    return register_value(listed->value) == left;
  }
  const bool selected = evaluate(history_.predicate(access.predicate), history_.values(),
                                 history_.key_name(key), left) == Truth::yes;
  return selected == is_listed;
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
  const ReadNumber read = writer.read_number(bad.read, bad.key);
  if (contradicts_itself(bad)) {
    writer.inside(read);
    return;
  }
  if (accesses_.use(bad.key) != KeyUse::list || is_of_row(bad)) {
    exclude(writer, bad.read, bad.key);
  } else if (const auto member = members(bad).out) {
    writer.member(read, number_of(*member));
    return;
  }
  writer.read(read);
}

/// If the list is made of whole blocks of transactions that may have committed, finds one that did
/// not. Otherwise there are no members to speak of, and the list by itself is the contradiction.
RuledOut::Members RuledOut::members(const BadRead& bad) const {
  const ValuePool& values = history_.values();
  if (values.kind(bad.value) != ValueKind::list) return {};
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
  if (left.size() < own.size()) return {};
  left.resize(left.size() - own.size());
  std::optional<TransactionId> out;
  while (!left.empty()) {
    const std::uint32_t* block = block_of.find(left.back());
    if (block == nullptr) break;  // what it held initially, or nobody appended it
    const std::span<const Access> run = std::exchange(blocks[*block - 1], {});
    if (run.empty()) return {};  // nobody appends twice
    for (std::size_t i = run.size(); i > 0; --i) {
      if (run[i - 1].is_read()) continue;
      if (left.empty() || left.back() != run[i - 1].value) return {};
      left.pop_back();
    }
    if (is_out(run[0].transaction)) out = run[0].transaction;
  }
  const auto initial = history_.initial_value(bad.key);
  const bool has_list = initial && values.kind(*initial) == ValueKind::list;
  if (left != (has_list ? values.list_elements(*initial) : std::vector<ValueId>{})) {
    return {};
  }
  const bool has_version = initial || !own.empty() || values.list_size(bad.value) > 0;
  return {has_version, out};
}

std::optional<Certificate> refute_by_read(const History& history, const KeyAccesses& accesses,
                                          const Verdict& verdict, const CheckOptions& options) {
  ISOSCOPE_REQUIRE(verdict.answer == Answer::violated && !verdict.evidence.empty());
  RuledOut ruled_out(history, accesses, verdict.ruled_out);
  const bool dirty = allows_dirty_reads(verdict.level.id);
  const auto bad = std::ranges::find_if(verdict.evidence, [&](const BadRead& one) {
    const bool is_unclear =
        dirty && !contradicts_itself(one) && may_repeat(history, accesses, one.key);
    return !is_unclear && ruled_out.can_show(one);
  });
  if (bad == verdict.evidence.end()) return std::nullopt;
  const OrderProblem nothing = {};
  ProofWriter writer(history, nothing);
  if (contradicts_itself(*bad)) {
    writer.inside(writer.read_number(bad->read, bad->key));
  } else if (dirty) {
    // Whether a writer committed does not matter there.
    writer.read(writer.read_number(bad->read, bad->key));
  } else {
    ruled_out.refute(writer, *bad);
  }
  Certificate certificate;
  certificate.level = verdict.level;
  certificate.clock_skew = without_real_time(verdict.level.id) ? options.clock_skew : 0;
  certificate.indeterminate_cuts = indeterminate_cuts(history, options);
  certificate.steps = writer.take();
  ISOSCOPE_ENSURE(!certificate.steps.empty());
  return certificate;
}

}  // namespace isoscope::strong
