#include <algorithm>

#include "check/visible/sweep.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

void Replay::Sweep::add_misfit(std::uint32_t read, Txn newer, const Row& row) {
  misfits_.push_back({read, e_.source[read], newer, way(read, newer, row)});
}

/// How many choices the hop rests on.
std::uint32_t Replay::Sweep::cost_of(const Hop& hop) const {
  const auto cost_of_read = [&] { return p_.is_open(p_.read(hop.read)) ? 1u : 0u; };
  switch (hop.kind) {
    case Hop::Kind::session:
      return 0;
    case Hop::Kind::read:
      return cost_of_read();
    case Hop::Kind::overwrite:
    case Hop::Kind::earlier:
      return cost_of_order(hop.from, hop.to);
    case Hop::Kind::antidependency:
      return cost_of_read() + (hop.version == 0 ? 0 : cost_of_order(hop.version, hop.to));
  }
  return 0;
}

std::vector<Hop> Replay::Sweep::way(std::uint32_t r, Txn from, const Row& row) {
  const Read& read = p_.read(r);
  if (row.overwritten == Overwritten::same_key) {
    return {Hop{Hop::Kind::overwrite, from, read.reader}};
  }
  // A known way is better than a choice, even where all that is earlier is visible.
  if (row.session && p_.in_session(from, read.reader)) {
    return {Hop{Hop::Kind::session, from, read.reader}};
  }
  if (sees_everything(read.reader, row)) return {Hop{Hop::Kind::earlier, from, read.reader}};
  if (row.inner == Inner::none) return {direct_hop(read, from, row)};
  return row.inner == Inner::prefix ? way_in_prefix(read, from, row) : way_inside(read, from, row);
}

/// The only hop, where it is known that there is one.
Hop Replay::Sweep::direct_hop(const Read& read, Txn from, const Row& row) {
  Hop best;
  std::uint32_t best_cost = none;
  const auto consider = [&](const Hop& hop) {
    const std::uint32_t cost = cost_of(hop);
    if (cost >= best_cost) return;
    best_cost = cost;
    best = hop;
  };
  for (const std::uint32_t r : reads_) {
    if (e_.source[r] != from) continue;
    if (!Past::counts(row.sources, p_.read(r).operation, read.operation)) continue;
    consider(Hop{Hop::Kind::read, from, read.reader, r});
  }
  if (row.overwritten == Overwritten::all && shares_key(from, read.reader)) {
    consider(Hop{Hop::Kind::overwrite, from, read.reader});
  }
  ISOSCOPE_ENSURE(best_cost != none);
  return best;
}

/// One hop from any earlier transaction, and the last one.
std::vector<Hop> Replay::Sweep::way_in_prefix(const Read& read, Txn from, const Row& row) {
  std::uint32_t best_cost = none;
  std::vector<Hop> best;
  past_.for_each_last_hop(
      read.reader, row, read.operation, e_.place[from], true, [&](const Hop& last) {
        const Hop first{Hop::Kind::earlier, from, last.from};
        const std::uint32_t cost = cost_of(last) + (last.from == from ? 0 : cost_of(first));
        if (cost >= best_cost) return;
        best_cost = cost;
        best = last.from == from ? std::vector<Hop>{last} : std::vector<Hop>{first, last};
      });
  ISOSCOPE_ENSURE(!best.empty());
  return best;
}

void Replay::Sweep::relax(const Hop& hop, std::uint32_t cost) {
  Reached& its = ways_[hop.from];
  if (its.stamp == way_stamp_ && its.cost <= cost) return;
  its = {way_stamp_, cost, hop};
  queue_.emplace_back(hop.from, cost);
}

/// Whether the hop, which leads to something that is reached, makes the key's version that `from`
/// left visible.
bool Replay::Sweep::is_first_hop(const Hop& hop, Txn from, const Read& read) const {
  if (hop.from != from) return false;
  if (hop.kind != Hop::Kind::read) return true;
  return hop.to != read.reader && p_.read(hop.read).key == read.key;
}

/// Searches backwards, cheapest ways first. Costs are small, so a queue in which what costs nothing
/// is put in front does.
std::vector<Hop> Replay::Sweep::way_inside(const Read& read, Txn from, const Row& row) {
  ++way_stamp_;
  queue_.clear();
  const std::uint32_t since = e_.place[from];
  const bool by_version = row.by_version;
  std::uint32_t best = none;
  Hop first;
  const auto consider = [&](const Hop& hop, std::uint32_t so_far) {
    const std::uint32_t cost = so_far + cost_of(hop);
    if (!by_version) {
      relax(hop, cost);
      return;
    }
    if (is_first_hop(hop, from, read) && cost < best) {
      best = cost;
      first = hop;
    }
    relax(hop, cost);
  };
  past_.for_each_last_hop(read.reader, row, read.operation, since, true,
                          [&](const Hop& hop) { consider(hop, 0); });
  // Every transaction may be looked at again when a cheaper way to it is found.
  while (!queue_.empty()) {
    const auto [t, cost] = queue_.front();
    queue_.pop_front();
    if (ways_[t].cost < cost || (t == from && !by_version)) continue;
    past_.for_each_hop(t, row.inner, since, true, [&](const Hop& hop) { consider(hop, cost); });
  }
  std::vector<Hop> result;
  Hop hop = by_version ? first : ways_[from].hop;
  ISOSCOPE_ENSURE(by_version ? best != none : ways_[from].stamp == way_stamp_);
  result.push_back(hop);
  while (hop.to != read.reader) {
    hop = ways_[hop.to].hop;
    result.push_back(hop);
  }
  return result;
}

}  // namespace isoscope::visible
