#include <algorithm>

#include "check/visible/sweep.h"

namespace isoscope::visible {

/// Whether the read may be from the transaction, which wrote the key or is the initial state.
bool Replay::Sweep::is_candidate(std::uint32_t r, Txn t) const {
  const Read& read = p_.read(r);
  if (e_.is_chosen[r] != 0) return e_.source[r] == t;
  if (read.set == none) return read.only == t;
  const auto candidates = p_.candidates(read.set);
  if (!p_.set(read.set).is_of_value) return std::ranges::binary_search(candidates, t);
  if (t != 0) return p_.value_set(p_.version(t, read.key)) == read.set;
  return std::ranges::find(candidates, Txn{0}) != candidates.end();
}

/// Adds from where to where the last writer of the key is a candidate, among the places from
/// `since` to that of the reader.
void Replay::Sweep::add_fitting_places(std::uint32_t r, std::uint32_t since) {
  /// A key with more writers than this since then is looked at as far as these reach.
  constexpr std::size_t most_writers = 64;
  const Read& read = p_.read(r);
  const auto writers = past_.writers(read.key);
  const std::size_t first = writers.size() - std::min(writers.size(), most_writers);
  std::uint32_t end = e_.place[read.reader];
  for (std::size_t i = writers.size() + 1; i > first && end > since; --i) {
    const Txn writer = i > 1 ? writers[i - 2] : 0;
    const std::uint32_t begin = std::max(e_.place[writer], since);
    if (is_candidate(r, writer)) {
      bounds_.emplace_back(begin, 1);
      bounds_.emplace_back(end, -1);
    }
    end = e_.place[writer];
  }
}

/// The first place from `since` on at which most of the reads fit.
std::uint32_t Replay::Sweep::best_snapshot(std::span<const std::uint32_t> reads,
                                           std::uint32_t since) {
  bounds_.clear();
  for (const std::uint32_t r : reads) {
    if (!p_.is_ignored(p_.read(r))) add_fitting_places(r, since);
  }
  std::ranges::sort(bounds_);
  std::uint32_t best = since;
  int most = 0;
  int count = 0;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    count += bounds_[i].second;
    const bool is_last = i + 1 == bounds_.size() || bounds_[i + 1].first != bounds_[i].first;
    if (!is_last || count <= most) continue;
    most = count;
    best = bounds_[i].first;
  }
  return best;
}

/// The last candidate up to the place, unless it was overwritten before the reader began and there
/// is a later one.
Txn Replay::Sweep::candidate_at(std::uint32_t r, std::uint32_t place) const {
  const Read& read = p_.read(r);
  const auto writers = past_.writers(read.key);
  const auto may_be = [&](Txn writer) { return is_candidate(r, writer); };
  const auto after =
      std::ranges::upper_bound(writers, place, {}, [&](Txn writer) { return e_.place[writer]; });
  auto before = after;
  while (before != writers.begin() && !may_be(*(before - 1))) --before;
  const bool is_initial = before == writers.begin();
  const bool is_found = !is_initial || may_be(0);
  const std::uint32_t begin = e_.place[p_.previous(read.reader)];
  const bool is_stale = !is_found || (before != writers.end() && e_.place[*before] <= begin);
  if (is_stale) {
    const auto next = std::find_if(after, writers.end(), may_be);
    if (next != writers.end()) return *next;
  }
  if (!is_found) return none;
  return is_initial ? 0 : *(before - 1);
}

void Replay::Sweep::choose_by_snapshots(Txn t, const Row& row) {
  const bool by_operation =
      row.sources == Sources::of_earlier_operations || row.sources == Sources::up_to_operation;
  std::uint32_t since = e_.place[p_.previous(t)];
  for (std::size_t i = 0; i < reads_.size();) {
    std::size_t end = i + 1;
    const auto goes_on = [&] {
      return !by_operation || p_.read(reads_[end]).operation == p_.read(reads_[i]).operation;
    };
    while (end < reads_.size() && goes_on()) ++end;
    const auto group = std::span(reads_).subspan(i, end - i);
    since = best_snapshot(group, since);
    for (const std::uint32_t r : group) {
      const Read& read = p_.read(r);
      if (e_.is_chosen[r] == 0 && read.set != none) e_.source[r] = candidate_at(r, since);
    }
    i = end;
  }
}

}  // namespace isoscope::visible
