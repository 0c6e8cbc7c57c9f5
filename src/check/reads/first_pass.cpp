#include "isoscope/check/first_pass.h"

#include <algorithm>
#include <tuple>

#include "check/reads/accesses.h"
#include "check/reads/first_pass_of_keys.h"
#include "check/reads/judging_round.h"
#include "check/reads/list_reads.h"
#include "check/reads/predicate_rows.h"
#include "check/reads/presumed_outcome.h"
#include "check/reads/register_reads.h"
#include "check/reads/rule_out_dependents.h"
#include "check/reads/unreported_writes.h"
#include "isoscope/base/contract.h"

// Why the answer about indeterminate transactions is complete.
//
// Let a choice be a set S of indeterminate transactions that committed. S is valid if no
// transaction that is committed or in S has a read that is certainly forbidden when exactly these
// committed ("bad in S"). As far as single reads go, the level is satisfiable if and only if some S
// is valid.
//
// (1) More writers never hurt a reader: a read that is bad in S is bad in every subset of S.
// Internal inconsistencies and non-repeatable reads do not depend on S at all. An external read is
// explained by the existence of final writes (or appends) of transactions in S, so taking some away
// leaves it no more explanations. The same goes for a row that a predicate left out or changed:
// some final write must be one that it does not select, or does. What the unexplained read may be
// (BadRead::possible) only shrinks, because a transaction that may have committed counts there both
// as overwritten and as possibly aborted.
//
// (2) The pass starts from K = all indeterminate transactions and removes one only if it has a read
// bad in K. Every valid S that is a subset of K stays one: were the removed transaction in S, then
// its read would by (1) be bad in S. So every valid S is a subset of the final K.
//
// (3) In the final K no indeterminate transaction has a bad read. If no committed one has, K itself
// is valid: holds. If a committed one has, then by (1) and (2) it has it in every valid S, so there
// is none: violated.
//
// When the level allows aborted reads (read uncommitted), forbidden reads do not depend on S: a
// read that loses its last explanation may be an aborted one. A set that forbids aborted reads but
// not all other external kinds is treated as if it allowed them: that loses evidence and invents
// none.
//
// Reads that are undecided are never called bad. If one is left in the final K, then (3) only says
// that nothing speaks against the level.

namespace isoscope {

namespace {

constexpr ReadFindings external_kinds = {ReadFinding::aborted_read, ReadFinding::intermediate_read,
                                         ReadFinding::future_read, ReadFinding::thin_air_read,
                                         ReadFinding::missed_row};

class Pass {
 public:
  Pass(const History& history, const KeyAccesses& accesses, const FirstPassOptions& options)
      : history_(history), accesses_(accesses), options_(options), forbidden_(options.forbidden) {
    if (!forbidden_.has_all(external_kinds)) forbidden_.remove(ReadFinding::aborted_read);
    presumed_.reserve(history.transaction_count());
    for (const TransactionId t : history.transactions()) {
      switch (history.outcome(t)) {
        case Outcome::committed:
          presumed_.push_back(PresumedOutcome::committed);
          break;
        case Outcome::aborted:
          presumed_.push_back(PresumedOutcome::aborted);
          break;
        case Outcome::indeterminate:
          presumed_.push_back(PresumedOutcome::assumed);
          break;
      }
    }
    ISOSCOPE_ENSURE(presumed_.size() == history.transaction_count());
  }

  FirstPassResult run() {
    FirstPassResult result;
    result.work = history_.operation_count();
    UnreportedWrites unreported(history_, accesses_.unreported_writes());
    for (;;) {
      unreported.update(presumed_);
      JudgingRound round{history_, accesses_, unreported, presumed_, options_.limits};
      result.stopped = look_at_everything(round);
      result.work += round.work;
      if (result.stopped) {
        result.ruled_out.clear();
        return result;
      }
      const std::size_t first_new = result.ruled_out.size();
      add_bad_assumed(round.found, result.ruled_out);
      if (result.ruled_out.size() == first_new) {
        finish(std::move(round), result);
        return result;
      }
      // So there are no more rounds than transactions.
      ISOSCOPE_ENSURE(result.ruled_out.size() <= history_.transaction_count());
      rule_out(unreported, result, first_new);
    }
  }

 private:
  std::optional<StopReason> look_at_everything(JudgingRound& round) const {
    Progress& progress = options_.progress;
    progress.phase("checking reads", history_.key_count());
    RegisterReads registers(round);
    ListReads lists(round);
    for (const KeyId key : history_.keys()) {
      progress.advance(key.index());
      if (const auto reason = round.stopped()) return reason;
      switch (accesses_.use(key)) {
        case KeyUse::reg:
          registers.check(key);
          break;
        case KeyUse::list:
          lists.check(key);
          break;
        case KeyUse::both:
          give_up_on(key, round);
          break;
      }
    }
    if (accesses_.predicate_users().empty()) return std::nullopt;
    PredicateRows predicates(round);
    for (const TransactionId t : accesses_.predicate_users()) {
      if (!round.counts(t)) continue;
      if (const auto reason = predicates.check(t)) return reason;
    }
    return std::nullopt;
  }

