#include "verifier/axioms.h"

#include <algorithm>
#include <string>

#include "isoscope/base/contract.h"

namespace isoscope::verifier {

namespace {

using Step = ProofStep::Kind;

ProofLiteral before(Event first, Event second) { return ProofLiteral::order(first, second); }

bool has(const std::vector<std::uint32_t>& some, std::uint32_t t) {
  return std::ranges::find(some, t) != some.end();
}

}  // namespace

Axioms::Axioms(const History& history, const Certificate& claim)
    : history_(history),
      level_(claim.level),
      clock_skew_(claim.clock_skew),
      indeterminate_cuts_(claim.indeterminate_cuts),
      one_event_(has_one_event(claim.level.id)),
      writes_(history),
      reads_(history, writes_),
      places_(history.transaction_count()) {
  for (const SessionId session : history.sessions()) {
    SessionPlace next;
    for (const TransactionId t : history.session(session)) {
      places_[t.index()] = next;
      ++next.place;
      if (history.outcome(t) == Outcome::indeterminate) ++next.cuts;
    }
  }
}

Result<Clause> Axioms::clause(const ProofStep& step) {
  ISOSCOPE_TRY(clause, written(step));
  for (ProofLiteral& literal : clause) ISOSCOPE_TRY_STATUS(normalise(literal));
  return clause;
}

Result<Clause> Axioms::written(const ProofStep& step) {
  if (step.kind == Step::lemma) return step.literals;
  if (step.kind == Step::order) return order(step);
  if (step.kind == Step::path) return path(step);
  if (step.kind == Step::conflict) return conflict(step.writer, step.other);
  if (step.kind == Step::left || step.kind == Step::rest || step.kind == Step::next ||
      step.kind == Step::apart) {
    return within_list(step);
  }
  ISOSCOPE_TRY(read, reads_.find(step.read));
  return about(*read, step);
}

Result<Clause> Axioms::order(const ProofStep& step) const {
  if (step.events.size() != 2) return Error{"expected two events"};
  const Event a = step.events[0];
  const Event b = step.events[1];
  ISOSCOPE_TRY_STATUS(require_event(a));
  ISOSCOPE_TRY_STATUS(require_event(b));
  const bool same = a.transaction == b.transaction;
  bool known = a.transaction == 0 && !same;
  if (same) known = !a.is_commit && b.is_commit;
  if (!known && !same && b.transaction != 0 && normal(a).is_commit &&
      (one_event_ || !b.is_commit)) {
    known = known_before(TransactionId(a.transaction - 1), TransactionId(b.transaction - 1));
  }
  if (!known) return Error{"neither sessions nor times say so"};
  return Clause{before(a, b)};
}

/// Does `t` come before `u` by session order or by time?
bool Axioms::known_before(TransactionId t, TransactionId u) const {
  ISOSCOPE_REQUIRE(t.index() < places_.size() && u.index() < places_.size());
  if (history_.outcome(t) == Outcome::indeterminate) return false;
  const SessionPlace a = places_[t.index()];
  const SessionPlace b = places_[u.index()];
  if (level_.session_order && history_.session_of(t) == history_.session_of(u) &&
      a.place < b.place && (a.cuts == b.cuts || !indeterminate_cuts_)) {
    return true;
  }
  if (entry_of(level_.id).kind != LevelKind::real_time) return false;
  const auto end = history_.end_time(t);
  const auto begin = history_.begin_time(u);
  __extension__ using Wide = __int128;
  return end && begin && Wide{*end} + clock_skew_ < Wide{*begin};
}

Result<Clause> Axioms::path(const ProofStep& step) const {
  if (step.events.size() < 2) return Error{"expected two events or more"};
  Clause clause;
  for (std::size_t i = 1; i < step.events.size(); ++i) {
    clause.push_back(!before(step.events[i - 1], step.events[i]));
  }
  const Event first = step.events.front();
  const Event last = step.events.back();
  if (normal(first) != normal(last)) clause.push_back(before(first, last));
  return clause;
}

Result<Clause> Axioms::conflict(std::uint32_t t, std::uint32_t s) const {
  if (one_event_) return Error{"at this level transactions do not overlap"};
  if (!do_writers_conflict(level_.id)) return Error{"at this level writers may overlap"};
  ISOSCOPE_TRY_STATUS(require_transaction(t));
  ISOSCOPE_TRY_STATUS(require_transaction(s));
  if (t == s) return Error{"expected two transactions"};
  TransactionId fewer(t - 1);
  TransactionId more(s - 1);
  if (writes_.of(fewer).size() > writes_.of(more).size()) std::swap(fewer, more);
  const bool common = std::ranges::any_of(writes_.of(fewer), [&](const Writes::Write& write) {
    return writes_.use(write.key) != KeyUse::both && writes_.find(more, write.key) != nullptr;
  });
  if (!common) return Error{"the two write no common key"};
  return Clause{before(Event::commit(t), Event::begin(s)),
                before(Event::commit(s), Event::begin(t))};
}

/// The read must say something about others, and the step's writer must have a part in it.
Status Axioms::require_part(const Read& read, const ProofStep& step) {
  if (read.silent != nullptr) return Error{read.silent};
  switch (step.kind) {
    case Step::from:
    case Step::took:
    case Step::between:
      if (has(read.candidates, step.writer)) break;
      return Error{"the read cannot have returned what this transaction left"};
    case Step::list:
    case Step::member:
      if (has(read.appenders, step.writer)) break;
      return Error{"the transaction is not in a list that was read"};
    default:
      break;
  }
  return Done{};
}

Result<Clause> Axioms::about(const Read& read, const ProofStep& step) const {
  const std::uint32_t reader = read.number.transaction;
  const auto selected = [&](std::uint32_t writer) {
    return ProofLiteral::selection(read.number, writer);
  };
  if (step.read.elements != ReadNumber::whole && step.kind != Step::took) {
    return Error{"the step is about whole reads"};
  }
  if (step.kind == Step::inside) {
    if (!read.contradicts_itself) return Error{"the read does not contradict its transaction"};
    return unless_missing({}, reader);
  }
  ISOSCOPE_TRY_STATUS(require_part(read, step));
  const ProofLiteral not_selected = !selected(step.writer);
  switch (step.kind) {
    case Step::read: {
      Clause clause;
      for (const std::uint32_t writer : read.candidates) {
        if (!read.has_too_often) clause.push_back(selected(writer));
      }
      return unless_missing(std::move(clause), reader);
    }
    case Step::from:
      return Clause{not_selected, before(Event::commit(step.writer), Event::begin(reader))};
    case Step::took:
      return Clause{not_selected, ProofLiteral::committed(step.writer)};
    case Step::between:
      if (read.is_of_row && may_rows_be_old(level_.id)) {
        return Error{"at this level a row that was not returned may be an old one"};
      }
      ISOSCOPE_TRY_STATUS(require_writer(step.other, read.key));
      if (step.other == step.writer || step.other == reader) {
        return Error{"expected another writer than the two"};
      }
      return Clause{not_selected, before(Event::commit(step.other), Event::commit(step.writer)),
                    before(Event::begin(reader), Event::commit(step.other))};
    case Step::list: {
      ISOSCOPE_TRY_STATUS(require_writer(step.other, read.key));
      // Before the first one the second must not be there. It may be there later, or not at all.
      const auto second = std::ranges::find(read.appenders, step.other);
      if (second <= std::ranges::find(read.appenders, step.writer)) {
        return Error{"the second transaction does not come later in the list"};
      }
      return unless_missing({before(Event::commit(step.writer), Event::commit(step.other))},
                            reader);
    }
    case Step::member:
      return unless_missing({ProofLiteral::committed(step.writer)}, reader);
    default:
      return Error{"no such step"};
  }
}

/// What transactions left in a list, one after the other. Each version of a list is longer than the
/// one before, so the transaction that left the elements before a transaction's own is the last one
/// before it.
Result<Clause> Axioms::within_list(const ProofStep& step) {
  ISOSCOPE_TRY(read, reads_.find(step.read));
  if (!has(read->candidates, step.writer)) return Error{"the transaction cannot have left this"};
  const bool whole = step.read.elements == ReadNumber::whole;
  if (whole != (step.kind == Step::left) || !read->list) return Error{"not of such a read"};
  const KeyId key = read->key;
  ReadNumber below = step.read;
  Clause clause = {!ProofLiteral::selection(step.read, step.writer)};
  if (step.kind == Step::left) {
    below.elements = static_cast<std::uint32_t>(history_.values().list_size(*read->list));
    clause.push_back(ProofLiteral::selection(below, step.writer));
    return clause;
  }
  if (step.writer == 0) return Error{"nothing is before the initial state"};
  const Writes::Write* write = writes_.find(TransactionId(step.writer - 1), key);
  ISOSCOPE_ENSURE(write != nullptr && write->appends <= below.elements);  // it is a candidate
  below.elements -= write->appends;
  ISOSCOPE_TRY(rest, reads_.find(below));
  if (step.kind == Step::rest) {
    for (const std::uint32_t t : rest->candidates) {
      if (t != step.writer) clause.push_back(ProofLiteral::selection(below, t));
    }
    return clause;
  }
  if (step.other == step.writer || !has(rest->candidates, step.other)) {
    return Error{"the other transaction cannot have left what is before"};
  }
  clause.push_back(!ProofLiteral::selection(below, step.other));
  if (step.kind == Step::next) {
    clause.push_back(before(Event::commit(step.other), held_from(step.writer)));
    return clause;
  }
  ISOSCOPE_TRY_STATUS(require_writer(step.third, key));
  if (step.third == step.writer || step.third == step.other) {
    return Error{"expected another writer than the two"};
  }
  clause.push_back(before(Event::commit(step.third), Event::commit(step.other)));
  clause.push_back(before(held_from(step.writer), Event::commit(step.third)));
  return clause;
}

/// The event of a writer before which the earlier writers of its keys have committed.
Event Axioms::held_from(std::uint32_t writer) const {
  return do_writers_conflict(level_.id) ? Event::begin(writer) : Event::commit(writer);
}

/// Makes the clause true also when the reader did not commit after all. (Writers need no such
/// exception: those that did not commit come after everything else, where they are in nobody's
/// way.)
Clause Axioms::unless_missing(Clause clause, std::uint32_t reader) const {
  if (is_indeterminate(reader)) clause.push_back(!ProofLiteral::committed(reader));
  return clause;
}

bool Axioms::is_indeterminate(std::uint32_t t) const {
  return t != 0 && t <= history_.transaction_count() &&
         history_.outcome(TransactionId(t - 1)) == Outcome::indeterminate;
}

/// The transaction must be one of the history, and not aborted.
Status Axioms::require_transaction(std::uint32_t t) const {
  if (t == 0 || t > history_.transaction_count()) return Error{"there is no such transaction"};
  if (history_.outcome(TransactionId(t - 1)) != Outcome::aborted) return Done{};
  return Error{"transaction " + std::to_string(t) + " aborted"};
}

Status Axioms::require_writer(std::uint32_t t, KeyId key) const {
  ISOSCOPE_TRY_STATUS(require_transaction(t));
  if (writes_.find(TransactionId(t - 1), key) != nullptr) return Done{};
  return Error{"transaction " + std::to_string(t) + " does not write the key"};
}

Status Axioms::require_event(Event event) const {
  if (event.is_version()) return Error{"at this level versions are no events"};
  return event.transaction == 0 ? Status(Done{}) : require_transaction(event.transaction);
}

Event Axioms::normal(Event event) const {
  return one_event_ ? Event::commit(event.transaction) : event;
}

/// The literal must be about what exists, wherever it comes from. That a transaction left a list is
/// the same statement whichever read has the list at its start.
Status Axioms::normalise(ProofLiteral& literal) {
  switch (literal.kind) {
    case ProofLiteral::Kind::order:
      ISOSCOPE_TRY_STATUS(require_event(literal.before));
      ISOSCOPE_TRY_STATUS(require_event(literal.after));
      literal.before = normal(literal.before);
      literal.after = normal(literal.after);
      if (literal.before == literal.after) return Error{"an event does not come before itself"};
      break;
    case ProofLiteral::Kind::selection:
      ISOSCOPE_TRY_STATUS(require_transaction(literal.read.transaction));
      ISOSCOPE_TRY_STATUS(require_event(Event::commit(literal.writer)));
      if (literal.read.elements != ReadNumber::whole) {
        ISOSCOPE_TRY(read, reads_.find(literal.read));
        ISOSCOPE_ENSURE(read->list.has_value());  // or it would have been no such read
        literal.read = {.operation = read->key.value, .elements = read->list->value};
      }
      break;
    case ProofLiteral::Kind::committed:
      if (is_indeterminate(literal.writer)) break;
      return Error{"transaction " + std::to_string(literal.writer) + " is not indeterminate"};
  }
  return Done{};
}

}  // namespace isoscope::verifier
