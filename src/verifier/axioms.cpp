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
      rules_(rules_of(claim.level)),
      one_event_(has_one_event(claim.level.id)),
      sessions_(history, claim),
      key_numbers_(history),
      writes_(history),
      reads_(history, writes_) {
  if (rules_.shape == Shape::dirty) dirty_.emplace(history);
}

Result<Clause> Axioms::clause(const ProofStep& step) {
  ISOSCOPE_TRY(clause, written(step));
  for (ProofLiteral& literal : clause) ISOSCOPE_TRY_STATUS(normalise(literal));
  return clause;
}

Result<Clause> Axioms::written(const ProofStep& step) {
  if (!is_allowed(step)) return Error{"there is no such step at this level"};
  if (step.kind == Step::lemma) return step.literals;
  if (step.kind == Step::sees) return sees(step);
  if (step.kind == Step::follows) return follows(step);
  if (step.kind == Step::circle) return circle(step);
  if (step.kind == Step::stuck) return stuck(step);
  if (step.kind == Step::base) return base(step);
  if (step.kind == Step::order) return order(step);
  if (step.kind == Step::path) return path(step);
  if (step.kind == Step::conflict) return conflict(step.writer, step.other);
  if (step.kind == Step::left || step.kind == Step::rest || step.kind == Step::next ||
      step.kind == Step::apart) {
    return within_list(step);
  }
  ISOSCOPE_TRY(read, reads_.find(step.read));
  return dirty_ ? about_dirty(*read, step) : about(*read, step);
}

/// Steps speak of what executions of the level have.
bool Axioms::is_allowed(const ProofStep& step) const {
  const Shape shape = rules_.shape;
  const bool is_part = step.read.elements != ReadNumber::whole;
  switch (step.kind) {
    case Step::read:
    case Step::inside:
    case Step::lemma:
      return true;
    case Step::member:
      return shape != Shape::dirty;
    case Step::took:
      return shape != Shape::dirty && !(shape == Shape::single_reads && is_part);
    case Step::order:
    case Step::path:
    case Step::list:
      return shape != Shape::single_reads;
    case Step::left:
    case Step::rest:
    case Step::next:
    case Step::apart:
      return shape != Shape::single_reads && shape != Shape::dirty;
    case Step::from:
    case Step::stuck:
      return shape == Shape::moments || shape == Shape::commits;
    case Step::between:
      return shape == Shape::moments || level_.id == LevelId::repeatable_read || orders_updates();
    case Step::conflict:
      return rules_.one_writer;
    case Step::sees:
      return !rules_.last.empty() || !rules_.whole.empty() || level_.id == LevelId::recorded;
    case Step::follows:
      return rules_.follows;
    case Step::circle:
      return level_.id == LevelId::writes_follow_reads;
    case Step::base:
      return asks_for_bases(rules_);
  }
  return false;
}

Result<Clause> Axioms::order(const ProofStep& step) const {
  if (step.events.size() != 2) return Error{"expected two events"};
  const Event a = step.events[0];
  const Event b = step.events[1];
  ISOSCOPE_TRY_STATUS(require_event(a));
  ISOSCOPE_TRY_STATUS(require_event(b));
  const bool same = a.transaction == b.transaction;
  bool known = a.transaction == 0 && !same;
  if (same) {
    known = rules_.shape != Shape::versions && !a.is_commit && b.is_commit;
  } else if (a.transaction != 0 && b.transaction != 0) {
    const TransactionId t(a.transaction - 1);
    const TransactionId u(b.transaction - 1);
    if (rules_.shape == Shape::versions) {
      known = rules_.keeps_order && sessions_.before(t, u);
    } else if (normal(a).is_commit && (one_event_ || !b.is_commit)) {
      known = sessions_.before(t, u) || sessions_.before_in_time(t, u);
    }
  }
  if (!known) return Error{"neither sessions nor times say so"};
  return Clause{before(a, b)};
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
  ISOSCOPE_REQUIRE(rules_.one_writer);  // or it would not be allowed
  ISOSCOPE_TRY_STATUS(require_transaction(t));
  ISOSCOPE_TRY_STATUS(require_transaction(s));
  if (t == s) return Error{"expected two transactions"};
  if (!writes_.share_key(TransactionId(t - 1), TransactionId(s - 1))) {
    return Error{"the two write no common key"};
  }
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
  if (read.is_blank) return Error{read.silent};
  if (step.kind == Step::inside) {
    if (!read.contradicts_itself && !(rules_at(read.reader).repeats && read.differs)) {
      return Error{"the read does not contradict its transaction"};
    }
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
      if (rules_.looks == Looks::items && !read.is_item) return Error{"the read is of no item"};
      if (orders_updates() && writes_.of(read.reader).empty()) {
        return Error{"the reader writes nothing"};
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
      return unless_missing({before(left(step.writer, read.key), left(step.other, read.key))},
                            reader);
    }
    case Step::member:
      return unless_missing({ProofLiteral::committed(step.writer)}, reader);
    default:
      return Error{"no such step"};
  }
}