  void give_up_on(KeyId key, JudgingRound& round) const {
    for (const Access& access : accesses_.of(key)) {
      if (!access.is_read() || !round.counts(access.transaction)) continue;
      for (const ReadFinding kind :
           {ReadFinding::thin_air_read, ReadFinding::non_repeatable_read}) {
        round.add_undecided(UndecidedRead::Why::appended_and_written, access.ref(), key, kind);
      }
      return;
    }
  }

  /// For each assumed transaction with a forbidden read, the first such read. A read that
  /// contradicts its own transaction comes before others, since no other transaction is needed to
  /// understand it.
  void add_bad_assumed(const std::vector<BadRead>& found, std::vector<BadRead>& ruled_out) const {
    const std::size_t first_new = ruled_out.size();
    for (const BadRead& finding : found) {
      if (presumed_[finding.read.transaction.index()] != PresumedOutcome::assumed) continue;
      if (finding.refutes(forbidden_)) ruled_out.push_back(finding);
    }
    const auto begin = ruled_out.begin() + static_cast<std::ptrdiff_t>(first_new);
    const auto needs_others = [](const BadRead& bad) {
      return bad.kind != ReadFinding::internal_inconsistency &&
             bad.kind != ReadFinding::non_repeatable_read;
    };
    std::sort(begin, ruled_out.end(), [&](const BadRead& a, const BadRead& b) {
      const auto rank = [&](const BadRead& bad) {
        return std::pair(bad.read.transaction, needs_others(bad));
      };
      return rank(a) != rank(b) ? rank(a) < rank(b) : earlier(a, b);
    });
    ruled_out.erase(std::unique(begin, ruled_out.end(),
                                [](const BadRead& a, const BadRead& b) {
                                  return a.read.transaction == b.read.transaction;
                                }),
                    ruled_out.end());
  }

  void rule_out(const UnreportedWrites& unreported, FirstPassResult& result,
                std::size_t first_new) {
    if (forbidden_.has(ReadFinding::aborted_read)) {
      result.work += rule_out_dependents(history_, accesses_, unreported, presumed_,
                                         result.ruled_out, first_new);
      return;
    }
    for (std::size_t i = first_new; i < result.ruled_out.size(); ++i) {
      ISOSCOPE_ENSURE(presumed_[result.ruled_out[i].read.transaction.index()] ==
                      PresumedOutcome::assumed);
      presumed_[result.ruled_out[i].read.transaction.index()] = PresumedOutcome::aborted;
    }
  }

  void finish(JudgingRound&& round, FirstPassResult& result) const {
    const auto is_committed = [&](const BadRead& finding) {
      return history_.outcome(finding.read.transaction) == Outcome::committed;
    };
    result.findings = std::move(round.found);
    std::erase_if(result.findings, [&](const BadRead& finding) { return !is_committed(finding); });
    std::ranges::sort(result.findings, earlier);
    result.undecided = std::move(round.undecided);
    for (const TransactionId t : history_.transactions()) {
      if (history_.outcome(t) != Outcome::indeterminate) continue;
      const bool counted = counts(presumed_[t.index()]);
      (counted ? result.counted_committed : result.counted_aborted).push_back(t);
    }
    // Each transaction that was ruled out has one read that says why.
    ISOSCOPE_ENSURE(result.counted_aborted.size() == result.ruled_out.size());
  }

  static bool earlier(const BadRead& a, const BadRead& b) {
    const auto place = [](const BadRead& finding) {
      return std::tuple(finding.read, finding.key, finding.kind, finding.problem);
    };
    return place(a) < place(b);
  }

  const History& history_;
  const KeyAccesses& accesses_;
  const FirstPassOptions& options_;
  ReadFindings forbidden_;
  std::vector<PresumedOutcome> presumed_;
};

}  // namespace

FirstPassResult first_pass(const History& history, const FirstPassOptions& options) {
  options.progress.get().phase("reading keys", 0);
  KeyAccesses accesses;
  FirstPassResult result;
  result.stopped = KeyAccesses::collect(history, options.limits, accesses);
  return result.stopped ? result : first_pass(history, accesses, options);
}

FirstPassResult first_pass(const History& history, const KeyAccesses& accesses,
                           const FirstPassOptions& options) {
  return Pass(history, accesses, options).run();
}

}  // namespace isoscope
