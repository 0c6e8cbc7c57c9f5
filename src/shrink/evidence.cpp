#include "shrink/evidence.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "shrink/part_builder.h"

namespace isoscope::shrinking {

namespace {

/// The maximum number of bad reads that are compared, and the maximum number of those that are
/// tried: the ones that need least.
constexpr std::size_t most_compared = 10'000;
constexpr std::size_t most_bad_reads = 4;

/// Names of the larger part are turned into those of the whole history.
class Evidence {
 public:
  Evidence(const PartMaker& maker, const History& history, const Origin& origin)
      : whole_(maker.history()), history_(history), origin_(origin), builder_(maker) {}

  /// A bad read, the operations that were involved in it, and what else its transaction did to the
  /// key; the same of those that made its sources count as aborted.
  Part bad_read(const Verdict& verdict, const BadRead& bad) && {
    look_at(bad);
    for (std::size_t i = verdict.ruled_out.size(); i > 0; --i) {  // each rests on earlier ones
      const BadRead& reason = verdict.ruled_out[i - 1];
      if (builder_.has(original(reason.read.transaction))) look_at(reason);
    }
    return std::move(builder_).finish();
  }

  /// What a refutation speaks of: its reads, and in its transactions every write of a key that it
  /// is about. The same refutation then works, since every read has the candidates that it had, and
  /// a list loses the elements of others.
  Part refutation(const Certificate& certificate) && {
    const KeyNumbers numbers(history_);
    for (const ProofStep& step : certificate.steps) look_at(step, numbers);
    for (const ProofStep& step : certificate.steps) {
      if (step.kind == ProofStep::Kind::conflict) keep_common_key(step.writer, step.other);
    }
    for (const TransactionId t : spoken_of_) {
      builder_.transaction(t);
      builder_.writes(t, keys_);
    }
    return std::move(builder_).finish();
  }

  /// What is told.
  Part told(const report::ExplainedCase& whole) && {
    tell(whole);
    return std::move(builder_).finish();
  }

  /// All that these transactions did; predicates as far as it is about the same keys.
  Part all_of(const Part& part) && {
    std::set<KeyId> keys;
    for (const KeptTransaction& kept : part) {
      for (const KeptOperation& one : kept.operations) {
        const Operation& operation = whole_.operations(kept.id)[one.place];
        if (!operation.is_predicate()) keys.insert(operation.key());
        keys.insert(one.looked.begin(), one.looked.end());
        keys.insert(one.written.begin(), one.written.end());
      }
    }
    for (const TransactionId t : history_.transactions()) {
      const auto kept = std::ranges::lower_bound(part, original(t), {}, &KeptTransaction::id);
      if (kept != part.end() && kept->id == original(t)) keep_all(t, keys);
    }
    return std::move(builder_).finish();
  }

 private:
  TransactionId original(TransactionId t) const { return origin_.transaction(t); }
  KeyId original(KeyId key) const { return origin_.key(key); }

  void keep(OperationRef at, std::optional<KeyId> key) {
    const TransactionId t = original(at.transaction);
    const std::uint32_t place = origin_.place(at.transaction, at.operation);
    const Operation& operation = whole_.operations(t)[place];
    if (operation.is_item_read()) {
      builder_.read(t, place, operation.key());
    } else if (operation.is_item_write()) {
      builder_.writes(t, {operation.key()});
      keys_.insert(operation.key());
    } else if (key) {
      // Now a predicate operation, or what is left of one.
      const Operation& left = history_.operations(at.transaction)[at.operation];
      keep_look(t, place, original(*key), left.is_predicate());
    }
  }

  void keep_look(TransactionId t, std::uint32_t place, KeyId key, bool looks) {
    const Operation& operation = whole_.operations(t)[place];
    if (looks) builder_.read(t, place, key);
    if (operation.kind() == OperationKind::predicate_write) builder_.writes(t, {key});
    keys_.insert(key);
  }

  void look_at(const BadRead& bad) {
    keep(bad.read, bad.key);
    for (const OperationRef& at : bad.involved()) keep(at, bad.key);
    const TransactionId t = bad.read.transaction;
    keep_reads_of(t, bad.key, bad.read.operation + 1);
    builder_.writes(original(t), {original(bad.key)});
  }

  /// Keeps the reads of the key among the first `count` operations.
  void keep_reads_of(TransactionId t, KeyId key, std::size_t count) {
    const auto operations = history_.operations(t);
    for (std::uint32_t i = 0; i < std::min(operations.size(), count); ++i) {
      const bool reads_key = operations[i].is_item_read() && operations[i].key() == key;
      if (reads_key || operations[i].is_predicate()) keep({t, i}, key);
    }
  }