/// At read uncommitted a read says what somebody wrote, and a list says in which order.
Result<Clause> Axioms::about_dirty(const Read& read, const ProofStep& step) const {
  ISOSCOPE_REQUIRE(dirty_);
  const std::uint32_t reader = read.number.transaction;
  if (step.kind == Step::inside) return about(read, step);
  if (step.read.elements != ReadNumber::whole) return Error{"the step is about whole reads"};
  ISOSCOPE_TRY(what, dirty_->says(read));
  if (step.kind == Step::read) {
    if (!what.is_impossible) return Error{"somebody may have written what was read"};
    return unless_missing({}, reader);
  }
  ISOSCOPE_ENSURE(step.kind == Step::list);  // or it would not be allowed
  ISOSCOPE_TRY_STATUS(require_writer(step.writer, read.key));
  ISOSCOPE_TRY_STATUS(require_writer(step.other, read.key));
  if (step.writer == step.other || !what.shows_before(step.writer, step.other)) {
    return Error{"the list does not show that"};
  }
  Clause clause = {before(Event::commit(step.writer), Event::commit(step.other))};
  for (const std::uint32_t t : {step.writer, step.other}) clause = unless_missing(clause, t);
  return reader == step.other ? clause : unless_missing(clause, reader);
}

/// What transactions left in a list, one after the other. Each version of a list is longer than the
/// one before, so the transaction that left the elements before a transaction's own is the last one
/// before it.
Result<Clause> Axioms::within_list(const ProofStep& step) {
  ISOSCOPE_REQUIRE(is_allowed(step));
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
  // A writer has seen what it overwrites only where writers of one key do not overlap.
  const Event writer = rules_.one_writer ? Event::begin(step.writer) : left(step.writer, key);
  if (step.kind == Step::next) {
    clause.push_back(before(left(step.other, key), writer));
    return clause;
  }
  ISOSCOPE_TRY_STATUS(require_writer(step.third, key));
  if (step.third == step.writer || step.third == step.other) {
    return Error{"expected another writer than the two"};
  }
  clause.push_back(before(left(step.third, key), left(step.other, key)));
  clause.push_back(before(writer, left(step.third, key)));
  return clause;
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
  ISOSCOPE_REQUIRE(key.index() < history_.key_count());
  ISOSCOPE_TRY_STATUS(require_transaction(t));
  if (writes_.find(TransactionId(t - 1), key) != nullptr) return Done{};
  return Error{"transaction " + std::to_string(t) + " does not write the key"};
}

/// The event must be one of an order at this level.
Status Axioms::require_event(Event event) const {
  const bool needs_version = rules_.shape == Shape::versions;
  if (event.is_version() != needs_version || rules_.shape == Shape::single_reads) {
    return Error{"there is no such event at this level"};
  }
  const auto key = needs_version ? key_numbers_.key(event.key) : std::nullopt;
  if (needs_version && (!key || writes_.use(*key) == KeyUse::both)) {
    return Error{"there is no such key"};
  }
  if (event.transaction == 0) return Done{};
  return key ? require_writer(event.transaction, *key) : require_transaction(event.transaction);
}

Event Axioms::normal(Event event) const {
  return one_event_ && !event.is_version() ? Event::commit(event.transaction) : event;
}

Event Axioms::left(std::uint32_t t, KeyId key) const {
  ISOSCOPE_REQUIRE(t <= history_.transaction_count());
  if (rules_.shape != Shape::versions) return Event::commit(t);
  return Event::version(t, key_numbers_.number(key));
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
      if (literal.before.key != literal.after.key) {
        return Error{"versions of different keys have no order"};
      }
      break;
    case ProofLiteral::Kind::selection:
      ISOSCOPE_TRY_STATUS(require_transaction(literal.read.transaction));
      if (literal.writer != 0) ISOSCOPE_TRY_STATUS(require_transaction(literal.writer));
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
