#include "report/proof/proof_clauses.h"

#include <algorithm>

#include "report/proof/writes.h"

namespace isoscope::report {

namespace {

using Step = ProofStep::Kind;
enum KeyFlag : std::uint8_t { asked = 1, written = 2, appended = 4 };

ProofLiteral before(Event first, Event second) { return ProofLiteral::order(first, second); }

/// An empty register is recorded as nil or as the empty list.
ValueId register_value(ValueId value) {
  return value == ValuePool::empty_list ? ValuePool::nil : value;
}

}  // namespace

ProofClauses::ProofClauses(const Reads& reads, const Certificate& certificate, std::size_t added)
    : reads_(reads),
      history_(reads.history()),
      certificate_(certificate),
      added_(added),
      one_event_(has_one_event(certificate.level.id)),
      writers_conflict_(do_writers_conflict(certificate.level.id)) {
  collect_writes();
  for (const ProofStep& step : certificate.steps) {
    std::vector<Literal> numbers;
    for (const ProofLiteral& literal : clause_of(step)) numbers.push_back(number(literal));
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    clauses_.push_back(std::move(numbers));
  }
}

/// Makes one pass over the history for the keys of all `read` steps.
void ProofClauses::collect_writes() {
  key_flags_.assign(history_.key_count(), 0);
  for (const ProofStep& step : certificate_.steps) {
    if (step.kind != Step::read && step.kind != Step::rest) continue;
    key_flags_[reads_.key(step.read).index()] |= asked;
  }
  for (const TransactionId t : history_.transactions()) {
    if (history_.outcome(t) == Outcome::aborted) continue;
    const std::size_t first = left_.size();
    each_write(history_, t, [&](std::uint32_t place, KeyId key, ValueId value) {
      if (key_flags_[key.index()] == 0) return;
      const bool append = history_.operations(t)[place].kind() == OperationKind::append;
      key_flags_[key.index()] |= append ? appended : written;
      const Left left{key, register_value(value), number_of(t)};
      const auto earlier =
          std::find_if(left_.begin() + static_cast<std::ptrdiff_t>(first), left_.end(),
                       [&](const Left& other) { return other.key == left.key; });
      if (append || earlier == left_.end()) {
        left_.push_back(left);
      } else {
        earlier->value = left.value;
      }
    });
  }
  std::ranges::sort(left_);
}

std::span<const ProofClauses::Left> ProofClauses::who_left(KeyId key, ValueId value) const {
  const auto range =
      std::ranges::equal_range(left_, std::pair(key, value), {},
                               [](const Left& left) { return std::pair(left.key, left.value); });
  return {range.begin(), range.end()};
}

std::span<const ProofClauses::Left> ProofClauses::who_left(KeyId key) const {
  const auto range = std::ranges::equal_range(left_, key, {}, &Left::key);
  return {range.begin(), range.end()};
}

std::vector<std::uint32_t> ProofClauses::candidates(ReadNumber read) const {
  const std::optional<ValueId> returned = reads_.value(read);
  if (!returned) return row_candidates(read);
  const KeyId key = reads_.key(read);
  const std::uint8_t flags = key_flags_[key.index()];
  const bool as_list = history_.values().kind(*returned) == ValueKind::list;
  if ((flags & appended) != 0 || (as_list && (flags & written) == 0)) return list_candidates(read);
  std::vector<std::uint32_t> found;
  const ValueId value = register_value(*returned);
  const auto initial = history_.initial_value(key);
  if (initial && register_value(*initial) == value) found.push_back(0);
  for (const ValueId left : {value, ValuePool::unreported}) {
    for (const Left& one : who_left(key, left)) {
      if (one.writer != read.transaction) found.push_back(one.writer);
    }
  }
  std::ranges::sort(found);
  return found;
}

/// The transactions that left something that the predicate selects, or that left something that it
/// does not select. Predicates do not look into lists: an empty one is no row, all others are
/// alike.
std::vector<std::uint32_t> ProofClauses::row_candidates(ReadNumber read) const {
  const KeyId key = reads_.key(read);
  const bool list = (key_flags_[key.index()] & appended) != 0;
  ValueId initial = register_value(history_.initial_value(key).value_or(ValuePool::nil));
  const bool is_list = history_.values().kind(initial) == ValueKind::list;
  if (is_list) initial = ValuePool::empty_list;
  if (list && !is_list) initial = ValuePool::nil;
  std::vector<std::uint32_t> found;
  if (reads_.may_have_seen(read, initial)) found.push_back(0);
  for (const Left& one : who_left(key)) {
    if (one.writer == read.transaction) continue;
    if (reads_.may_have_seen(read, list ? ValuePool::empty_list : one.value)) {
      found.push_back(one.writer);
    }
  }
  std::ranges::sort(found);
  const auto again = std::ranges::unique(found);
  found.erase(again.begin(), again.end());
  return found;
}

/// What the list had before the reader's own appends is taken apart, into the initial list and then
/// all appends of one transaction after the other. The last of these transactions left the list. If
/// it cannot be taken apart, nobody left it.
std::vector<std::uint32_t> ProofClauses::list_candidates(ReadNumber read) const {
  const auto operations = history_.operations(TransactionId(read.transaction - 1));
  const KeyId key = reads_.key(read);
  const auto elements_of = [&](ValueId value) {
    return history_.values().kind(value) == ValueKind::list ? history_.values().list_elements(value)
                                                            : std::vector<ValueId>();
  };
  const std::vector<ValueId> list = elements_of(reads_.list(read));
  const auto initial = history_.initial_value(key);
  const std::vector<ValueId> start = initial ? elements_of(*initial) : std::vector<ValueId>();
  const bool own = std::ranges::any_of(operations.first(read.operation - 1), [&](const auto& one) {
    return one.kind() == OperationKind::append && one.key() == key;
  });
  const bool is_part = read.elements != ReadNumber::whole;
  const bool has_start = initial || own || is_part;
  if (is_part || repeats(key, start)) {
    if (!is_part && has_too_often(read, list, start)) return {};
    auto found = last_appenders(read, list, start);
    if (list == start && has_start) found.insert(found.begin(), 0);
    return found;
  }
  const auto goes_on_with = [&](std::size_t at, const std::vector<ValueId>& part) {
    return part.size() <= list.size() - at &&
           std::equal(part.begin(), part.end(), list.begin() + static_cast<std::ptrdiff_t>(at));
  };
  if (!goes_on_with(0, start)) return {};
  std::vector<std::uint32_t> writers;
  for (std::size_t i = start.size(); i < list.size();) {
    const auto who = who_left(key, list[i]);
    if (who.empty() || who.front().writer == read.transaction) return {};
    const std::uint32_t writer = who.front().writer;
    if (std::ranges::find(writers, writer) != writers.end()) return {};
    const auto block = appends_of(writer, key);
    if (!goes_on_with(i, block)) return {};
    i += block.size();
    writers.push_back(writer);
  }
  if (!writers.empty()) return {writers.back()};
  return has_start ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>();
}

std::vector<ValueId> ProofClauses::appends_of(std::uint32_t writer, KeyId key) const {
  std::vector<ValueId> appends;
  for (const Operation& one : history_.operations(TransactionId(writer - 1))) {
    if (one.kind() == OperationKind::append && one.key() == key) appends.push_back(one.value());
  }
  return appends;
}

/// Was an element appended more than once, or was there initially, too?
bool ProofClauses::repeats(KeyId key, const std::vector<ValueId>& start) const {
  std::vector<ValueId> all = start;
  for (const Left& one : who_left(key)) all.push_back(one.value);
  std::ranges::sort(all);
  return std::ranges::adjacent_find(all) != all.end();
}

bool ProofClauses::has_too_often(ReadNumber read, const std::vector<ValueId>& list,
                                 const std::vector<ValueId>& start) const {
  return std::ranges::any_of(list, [&](ValueId element) {
    const auto others = [&](const Left& one) { return one.writer != read.transaction; };
    return std::ranges::count(list, element) >
           std::ranges::count(start, element) +
               std::ranges::count_if(who_left(reads_.key(read), element), others);
  });
}

/// The transactions whose appends are the list's end.
std::vector<std::uint32_t> ProofClauses::last_appenders(ReadNumber read,
                                                        const std::vector<ValueId>& list,
                                                        const std::vector<ValueId>& start) const {
  std::vector<std::uint32_t> found;
  if (list.empty()) return found;
  for (const Left& one : who_left(reads_.key(read), list.back())) {
    const bool own = one.writer == read.transaction && read.elements == ReadNumber::whole;
    const auto block = appends_of(one.writer, one.key);
    if (own || block.size() + start.size() > list.size()) continue;
    if (std::equal(block.rbegin(), block.rend(), list.rbegin())) found.push_back(one.writer);
  }
  const auto again = std::ranges::unique(found);
  found.erase(again.begin(), again.end());
  return found;
}

/// The part of the list that stands before what the step's writer appended.
ReadNumber ProofClauses::before_appends(const ProofStep& step) const {
  ReadNumber part = step.read;
  part.elements -= static_cast<std::uint32_t>(appends_of(step.writer, reads_.key(part)).size());
  return part;
}

ProofClauses::Clause ProofClauses::clause_of(const ProofStep& step) const {
  const auto not_selected = [&] { return !ProofLiteral::selection(step.read, step.writer); };
  const Event writer = Event::commit(step.writer);
  const Event other = Event::commit(step.other);
  const Event reader = Event::begin(step.read.transaction);
  Clause clause;
  switch (step.kind) {
    case Step::order:
      return {before(step.events[0], step.events[1])};
    case Step::read:
      for (const std::uint32_t w : candidates(step.read)) {
        clause.push_back(ProofLiteral::selection(step.read, w));
      }
      unless_out(clause, step.read.transaction);
      return clause;
    case Step::from:
      return {not_selected(), before(writer, reader)};
    case Step::took:
      return {not_selected(), ProofLiteral::committed(step.writer)};
    case Step::between:
      return {not_selected(), before(other, writer), before(reader, other)};
    case Step::conflict:
      return {before(writer, Event::begin(step.other)), before(other, Event::begin(step.writer))};
    case Step::list:
      clause = {before(writer, other)};
      unless_out(clause, step.read.transaction);
      return clause;
    case Step::member:
      clause = {ProofLiteral::committed(step.writer)};
      unless_out(clause, step.read.transaction);
      return clause;
    case Step::inside:
      unless_out(clause, step.read.transaction);
      return clause;
    case Step::path: {
      for (std::size_t i = 1; i < step.events.size(); ++i) {
        clause.push_back(before(step.events[i], step.events[i - 1]));
      }
      const Event first = step.events.front();
      const Event last = step.events.back();
      const bool closed = first == last || (one_event_ && first.transaction == last.transaction);
      if (!closed) clause.push_back(before(first, last));
      return clause;
    }
    case Step::lemma:
      return step.literals;
    case Step::left:
    case Step::rest:
    case Step::next:
    case Step::apart:
      return list_clause_of(step);
    case Step::sees:
      clause = {not_selected()};
      unless_hops(clause, step);
      clause.push_back(before(other, writer));
      return clause;
    case Step::follows:
      return {not_selected(), before(writer, other)};
    case Step::circle:
      unless_hops(clause, step);
      return clause;
    case Step::stuck:
      return clause;
    case Step::base:
      if (step.other == step.read.transaction) return {not_selected(), before(writer, other)};
      return {not_selected(), before(other, writer),
              before(Event::commit(step.read.transaction), other)};
  }
  return clause;
}

/// The same for a step that says which transactions left the first elements of a list.
ProofClauses::Clause ProofClauses::list_clause_of(const ProofStep& step) const {
  const ProofLiteral not_selected = !ProofLiteral::selection(step.read, step.writer);
  const Event other = Event::commit(step.other);
  switch (step.kind) {
    case Step::left: {
      ReadNumber all = step.read;
      all.elements = static_cast<std::uint32_t>(history_.values().list_size(reads_.list(all)));
      return {not_selected, ProofLiteral::selection(all, step.writer)};
    }
    case Step::rest: {
      Clause clause = {not_selected};
      const ReadNumber part = before_appends(step);
      for (const std::uint32_t w : candidates(part)) {
        if (w != step.writer) clause.push_back(ProofLiteral::selection(part, w));
      }
      return clause;
    }
    case Step::next:
      return {not_selected, !ProofLiteral::selection(before_appends(step), step.other),
              before(other, held_from(step.writer))};
    case Step::apart: {
      const Event third = Event::commit(step.third);
      return {not_selected, !ProofLiteral::selection(before_appends(step), step.other),
              before(third, other), before(held_from(step.writer), third)};
    }
    default:
      return {};
  }
}

/// Makes the clause true also where a hop of the step is not there.
void ProofClauses::unless_hops(Clause& clause, const ProofStep& step) {
  std::uint32_t present = step.kind == Step::circle ? step.writer : step.other;
  for (const Hop& hop : step.hops) {
    const Event next = Event::commit(hop.transaction);
    if (hop.kind == Hop::Kind::read) {
      clause.push_back(!ProofLiteral::selection(hop.read, present));
    } else if (hop.kind == Hop::Kind::antidependency) {
      clause.push_back(!ProofLiteral::selection(hop.read, hop.writer));
      clause.push_back(!before(Event::commit(hop.writer), next));
    } else if (hop.kind != Hop::Kind::session) {
      clause.push_back(!before(Event::commit(present), next));
    }
    present = hop.transaction;
  }
}

Event ProofClauses::held_from(std::uint32_t writer) const {
  return writers_conflict_ ? Event::begin(writer) : Event::commit(writer);
}

void ProofClauses::unless_out(Clause& clause, std::uint32_t transaction) const {
  if (transaction == 0) return;
  if (history_.outcome(TransactionId(transaction - 1)) != Outcome::indeterminate) return;
  clause.push_back(!ProofLiteral::committed(transaction));
}

ProofClauses::Literal ProofClauses::number(ProofLiteral literal) {
  bool negated = literal.negated;
  if (literal.kind == ProofLiteral::Kind::selection && literal.read.elements != ReadNumber::whole) {
    const std::pair named(reads_.key(literal.read), reads_.list(literal.read));
    literal.read = names_of_lists_.emplace(named, literal.read).first->second;
  }
  if (literal.kind == ProofLiteral::Kind::order) {
    if (one_event_) literal.before.is_commit = literal.after.is_commit = true;
    negated = literal.after < literal.before;
  }
  if (negated) literal = !literal;
  const auto [at, added] =
      numbers_.emplace(literal, static_cast<std::uint32_t>(statements_.size()));
  if (added) statements_.push_back(literal);
  return at->second << 1 | (negated ? 1U : 0U);
}

}  // namespace isoscope::report
