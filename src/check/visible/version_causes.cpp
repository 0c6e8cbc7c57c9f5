#include "check/visible/version_causes.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::visible {

VersionReplay::Causes::Causes(const Problem& problem, const OrderNodes& nodes,
                              const Execution& execution, const Limits& limits)
    : p_(problem),
      nodes_(nodes),
      e_(execution),
      limits_(limits),
      past_(problem, execution, false, Inner::causes),
      reads_(problem.history().key_count()),
      reached_(problem.size()) {
  ISOSCOPE_REQUIRE(execution.version_place.size() == problem.version_count());
  collect_reads();
}

void VersionReplay::Causes::collect_reads() {
  std::vector<std::uint32_t> reads;
  for (Txn t = 1; t < p_.size(); ++t) {
    if (e_.takes_part[t] == 0) continue;
    p_.reads_of(t, reads);
    for (const std::uint32_t r : reads) {
      if (e_.source[r] == none || e_.source[r] == 0) continue;
      auto& its = reads_[p_.read(r).key.index()];
      const bool goes_on =
          !its.empty() && p_.sources().chain(its.back().reader) == p_.sources().chain(t);
      const bool is_newer = !goes_on || place(r) > place(its.back().newest);
      its.push_back({t, is_newer ? r : its.back().newest});
    }
  }
}

void VersionReplay::Causes::judge(std::vector<Misfit>& misfits) {
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> earlier(p_.sources().chain_count());
  std::vector<std::uint32_t> now;
  for (const Txn t : e_.order) {
    if (e_.takes_part[t] == 0) continue;
    p_.reads_of(t, reads);
    std::ranges::fill(earlier, 0);
    const auto join = [&](std::uint32_t r, std::vector<std::uint32_t>& clock) {
      if (e_.source[r] != none && e_.source[r] != 0) past_.join(e_.source[r], clock);
    };
    for (std::size_t i = 0, seen = 0; i < reads.size(); ++i) {
      const std::uint32_t r = reads[i];
      const Read& read = p_.read(r);
      for (; p_.read(reads[seen]).operation < read.operation; ++seen) join(reads[seen], earlier);
      if (e_.source[r] == none) continue;
      now = earlier;
      join(r, now);
      const std::uint32_t first = newest_read(read.key, now);
      if (limits_.reached(static_cast<std::uint32_t>(now.size()))) return;
      if (first == none || place(first) <= place(r)) continue;
      misfits.push_back(
          {.read = r, .source = e_.source[r], .newer = e_.source[first], .way = way(r, first)});
    }
    past_.add(t);
  }
}

std::uint32_t VersionReplay::Causes::newest_read(KeyId key, Past::Clock clock) const {
  const auto& its = reads_[key.index()];
  std::uint32_t newest = none;
  if (its.empty()) return newest;
  for (std::uint32_t chain = 0; chain < clock.size(); ++chain) {
    if (clock[chain] == 0) continue;
    const Txn end = p_.sources().first_of_chain(chain) + clock[chain];
    const auto behind = std::ranges::lower_bound(its, end, {}, &ReadSoFar::reader);
    if (behind == its.begin()) continue;
    const ReadSoFar& last = *(behind - 1);
    if (p_.sources().chain(last.reader) != chain) continue;
    if (newest == none || place(last.newest) > place(newest)) newest = last.newest;
  }
  return newest;
}

void VersionReplay::Causes::reach(const Hop& hop, std::uint32_t cost, Txn target) {
  if (hop.from == 0 || hop.from == none || !past_.is_in(target, past_.clock(hop.from))) return;
  const bool is_choice = hop.kind == Hop::Kind::read && p_.is_open(p_.read(hop.read));
  cost += is_choice ? 1 : 0;
  Reached& its = reached_[hop.from];
  if (its.stamp == stamp_ && its.cost <= cost) return;
  its = {stamp_, cost, hop};
  if (is_choice) {
    queue_.emplace_back(hop.from, cost);
  } else {
    queue_.emplace_front(hop.from, cost);
  }
}

/// The way from what the first read returned, through its reader, to the other read. Of all ways
/// it is one with the fewest choices.
std::vector<Hop> VersionReplay::Causes::way(std::uint32_t r, std::uint32_t first) {
  const Read& read = p_.read(r);
  const Txn target = p_.read(first).reader;
  ++stamp_;
  queue_.clear();
  std::vector<std::uint32_t> reads;
  p_.reads_of(read.reader, reads);
  for (const std::uint32_t other : reads) {
    if (other != r && p_.read(other).operation >= read.operation) continue;
    reach({Hop::Kind::read, e_.source[other], read.reader, other}, 0, target);
  }
  while (!queue_.empty()) {
    const auto [t, cost] = queue_.front();
    queue_.pop_front();
    if (cost > reached_[t].cost) continue;
    if (t == target) break;
    past_.for_each_hop(t, Inner::causes, 0, false,
                       [&](const Hop& hop) { reach(hop, cost, target); });
  }
  ISOSCOPE_ENSURE(reached_[target].stamp == stamp_);
  std::vector<Hop> hops = {{Hop::Kind::read, e_.source[first], target, first}};
  for (Txn t = target; t != read.reader; t = hops.back().to) hops.push_back(reached_[t].hop);
  return hops;
}

}  // namespace isoscope::visible
