#include "check/visible/known_facts.h"

#include <algorithm>

#include "check/strong/problem/list_problem.h"
#include "check/weak/session_guarantees.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

KnownFacts::KnownFacts(const Problem& problem, const KeyAccesses& accesses, const Verdict& verdict)
    : p_(problem),
      accesses_(accesses),
      one_event_(has_one_event(verdict.level.id)),
      keeps_session_order_(
          weak::guarantee_of(verdict.level.id).value_or(weak::Guarantee{}).session_order),
      writer_(problem.history(), no_problem_),
      keys_(problem.history()),
      ruled_out_(problem.history(), accesses, verdict.ruled_out),
      commits_(problem.sources()) {
  // Why these are out cannot be shown read by read.
  could_show_all_ = ruled_out_.left_aside().empty();
}

std::uint32_t KnownFacts::fail() {
  could_show_all_ = false;
  return 0;
}

ReadNumber KnownFacts::read_number(std::uint32_t r) {
  const Read& read = p_.read(r);
  return writer_.read_number({p_.sources().id(read.reader), read.operation}, read.key);
}

/// For steps that are told apart by these parts.
std::uint32_t KnownFacts::add_once(const ProofStep& step) {
  std::vector<std::uint32_t> name = {static_cast<std::uint32_t>(step.kind),
                                     step.read.transaction,
                                     step.read.operation,
                                     step.read.key,
                                     step.writer,
                                     step.other};
  for (const Event event : step.events) {
    name.push_back(2 * event.transaction + (event.is_commit ? 1 : 0));
    name.push_back(event.key);
  }
  const auto [known, is_new] = written_.try_emplace(std::move(name), 0);
  if (is_new) known->second = writer_.add(step);
  return known->second;
}

/// Whether the verifier cannot tell which transactions appended the elements of the list.
bool KnownFacts::is_unclear(KeyId key) {
  if (accesses_.use(key) != KeyUse::list) return false;
  const auto [known, is_new] = unclear_.try_emplace(key, false);
  if (is_new) {
    known->second = strong::repeated_element(p_.history(), accesses_, key).has_value();
  }
  return known->second;
}

std::uint32_t KnownFacts::read(std::uint32_t r) {
  const Read& read = p_.read(r);
  if (read.item && is_unclear(read.key)) return fail();
  if (p_.sources().certain(read.reader)) know_committed(read.reader);
  ruled_out_.exclude(writer_, {p_.sources().id(read.reader), read.operation}, read.key);
  return writer_.read(read_number(r));
}

std::uint32_t KnownFacts::from(std::uint32_t read, Txn source) {
  ISOSCOPE_REQUIRE(source != p_.read(read).reader);
  return add_once({.kind = Kind::from, .read = read_number(read), .writer = number(source)});
}

std::uint32_t KnownFacts::took(std::uint32_t read, Txn source) {
  return writer_.took(read_number(read), number(source));
}

/// Somebody whose commit is certain read from it, directly or as part of a list.
void KnownFacts::know_committed(Txn t) {
  std::vector<Txn> chain;
  while (p_.history().outcome(p_.sources().id(t)) == Outcome::indeterminate &&
         known_committed_.insert(t).second) {
    chain.push_back(t);
    t = p_.read(commits_.reason(t).read).reader;
  }
  for (std::size_t i = chain.size(); i > 0; --i) {
    const auto reason = commits_.reason(chain[i - 1]);
    if (is_unclear(p_.read(reason.read).key)) {
      fail();
    } else if (reason.is_member) {
      writer_.member(read_number(reason.read), number(chain[i - 1]));
    } else {
      read(reason.read);
      took(reason.read, chain[i - 1]);
    }
  }
}

std::uint32_t KnownFacts::list_of(std::uint32_t read, Txn earlier, Txn later) {
  if (is_unclear(p_.read(read).key)) return fail();
  return add_once({.kind = Kind::list,
                   .read = read_number(read),
                   .writer = number(earlier),
                   .other = number(later)});
}

