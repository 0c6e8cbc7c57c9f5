#include "protocol/explore/walk.h"

#include <algorithm>

namespace isoscope::protocol {

namespace {

/// Protocols that retry for ever would never end.
constexpr std::size_t most_steps = 400;

}  // namespace

Walk::Walk(const System& system) : system_(system) {
  for (const Event& event : system.model().events) {
    has_begins_ |= event.begins.has_value();
    has_answers_ |= event.answers.has_value();
  }
}

std::vector<std::uint8_t> Walk::random_start(Random& random) const {
  const Cells& cells = system_.cells();
  std::vector<std::uint8_t> values = cells.initial();
  for (std::size_t cell = 0; cell < cells.first_order_cell(); ++cell) {
    if (cells.is_fixed(cell))
      values[cell] = static_cast<std::uint8_t>(random.below(cells.value_count(cell)));
  }
  const Sizes sizes = cells.instance().sizes();
  for (std::uint32_t order = 0; order < system_.model().orders.size(); ++order) {
    std::vector<std::size_t> next(sizes.clients, 0), merged = {0};
    while (merged.size() < cells.transactions()) {
      const std::size_t client = random.below(sizes.clients);
      if (next[client] < sizes.transactions)
        merged.push_back(1 + client * sizes.transactions + next[client]++);
    }
    for (std::size_t i = 0; i < merged.size(); ++i) {
      for (std::size_t j = i + 1; j < merged.size(); ++j)
        values[cells.order(order, merged[i], merged[j])] = 1;
    }
  }
  return values;
}

void Walk::run(std::vector<std::uint8_t> start, Random& random, Coverage& coverage) {
  values_ = std::move(start);
  times_.assign(system_.cells().transactions(), {});
  coverage.fired.resize(system_.model().events.size());
  for (std::size_t now = 1; now <= most_steps; ++now) {
    enabled_.clear();
    for (const Action& action : system_.actions()) {
      if (system_.is_enabled(action, values_.data())) enabled_.push_back(&action);
    }
    if (enabled_.empty()) break;
    const Action& action = *enabled_[random.below(enabled_.size())];
    next_ = values_;
    system_.apply(action, values_.data(), next_.data());
    std::swap(values_, next_);
    ++coverage.fired[action.event];
    note_times(action, now);
  }

  const std::vector<Seen> seen = what_clients_see();
  bool has_overlap = false;
  for (std::size_t t = 1; t < seen.size(); ++t) {
    if (!seen[t].is_committed) continue;
    ++coverage.commits;
    if (seen[t].written_keys != 0) ++coverage.writers;
    if (seen[t].has_read) ++coverage.readers;
    if (seen[t].has_read_others) ++coverage.readers_of_others;
    for (std::size_t u = 1; u < seen.size(); ++u) {
      const Bits used = seen[u].read_keys | seen[u].written_keys;
      if (u != t && seen[u].is_committed && (seen[t].written_keys & used) != 0 && overlap(t, u))
        has_overlap = true;
    }
  }
  ++coverage.runs;
  if (has_overlap) ++coverage.runs_with_overlap;
}

void Walk::note_times(const Action& action, std::size_t now) {
  const Event& event = system_.model().events[action.event];
  for (std::size_t i = 0; i < event.parameters.size(); ++i) {
    if (event.parameters[i].sort != Sort::transaction) continue;
    Times& times = times_[action.parameters[i]];
    if (times.begin == 0 && (!has_begins_ || event.begins == i)) times.begin = now;
    if (times.end == 0 && (has_answers_ ? event.answers == i : event.commits == i)) times.end = now;
  }
}

std::vector<Walk::Seen> Walk::what_clients_see() const {
  std::vector<Seen> seen(times_.size());
  const auto holds = [&](const Fact& fact) {
    return system_.diagrams().holds(fact.diagram, values_.data());
  };
  for (const Fact& fact : system_.committed()) {
    if (holds(fact)) seen[fact.a].is_committed = true;
  }
  for (const Fact& fact : system_.reads()) {
    if (fact.a == fact.c || !holds(fact)) continue;
    seen[fact.a].read_keys |= bit(fact.b);
    seen[fact.a].has_read = true;
    if (fact.c != 0) seen[fact.a].has_read_others = true;
  }
  for (const Fact& fact : system_.writes()) {
    if (holds(fact)) seen[fact.a].written_keys |= bit(fact.b);
  }
  return seen;
}

/// Did neither end before the other began? A transaction that was never answered has not ended.
bool Walk::overlap(std::size_t t, std::size_t u) const {
  const auto precedes = [](const Times& one, const Times& other) {
    return one.end != 0 && one.end < other.begin;
  };
  return times_[t].begin != 0 && times_[u].begin != 0 && !precedes(times_[t], times_[u]) &&
         !precedes(times_[u], times_[t]);
}

}  // namespace isoscope::protocol