  void look_at(const ProofStep& step, const KeyNumbers& numbers) {
    if (step.read.transaction != 0) {
      const TransactionId reader(step.read.transaction - 1);
      const std::uint32_t place = step.read.operation - 1;
      const Operation& read = history_.operations(reader)[place];
      const KeyId key = read.is_predicate() ? *numbers.key(step.read.key) : read.key();
      mention(step.read.transaction);
      keep({reader, place}, key);
      keys_.insert(original(key));
      if (step.kind == ProofStep::Kind::inside) {
        keep_reads_of(reader, key, history_.operations(reader).size());
      }
    }
    mention(step.writer);
    mention(step.other);
    mention(step.third);
    for (const Event& event : step.events) mention(event.transaction);
  }

  void mention(std::uint32_t transaction) {
    if (transaction != 0) spoken_of_.insert(original(TransactionId(transaction - 1)));
  }

  /// Keys of the larger part.
  std::set<KeyId> written_by(TransactionId t) const {
    std::set<KeyId> keys;
    for (const Operation& one : history_.operations(t)) {
      if (one.is_item_write()) keys.insert(one.key());
      if (one.kind() != OperationKind::predicate_write) continue;
      for (const RowVersion& row : history_.predicate_access(one).rows) keys.insert(row.key);
    }
    return keys;
  }

  void keep_common_key(std::uint32_t a, std::uint32_t b) {
    const std::set<KeyId> of_a = written_by(TransactionId(a - 1));
    std::optional<KeyId> common;
    for (const KeyId key : written_by(TransactionId(b - 1))) {
      if (!of_a.contains(key)) continue;
      if (keys_.contains(original(key))) return;
      if (!common) common = original(key);
    }
    if (common) keys_.insert(*common);
  }

  void tell(const report::ExplainedCase& one) {
    for (const report::ExplainedFact& fact : one.cycle) tell(fact);
    for (const report::ExplainedCase& child : one.cases) tell(child);
  }

  void tell(const report::ExplainedFact& fact) {
    for (const auto& t : {fact.from, fact.to}) {
      if (t) builder_.transaction(original(*t));
    }
    for (const OperationRef& at : fact.operations) keep(at, fact.key);
    for (const report::ExplainedFact& reason : fact.because) tell(reason);
  }

  void keep_all(TransactionId t, const std::set<KeyId>& keys) {
    builder_.transaction(original(t));
    const auto operations = history_.operations(t);
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      if (!operations[i].is_predicate()) {
        keep({t, i}, {});
        continue;
      }
      const std::uint32_t place = origin_.place(t, i);
      const PredicateAccess access = whole_.predicate_access(whole_.operations(original(t))[place]);
      for (const KeyId key : keys) {
        if (builder_.is_too_much()) return;
        if (whole_.key_table(key) == access.table) keep_look(original(t), place, key, true);
      }
    }
  }

  const History& whole_;
  const History& history_;  // the larger part
  const Origin& origin_;
  PartBuilder builder_;
  std::set<TransactionId> spoken_of_;
  std::set<KeyId> keys_;
};

std::vector<Part> bad_read_parts(const PartMaker& maker, const History& history,
                                 const Origin& origin, const Verdict& verdict) {
  std::vector<Part> parts;
  for (const BadRead& bad :
       std::span(verdict.evidence).first(std::min(verdict.evidence.size(), most_compared))) {
    parts.push_back(Evidence(maker, history, origin).bad_read(verdict, bad));
    // Only the smallest ones matter.
    std::ranges::stable_sort(parts, {}, &Part::size);
    if (parts.size() > most_bad_reads) parts.pop_back();
  }
  return parts;
}

}  // namespace

std::vector<std::function<Part()>> evidence_parts(const PartMaker& maker, const History& history,
                                                  const Origin& origin, const Verdict& verdict,
                                                  const report::Explanation* explanation) {
  std::vector<std::function<Part()>> parts;
  for (Part& part : bad_read_parts(maker, history, origin, verdict)) {
    parts.push_back([part = std::move(part)] { return part; });
  }
  if (explanation != nullptr && !explanation->failed) {
    parts.push_back([&maker, &history, &origin, explanation] {
      return Evidence(maker, history, origin).told(explanation->whole);
    });
  }
  if (verdict.certificate && !verdict.certificate->steps.empty()) {
    const auto refutation = [&maker, &history, &origin, &verdict] {
      return Evidence(maker, history, origin).refutation(*verdict.certificate);
    };
    parts.push_back(refutation);
    parts.push_back([&maker, &history, &origin, refutation] {
      return Evidence(maker, history, origin).all_of(refutation());
    });
  }
  return parts;
}

}  // namespace isoscope::shrinking
