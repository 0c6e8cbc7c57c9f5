#include <algorithm>
#include <utility>

#include "check/direct/scans.h"
#include "isoscope/base/contract.h"

namespace isoscope::direct {

namespace {

/// Among equally small cycles, one that speaks against more levels comes first.
std::uint64_t rank_of(Anomaly kind) {
  constexpr Anomaly order[] = {Anomaly::fractured_read,         Anomaly::lost_update,
                               Anomaly::missing_your_writes,    Anomaly::non_monotonic_reads,
                               Anomaly::causality_violation,    Anomaly::g_single_item,
                               Anomaly::g_single_item_process,  Anomaly::write_skew,
                               Anomaly::g_single_item_realtime, Anomaly::g2_item_realtime};
  const auto place = std::ranges::find(order, kind);
  ISOSCOPE_REQUIRE(place != std::end(order));  // or it would come last without a word
  return static_cast<std::uint64_t>(place - std::begin(order));
}

/// Writers of what was read that are not in the cycle themselves.
std::uint64_t others_in(const SmallCycle& cycle) {
  std::vector<Number> others;
  for (const Link& link : cycle.edges()) {
    const Number source = link.read.source;
    const auto is_member = [&](const Link& one) { return one.from == source; };
    if (link.kind != Link::Kind::overwritten || source == 0) continue;
    if (std::ranges::any_of(cycle.edges(), is_member)) continue;
    if (std::ranges::find(others, source) == others.end()) others.push_back(source);
  }
  return others.size();
}

/// Does each edge begin where the one before it ends?
bool is_closed(const SmallCycle& cycle) {
  const auto edges = cycle.edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].to != edges[(i + 1) % edges.size()].from) return false;
  }
  return true;
}

}  // namespace

void Collection::add(SmallCycle cycle) {
  ISOSCOPE_REQUIRE(is_closed(cycle));
  const auto rests_on = [&](Newer reason) {
    return std::ranges::any_of(cycle.edges(), [&](const Link& link) {
      return link.kind == Link::Kind::overwritten &&
             overwrites_.newer(link.read, link.to) == reason;
    });
  };
  if (rests_on(Newer::in_time)) {
    cycle.kind = cycle.kind == Anomaly::write_skew ? Anomaly::g2_item_realtime
                                                   : Anomaly::g_single_item_realtime;
  } else if (cycle.kind == Anomaly::g_single_item && rests_on(Newer::in_session)) {
    cycle.kind = Anomaly::g_single_item_process;
  }
  ++counts_[cycle.kind];
  const Kept it{{cycle.size, rank_of(cycle.kind), others_in(cycle), found_++}, cycle};
  const auto [place, is_new] = simplest_.try_emplace(cycle.kind, it);
  if (!is_new && simpler(it, place->second)) place->second = it;
  if (most_ == 0) return;
  kept_.push_back(it);
  std::ranges::push_heap(kept_, simpler);
  if (kept_.size() <= most_) return;
  std::ranges::pop_heap(kept_, simpler);
  kept_.pop_back();
  ISOSCOPE_ENSURE(kept_.size() == most_);
}

bool Collection::is_full(std::size_t size, Anomaly kind) const {
  if (kept_.empty() || kept_.size() < most_) return false;
  const auto& worst = kept_.front().rank;
  return std::pair(worst[0], worst[1]) <
         std::pair<std::uint64_t, std::uint64_t>(size, rank_of(kind));
}

std::vector<AnomalyCount> Collection::counts() const {
  std::vector<AnomalyCount> counts;
  for (const auto& [kind, count] : counts_) counts.push_back({kind, count});
  std::ranges::sort(counts, {}, [](const AnomalyCount& one) { return rank_of(one.kind); });
  return counts;
}

bool Collection::should_stop() const { return limits_.reached().has_value(); }

std::vector<SmallCycle> Collection::take() {
  std::ranges::sort(kept_, simpler);
  std::vector<SmallCycle> cycles;
  for (const Kept& one : kept_) cycles.push_back(one.cycle);
  kept_.clear();
  return cycles;
}

std::vector<SmallCycle> Collection::take_one_of_each() {
  kept_.clear();
  for (const auto& [kind, one] : simplest_) kept_.push_back(one);
  simplest_.clear();
  return take();
}

}  // namespace isoscope::direct
