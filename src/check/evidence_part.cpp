#include "check/evidence_part.h"

#include <algorithm>
#include <set>
#include <utility>

namespace isoscope {

namespace {

/// Keeps what a refutation speaks of: its transactions, the reads it names, and in these
/// transactions every write of a key that it is about. The same refutation then works, since there
/// are only fewer candidates for each read, and a list loses the elements of others.
class RefutationPart {
 public:
  RefutationPart(const History& history, const Certificate& certificate)
      : history_(history), certificate_(certificate), numbers_(history), part_(history, false) {}

  PartOfHistory make() && {
    for (const ProofStep& step : certificate_.steps) look_at(step);
    for (const auto& [t, operation] : reads_) part_.keep(t, operation, true);
    for (const TransactionId t : spoken_of_) {
      part_.keep(t, true);
      keep_writes(t);
    }
    return std::move(part_);
  }

 private:
  void look_at(const ProofStep& step) {
    if (step.read.transaction != 0) {
      const TransactionId reader(step.read.transaction - 1);
      const std::size_t place = step.read.operation - 1;
      mention(step.read.transaction);
      reads_.emplace(reader, place);
      const Operation& read = history_.operations(reader)[place];
      const KeyId key = read.is_predicate() ? *numbers_.key(step.read.key) : read.key();
      keys_.insert(key);
      if (step.kind == ProofStep::Kind::inside) keep_reads_of(reader, key);
    }
    mention(step.writer);
    mention(step.other);
    for (const Event& event : step.events) mention(event.transaction);
    if (step.kind == ProofStep::Kind::conflict) keep_common_key(step.writer, step.other);
  }

  void mention(std::uint32_t transaction) {
    if (transaction != 0) spoken_of_.insert(TransactionId(transaction - 1));
  }

  void keep_reads_of(TransactionId t, KeyId key) {
    const auto operations = history_.operations(t);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const bool reads_key = operations[i].is_item_read() && operations[i].key() == key;
      if (reads_key || operations[i].is_predicate()) reads_.emplace(t, i);
    }
  }

  /// Those that the operation writes.
  std::vector<KeyId> written_by(const Operation& operation) const {
    if (operation.is_item_write()) return {operation.key()};
    std::vector<KeyId> keys;
    if (operation.kind() != OperationKind::predicate_write) return keys;
    for (const RowVersion& row : history_.predicate_access(operation).rows) {
      keys.push_back(row.key);
    }
    return keys;
  }

  void keep_common_key(std::uint32_t a, std::uint32_t b) {
    std::set<KeyId> of_a;
    for (const Operation& one : history_.operations(TransactionId(a - 1))) {
      for (const KeyId key : written_by(one)) of_a.insert(key);
    }
    for (const Operation& other : history_.operations(TransactionId(b - 1))) {
      for (const KeyId key : written_by(other)) {
        if (!of_a.contains(key)) continue;
        keys_.insert(key);
        return;
      }
    }
  }

  void keep_writes(TransactionId t) {
    const auto operations = history_.operations(t);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto is_wanted = [&](KeyId key) { return keys_.contains(key); };
      if (std::ranges::any_of(written_by(operations[i]), is_wanted)) part_.keep(t, i, true);
    }
  }

  const History& history_;
  const Certificate& certificate_;
  KeyNumbers numbers_;
  PartOfHistory part_;
  std::set<TransactionId> spoken_of_;
  std::set<std::pair<TransactionId, std::size_t>> reads_;
  std::set<KeyId> keys_;
};

/// Operations on the key in these transactions (in all if there are none of them), predicates
/// included.
PartOfHistory key_part(const History& history, KeyId key, const std::set<TransactionId>& some) {
  PartOfHistory part(history, false);
  for (const TransactionId t : history.transactions()) {
    if (!some.empty() && !some.contains(t)) continue;
    const auto operations = history.operations(t);
    bool any = false;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const bool kept = operations[i].is_predicate() || operations[i].key() == key;
      part.keep(t, i, kept);
      any = any || kept;
    }
    part.keep(t, any);
  }
  return part;
}

}  // namespace

std::vector<PartOfHistory> evidence_parts(const History& history, const Verdict& verdict) {
  std::vector<PartOfHistory> parts;
  if (!verdict.evidence.empty()) {
    const BadRead& bad = verdict.evidence.front();
    std::set<TransactionId> some = {bad.read.transaction};
    for (const OperationRef& at : bad.involved()) some.insert(at.transaction);
    parts.push_back(key_part(history, bad.key, some));
    parts.push_back(key_part(history, bad.key, {}));
  } else if (verdict.certificate && !verdict.certificate->steps.empty()) {
    parts.push_back(RefutationPart(history, *verdict.certificate).make());
    // With all that these transactions did.
    PartOfHistory whole(history, true);
    for (const TransactionId t : history.transactions()) whole.keep(t, parts.front().has(t));
    parts.push_back(std::move(whole));
  }
  return parts;
}

}  // namespace isoscope
