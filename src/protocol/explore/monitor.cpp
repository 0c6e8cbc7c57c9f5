#include "protocol/explore/monitor.h"

#include <algorithm>

namespace isoscope::protocol {

namespace {

constexpr Levels all_levels = (1u << abstract_level_count) - 1;

Levels levels_with_views() {
  Levels result = 0;
  for (const AbstractLevelEntry& entry : abstract_levels()) {
    if (entry.client_views) result |= level_bit(entry.level);
  }
  return result;
}

template <class List>
void keep_each_once(List& list) {
  std::ranges::sort(list);
  const auto again = std::ranges::unique(list);
  list.erase(again.begin(), again.end());
}

/// By cell: which facts look at it.
struct LookingAtCells {
  explicit LookingAtCells(const System& system);

  std::vector<std::vector<Diagram>> store;
  std::vector<std::vector<Fact>> views;
  std::vector<std::vector<std::uint8_t>> seen;
  std::vector<std::vector<std::uint32_t>> invariants;
  std::vector<bool> observation;
};

LookingAtCells::LookingAtCells(const System& system)
    : store(system.cells().size()),
      views(store.size()),
      seen(store.size()),
      invariants(store.size()),
      observation(store.size(), false) {
  const auto cells_of = [&](Diagram diagram) {
    std::vector<std::uint32_t> found;
    system.diagrams().for_each_cell(diagram, [&](std::uint32_t cell) { found.push_back(cell); });
    keep_each_once(found);
    return found;
  };
  for (const auto* facts : {&system.installed(), &system.later(), &system.readers()}) {
    for (const Fact& fact : *facts) {
      for (const std::uint32_t cell : cells_of(fact.diagram)) store[cell].push_back(fact.diagram);
    }
  }
  for (const Fact& fact : system.views()) {
    for (const std::uint32_t cell : cells_of(fact.diagram)) views[cell].push_back(fact);
  }
  for (const auto* facts : {&system.before(), &system.sees()}) {
    for (const Fact& fact : *facts) {
      for (const std::uint32_t cell : cells_of(fact.diagram)) observation[cell] = true;
    }
  }
  for (const auto* facts : {&system.committed(), &system.reads(), &system.writes()}) {
    for (const Fact& fact : *facts) {
      for (const std::uint32_t cell : cells_of(fact.diagram)) {
        observation[cell] = true;
        seen[cell].push_back(fact.a);
      }
    }
  }
  for (std::uint32_t i = 0; i < system.invariants().size(); ++i) {
    for (const std::uint32_t cell : cells_of(system.invariants()[i])) invariants[cell].push_back(i);
  }
}

}  // namespace

Watchlist::Watchlist(const System& system) {
  const LookingAtCells looking(system);
  const auto append = [](auto& to, const auto& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const Action& action : system.actions()) {
    Watched& watched = watched_.emplace_back();
    for (const Assignment& one : action.assignments) {
      append(watched.store, looking.store[one.cell]);
      append(watched.views, looking.views[one.cell]);
      append(watched.seen, looking.seen[one.cell]);
      append(watched.invariants, looking.invariants[one.cell]);
      if (looking.observation[one.cell]) watched.observation = true;
    }
    keep_each_once(watched.store);
    keep_each_once(watched.seen);
    keep_each_once(watched.invariants);
  }
}

Monitor::Monitor(const System& system, const Watchlist& watchlist)
    : system_(system),
      watchlist_(watchlist),
      before_(system.cells().keys(), system.cells().transactions()),
      after_(before_),
      commits_(system.cells().keys(), system.cells().transactions()) {
  const std::size_t keys = system.cells().keys(), transactions = system.cells().transactions();
  has_begins_ = std::ranges::any_of(system.model().events,
                                    [](const Event& event) { return event.begins.has_value(); });
  is_committed_.assign(transactions, DecisionDiagrams::never);
  for (const Fact& fact : system.committed()) is_committed_[fact.a] = fact.diagram;
  fingerprint_.read_from.resize(keys);
  later_fingerprint_ = fingerprint_;
  run_.fingerprints.assign(transactions, fingerprint_);
  run_.before.resize(transactions);
  run_.sees.resize(transactions);
  run_.earlier_in_session = system.earlier_in_session();
}

Monitor::Report Monitor::check(std::size_t number, Values before, Values after, Levels asked) {
  const Action& action = system_.actions()[number];
  const Watchlist::Watched& watched = watchlist_.of(number);
  Report report;
  if (changes_observation(action, watched, before, after)) {
    report.broken = all_levels & asked;
    report.findings.fill({Obstacle::observation_changed, 0, 0});
    report.map_broken = true;
    return report;
  }
  if (system_.model().witness)
    return watched.observation ? check_witness(after, asked) : std::move(report);
  if (action.commits) return check_commit(action, watched, before, after, asked);

  const DecisionDiagrams& diagrams = system_.diagrams();
  for (const Diagram diagram : watched.store) {
    if (diagrams.holds(diagram, before) != diagrams.holds(diagram, after)) {
      report.broken = all_levels & asked;
      report.findings.fill({Obstacle::store_changed, 0, 0});
      report.map_broken = true;
      return report;
    }
  }
  for (const Fact& fact : watched.views) {
    if (diagrams.holds(fact.diagram, before) && !diagrams.holds(fact.diagram, after)) {
      report.broken = levels_with_views() & asked;
      report.findings.fill({Obstacle::view_shrank, 0, fact.b});
    }
  }
  return report;
}

bool Monitor::changes_observation(const Action& action, const Watchlist::Watched& watched,
                                  Values before, Values after) {
  for (const std::uint8_t t : watched.seen) {
    if (t == 0 || (t == action.commits && !system_.model().witness)) continue;
    const bool was = is_seen_committed(t, before);
    // A witness is about what clients see, whatever is said to commit.
    if (!was && system_.model().witness) continue;
    if (was != is_seen_committed(t, after)) return true;
    if (!was) continue;
    read_fingerprint(t, before, fingerprint_);
    read_fingerprint(t, after, later_fingerprint_);
    if (fingerprint_ != later_fingerprint_) return true;
  }
  return false;
}

Monitor::Report Monitor::check_commit(const Action& action, const Watchlist::Watched& watched,
                                      Values before, Values after, Levels asked) {
  Report report;
  const Cells& cells = system_.cells();
  const std::size_t t = *action.commits;
  read_store(before, before_);
  read_store(after, after_);
  read_fingerprint(t, after, fingerprint_);
  Commit commit{.before = before_,
                .after = after_,
                .transaction = t,
                .fingerprint = fingerprint_,
                .earlier_in_session = system_.earlier_in_session()};
  const std::size_t client = t == 0 ? 0 : cells.instance().owner(static_cast<std::uint8_t>(t));
  if (system_.maps_views()) {
    commit.view_before = view_of(client, before);
    commit.view_after = view_of(client, after);
  }
  if (cells.remembers_time()) {
    const Event& event = system_.model().events[action.event];
    const bool begins_now = event.begins && action.parameters[*event.begins] == t;
    commit.in_time = (!has_begins_ || begins_now || before[cells.begun(t)] != 0) &&
                     before[cells.answered(t)] == 0;
  }
  report.findings = commits_.check(commit, asked);
  for (const Fact& fact : watched.views) {
    if (fact.a != client && system_.diagrams().holds(fact.diagram, before) &&
        !system_.diagrams().holds(fact.diagram, after)) {
      report.broken |= levels_with_views() & asked;
      report.findings.fill({Obstacle::view_shrank, 0, fact.b});
    }
  }
  for (std::size_t level = 0; level < abstract_level_count; ++level) {
    const Obstacle obstacle = report.findings[level].obstacle;
    if ((asked >> level & 1) == 0 || obstacle == Obstacle::nothing) continue;
    report.broken |= 1u << level;
    report.map_broken |= obstacle == Obstacle::not_well_formed ||
                         obstacle == Obstacle::other_update || obstacle == Obstacle::not_fresh ||
                         obstacle == Obstacle::missing_version;
  }
  return report;
}

Monitor::Report Monitor::check_witness(Values after, Levels asked) {
  const DecisionDiagrams& diagrams = system_.diagrams();
  run_.committed = 1;
  for (const Fact& fact : system_.committed()) {
    if (diagrams.holds(fact.diagram, after)) run_.committed |= bit(fact.a);
  }
  for (std::size_t t = 1; t < run_.before.size(); ++t) {
    if ((run_.committed & bit(t)) != 0) read_fingerprint(t, after, run_.fingerprints[t]);
  }
  std::ranges::fill(run_.before, 0);
  std::ranges::fill(run_.sees, 0);
  for (const Fact& fact : system_.before()) {
    if (diagrams.holds(fact.diagram, after)) run_.before[fact.b] |= bit(fact.a);
  }
  for (const Fact& fact : system_.sees()) {
    if (diagrams.holds(fact.diagram, after)) run_.sees[fact.b] |= bit(fact.a);
  }
  Report report;
  // Where every transaction could have seen all that is before it, it does not matter which ones it
  // saw: that alone shows every level except strictness.
  const bool is_serial = broken_axiom(run_, AbstractLevel::ser).empty();
  for (const AbstractLevelEntry& entry : abstract_levels()) {
    if ((asked & level_bit(entry.level)) == 0) continue;
    std::string_view axiom = is_serial ? std::string_view() : broken_axiom(run_, entry.level);
    if (axiom.empty() && entry.real_time && !keeps_real_time(after)) axiom = "REALTIME";
    if (axiom.empty()) continue;
    report.broken |= level_bit(entry.level);
    report.axiom = axiom;
    report.findings[static_cast<std::size_t>(entry.level)].obstacle = Obstacle::not_witnessed;
  }
  return report;
}

bool Monitor::keeps_real_time(Values after) const {
  const Cells& cells = system_.cells();
  for (std::size_t t = 1; t < cells.transactions(); ++t) {
    for (std::size_t u = 1; u < cells.transactions(); ++u) {
      if ((run_.committed & bit(t)) != 0 && (run_.committed & bit(u)) != 0 &&
          after[cells.preceded(t, u)] != 0 && (run_.before[u] & bit(t)) == 0) {
        return false;
      }
    }
  }
  return true;
}

void Monitor::read_store(Values values, AbstractStore& store) const {
  const DecisionDiagrams& diagrams = system_.diagrams();
  store.clear();
  for (const Fact& fact : system_.installed()) {
    if (diagrams.holds(fact.diagram, values)) store.installed(fact.a) |= bit(fact.b);
  }
  for (const Fact& fact : system_.later()) {
    if (diagrams.holds(fact.diagram, values)) store.later(fact.a, fact.b) |= bit(fact.c);
  }
  for (const Fact& fact : system_.readers()) {
    if (diagrams.holds(fact.diagram, values)) store.readers(fact.a, fact.b) |= bit(fact.c);
  }
}

void Monitor::read_fingerprint(std::size_t transaction, Values values,
                               Fingerprint& fingerprint) const {
  const DecisionDiagrams& diagrams = system_.diagrams();
  std::ranges::fill(fingerprint.read_from, Fingerprint::not_read);
  fingerprint.written = fingerprint.read_twice = 0;
  for (const Fact& fact : system_.reads()) {
    // Reads of the transaction's own writes are not seen from outside.
    if (fact.a == transaction && fact.c != transaction && diagrams.holds(fact.diagram, values)) {
      if (fingerprint.read_from[fact.b] != Fingerprint::not_read)
        fingerprint.read_twice |= bit(fact.b);
      fingerprint.read_from[fact.b] = fact.c;
    }
  }
  for (const Fact& fact : system_.writes()) {
    if (fact.a == transaction && diagrams.holds(fact.diagram, values)) {
      fingerprint.written |= bit(fact.b);
    }
  }
}

KindsOfCommitted Monitor::committed(std::size_t transaction, Values values) {
  KindsOfCommitted result = {};
  const Coverage seen = seen_of(transaction, values);
  if (seen.commits != 0) result[seen.readers + 2 * seen.writers] = bit(transaction);
  return result;
}

KindsOfCommitted Monitor::cover(std::size_t action, Values before, Values after,
                                Coverage& coverage) {
  KindsOfCommitted committed = {};
  for (const std::uint8_t t : watchlist_.of(action).seen) {
    const Coverage now = seen_of(t, after);
    if (now.commits == 0) continue;
    committed[now.readers + 2 * now.writers] |= bit(t);
    const Coverage then = seen_of(t, before);
    coverage.commits += now.commits & ~then.commits;
    coverage.writers += now.writers & ~then.writers;
    coverage.readers += now.readers & ~then.readers;
    coverage.readers_of_others += now.readers_of_others & ~then.readers_of_others;
  }
  return committed;
}

Coverage Monitor::seen_of(std::size_t transaction, Values values) {
  Coverage seen;
  if (!is_seen_committed(transaction, values)) return seen;
  read_fingerprint(transaction, values, fingerprint_);
  seen.commits = 1;
  seen.writers = fingerprint_.written != 0 ? 1 : 0;
  for (const std::uint8_t writer : fingerprint_.read_from) {
    if (writer == Fingerprint::not_read) continue;
    seen.readers = 1;
    if (writer != 0) seen.readers_of_others = 1;
  }
  return seen;
}

Bits Monitor::view_of(std::size_t client, Values values) const {
  Bits view = 1;
  for (const Fact& fact : system_.views()) {
    if (fact.a == client && system_.diagrams().holds(fact.diagram, values)) view |= bit(fact.b);
  }
  return view;
}

std::uint64_t Monitor::observation_hash(Values values) const {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint8_t value) {
    hash = (hash ^ (value + 1u)) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 31;
  };
  const auto holds = [&](const Fact& fact) {
    return system_.diagrams().holds(fact.diagram, values);
  };
  Bits committed = 1;
  for (const Fact& fact : system_.committed()) {
    if (holds(fact)) committed |= bit(fact.a);
    add(holds(fact) ? 1 : 0);
  }
  for (const Fact& fact : system_.writes()) add(holds(fact) ? 1 : 0);
  bool reads_uncommitted = false;
  for (const Fact& fact : system_.reads()) {
    add(holds(fact) ? 1 : 0);
    if (holds(fact) && (committed & bit(fact.a)) != 0 && (committed & bit(fact.c)) == 0) {
      reads_uncommitted = true;
    }
  }
  const Cells& cells = system_.cells();
  if (reads_uncommitted) {
    // It matters then whether the other one can still commit, which any cell may tell.
    for (std::size_t cell = 0; cell < cells.size(); ++cell) add(values[cell]);
  } else if (cells.remembers_time()) {
    for (std::size_t t = 0; t < cells.transactions(); ++t) {
      add(values[cells.begun(t)]);
      add(values[cells.answered(t)]);
      for (std::size_t u = 0;
           cells.remembered_time() == RememberedTime::order && u < cells.transactions(); ++u) {
        add(values[cells.preceded(t, u)]);
      }
    }
  }
  return hash;
}

}  // namespace isoscope::protocol
