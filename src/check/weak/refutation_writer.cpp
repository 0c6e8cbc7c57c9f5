#include "check/weak/refutation_writer.h"

#include <algorithm>

#include "check/strong/problem/list_problem.h"
#include "check/weak/session_guarantees.h"
#include "isoscope/base/contract.h"

namespace isoscope::weak {

KnownBy known_at(LevelId level) {
  using enum KnownBy::Own;
  switch (level) {
    case LevelId::monotonic_atomic_view:
    case LevelId::read_committed:
    case LevelId::strong_read_committed:
      return {.own = earlier};
    case LevelId::read_atomic:
      return {.own = any, .session = true};
    case LevelId::causal:
      return {.own = any, .session = true, .past = true};
    case LevelId::session_causal:
      return {.own = by_then,
              .session = true,
              .past = true,
              .by_version = true,
              .sessions_of_past = true};
    default:
      break;
  }
  const Guarantee its = guarantee_of(level).value_or(Guarantee{});
  return {.own = its.writers_writes || its.writers_reads ? by_then : none,
          .session = its.own_writes,
          .past = its.writers_reads,
          .by_version = its.writers_reads,
          .session_reads = its.own_reads,
          .writers_sessions = its.writers_writes,
          .remembers = its.remembers};
}

RefutationWriter::RefutationWriter(const KnownSources& sources, const KeyAccesses& accesses,
                                   Level level, const CheckOptions& options,
                                   std::span<const BadRead> ruled_out)
    : sources_(sources),
      accesses_(accesses),
      history_(sources.history()),
      level_(level),
      clock_skew_(options.clock_skew),
      has_ruled_out_(!ruled_out.empty()),
      writer_(history_, no_problem_),
      ruled_out_(history_, accesses, ruled_out),
      key_numbers_(history_),
      search_(sources, known_at(level.id)),
      commits_(sources),
      is_known_(sources.reads().size(), 0),
      is_committed_(sources.size(), 0) {}

/// A list is taken apart in the same way by everybody only if all that did not abort appended
/// different elements.
bool RefutationWriter::can_start() const {
  if (!ruled_out_.left_aside().empty()) return false;
  if (!has_ruled_out_) return true;
  for (const KeyId key : history_.keys()) {
    const bool is_list = accesses_.use(key) == KeyUse::list;
    if (is_list && strong::repeated_element(history_, accesses_, key)) return false;
  }
  return std::ranges::all_of(accesses_.unreported_writes(), [&](const UnreportedWrite& write) {
    return history_.outcome(write.at.transaction) == Outcome::aborted;
  });
}

ReadNumber RefutationWriter::read_number(std::uint32_t read) {
  ISOSCOPE_REQUIRE(read < sources_.reads().size());
  const Read& its = sources_.reads()[read];
  return writer_.read_number({sources_.id(sources_.reader_of(read)), sources_.operation(read)},
                             its.key);
}

Event RefutationWriter::event(Txn t, std::optional<KeyId> key) const {
  return key ? Event::version(number(t), key_numbers_.number(*key)) : Event::commit(number(t));
}

std::uint32_t RefutationWriter::narrow(std::uint32_t read) {
  know_committed(sources_.reader_of(read));
  const Read& its = sources_.reads()[read];
  ruled_out_.exclude(writer_, {sources_.id(sources_.reader_of(read)), sources_.operation(read)},
                     its.key);
  return writer_.read(read_number(read));
}

void RefutationWriter::know(std::uint32_t read) {
  ISOSCOPE_REQUIRE(sources_.reads()[read].source != open_source);
  if (is_known_[read] != 0) return;
  narrow(read);
  is_known_[read] = 1;
}

void RefutationWriter::know_committed(Txn t) {
  const auto is_plain = [&](Txn one) {
    return is_committed_[one] != 0 || history_.outcome(sources_.id(one)) != Outcome::indeterminate;
  };
  // Each of these is known to have committed because of the next one.
  std::vector<Txn> because;
  for (; !is_plain(t); t = sources_.reader_of(commits_.reason(t).read)) because.push_back(t);
  for (; !because.empty(); because.pop_back()) {
    const Txn next = because.back();
    const auto [read, is_member] = commits_.reason(next);
    if (is_member) {
      writer_.member(read_number(read), number(next));
    } else {
      know(read);
      writer_.took(read_number(read), number(next));
    }
    is_committed_[next] = 1;
  }
}

bool RefutationWriter::before_in_session_or_time(Txn from, Txn to) const {
  if (from == to) return false;
  if (search_.before_in_session(from, to)) return true;
  const TransactionId first = sources_.id(from);
  if (!without_real_time(level_.id) || history_.outcome(first) == Outcome::indeterminate) {
    return false;
  }
  const auto end = history_.end_time(first);
  const auto begin = history_.begin_time(sources_.id(to));
  __extension__ using Wide = __int128;
  return end && begin && Wide{*end} + clock_skew_ < Wide{*begin};
}

void RefutationWriter::add_order(Event from, Event to) {
  writer_.add({.kind = Kind::order, .events = {from, to}});
}

void RefutationWriter::initial_before(Txn t, std::optional<KeyId> key) {
  ISOSCOPE_REQUIRE(t != 0);
  add_order(event(0, key), event(t, key));
}

bool RefutationWriter::commit_before(Txn from, Txn to, std::span<const ForcedEdge> forced) {
  if (before_in_session_or_time(from, to)) {
    add_order(event(from), event(to));
    return true;
  }
  if (by_own_read(from, to)) return true;
  for (const ForcedEdge& edge : forced) {
    if (edge.from == from && edge.to == to) return knew(from, edge.read);
  }
  for (const KnownEdge& edge : sources_.list_order()) {
    if (edge.from == from && edge.to == to) return by_list(from, to, edge.key);
  }
  return false;
}

bool RefutationWriter::by_own_read(Txn from, Txn to) {
  ISOSCOPE_REQUIRE(to != 0 && to < sources_.size());
  for (std::uint32_t i = sources_.first_read(to); i < sources_.first_read(to + 1); ++i) {
    if (sources_.reads()[i].source != from) continue;
    know(i);
    writer_.add({.kind = Kind::from, .read = read_number(i), .writer = number(from)});
    return true;
  }
  return false;
}

bool RefutationWriter::by_list(Txn from, Txn to, KeyId key) {
  for (std::uint32_t i = 0; i < sources_.reads().size(); ++i) {
    const Read& read = sources_.reads()[i];
    if (read.key != key || !shows_order(sources_, i, from, to)) continue;
    know_committed(sources_.reader_of(i));
    writer_.add(
        {.kind = Kind::list, .read = read_number(i), .writer = number(from), .other = number(to)});
    return true;
  }
  return false;
}

std::vector<Hop> RefutationWriter::told(std::span<const HopTaken> taken) {
  std::vector<Hop> hops;
  for (const HopTaken& hop : taken) {
    if (hop.is_read()) {
      know(hop.read);
      hops.push_back(Hop::by_read(read_number(hop.read)));
    } else {
      hops.push_back(Hop::session(number(hop.to)));
    }
  }
  return hops;
}

bool RefutationWriter::knew(Txn from, std::uint32_t read) {
  const auto taken = search_.find(read, from);
  if (!taken) return false;
  know(read);
  ProofStep step{.kind = Kind::sees,
                 .read = read_number(read),
                 .writer = number(sources_.reads()[read].source),
                 .other = number(from)};
  step.hops = told(*taken);
  writer_.add(std::move(step));
  return true;
}

bool RefutationWriter::version_before(Txn from, Txn to, KeyId key) {
  const Guarantee its = guarantee_of(level_.id).value_or(Guarantee{});
  if (its.session_order && search_.before_in_session(from, to)) {
    add_order(event(from, key), event(to, key));
    return true;
  }
  for (std::uint32_t i = 0; i < sources_.reads().size(); ++i) {
    const Read& read = sources_.reads()[i];
    if (read.key == key && read.source == to && knew(from, i)) return true;
  }
  if (its.after_reads && by_later_write(from, to, key)) return true;
  return by_list(from, to, key);
}

/// Writes follow reads: the second one's session had read what the first one left.
bool RefutationWriter::by_later_write(Txn from, Txn to, KeyId key) {
  for (Txn t = to; t != 0; t = search_.session_before(t)) {
    for (std::uint32_t i = sources_.first_read(t); i < sources_.first_read(t + 1); ++i) {
      const Read& read = sources_.reads()[i];
      if (read.key != key || read.source != from) continue;
      know(i);
      writer_.add({.kind = Kind::follows,
                   .read = read_number(i),
                   .writer = number(from),
                   .other = number(to)});
      return true;
    }
  }
  return false;
}

void RefutationWriter::close_cycle(std::span<const Txn> cycle, std::optional<KeyId> key) {
  if (cycle.size() < 3) return;  // what was said of the two contradicts itself
  ProofStep step{.kind = Kind::path};
  for (const Txn t : cycle) step.events.push_back(event(t, key));
  step.events.push_back(event(cycle.front(), key));
  writer_.add(std::move(step));
}

bool RefutationWriter::close_circle(std::span<const Txn> cycle) {
  std::vector<HopTaken> taken;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Txn from = cycle[i];
    const Txn to = cycle[(i + 1) % cycle.size()];
    if (search_.before_in_session(from, to)) {
      taken.push_back({to});
      continue;
    }
    std::uint32_t read = sources_.first_read(to);
    while (read < sources_.first_read(to + 1) && sources_.reads()[read].source != from) ++read;
    if (read == sources_.first_read(to + 1)) return false;
    taken.push_back({to, read});
  }
  ProofStep step{.kind = Kind::circle, .writer = number(cycle.front())};
  step.hops = told(taken);
  writer_.add(std::move(step));
  return true;
}

}  // namespace isoscope::weak