std::uint32_t KnownFacts::list(Txn reader, Txn earlier, Txn later) {
  const weak::KnownSources& sources = p_.sources();
  for (std::uint32_t i = 0; i < sources.reads_of(reader).size(); ++i) {
    const std::uint32_t r = sources.first_read(reader) + i;
    const KeyId key = p_.read(r).key;
    if (!sources.writes(earlier, key) || !sources.writes(later, key)) continue;
    if (weak::shows_order(sources, r, earlier, later)) return list_of(r, earlier, later);
  }
  return fail();
}

std::uint32_t KnownFacts::member(Txn reader, Txn appender) {
  const weak::KnownSources& sources = p_.sources();
  for (std::uint32_t i = 0; i < sources.reads_of(reader).size(); ++i) {
    const std::uint32_t r = sources.first_read(reader) + i;
    // The appender is in the list if the list shows it before those that are not.
    if (!weak::shows_order(sources, r, appender, reader)) continue;
    if (is_unclear(p_.read(r).key)) return fail();
    return writer_.member(read_number(r), number(appender));
  }
  return fail();
}

void KnownFacts::initial_first(Event initial, Event other) {
  add_once({.kind = Kind::order, .events = {initial, other}});
}

void KnownFacts::add_begin(Txn later, std::vector<Event>& path) {
  if (one_event_) return;
  const Event begin = Event::begin(number(later));
  add_once({.kind = Kind::order, .events = {begin, commit(later)}});
  path.push_back(begin);
}

/// A read of the later one whose only candidate is the earlier one.
std::optional<std::uint32_t> KnownFacts::find_known_read(Txn reader, Txn source) const {
  for (std::uint32_t i = 0; i < p_.sources().reads_of(reader).size(); ++i) {
    const std::uint32_t r = p_.sources().first_read(reader) + i;
    if (!p_.is_open(p_.read(r)) && p_.read(r).only == source) return r;
  }
  return std::nullopt;
}

bool KnownFacts::is_before_begin(Txn earlier, Txn later, bool by_time) const {
  return by_time || p_.in_session(earlier, later) || find_known_read(later, earlier);
}

void KnownFacts::known_before(Txn earlier, Txn later, bool by_time) {
  if (by_time || p_.in_session(earlier, later)) {
    const Event end = one_event_ ? commit(later) : Event::begin(number(later));
    add_once({.kind = Kind::order, .events = {commit(earlier), end}});
    return;
  }
  if (const auto r = find_known_read(later, earlier)) {
    read(*r);
    from(*r, earlier);
    return;
  }
  known_by_list(earlier, later, std::nullopt);
}

std::uint32_t KnownFacts::known_read(Txn reader, Txn source) const {
  const auto found = find_known_read(reader, source);
  ISOSCOPE_REQUIRE(found);
  return *found;
}

void KnownFacts::known_version_before(Txn earlier, Txn later, KeyId key) {
  ISOSCOPE_REQUIRE(p_.sources().writes(earlier, key) && p_.sources().writes(later, key));
  if (keeps_session_order_ && p_.in_session(earlier, later)) {
    add_once({.kind = Kind::order, .events = {version(earlier, key), version(later, key)}});
  } else {
    known_by_list(earlier, later, key);
  }
}

void KnownFacts::known_by_list(Txn earlier, Txn later, std::optional<KeyId> key) {
  const weak::KnownSources& sources = p_.sources();
  if (list_reads_.empty()) {
    for (std::uint32_t r = 0; r < sources.reads().size(); ++r) {
      const Read& its = p_.read(r);
      const bool is_list = accesses_.use(its.key) == KeyUse::list;
      if (is_list && sources.certain(its.reader)) list_reads_[its.key].push_back(r);
    }
  }
  for (const weak::KnownEdge& edge : sources.list_order()) {
    if (edge.from != earlier || edge.to != later || (key && edge.key != *key)) continue;
    for (const std::uint32_t r : list_reads_[edge.key]) {
      if (!weak::shows_order(sources, r, earlier, later)) continue;
      know_committed(p_.read(r).reader);
      list_of(r, earlier, later);
      return;
    }
  }
  fail();
}

std::uint32_t KnownFacts::path(std::vector<Event> events) {
  ISOSCOPE_REQUIRE(events.size() >= 2);
  return writer_.add({.kind = Kind::path, .events = std::move(events)});
}

}  // namespace isoscope::visible
