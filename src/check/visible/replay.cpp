#include "check/visible/replay.h"

#include <algorithm>
#include <utility>

#include "check/visible/sweep.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

Replay::Replay(const Problem& problem, RowReads& rows, RowOf row_of, const KnownOrders& known,
               const Limits& limits)
    : p_(problem), rows_(rows), row_of_(std::move(row_of)), known_(known), limits_(limits) {}

Replay::Result Replay::run(Execution& execution, std::vector<Misfit>& misfits) {
  return Sweep(*this, execution, misfits).run();
}

bool Replay::tell_rows(Execution& execution, const TellRow& tell, std::size_t most) {
  std::vector<Misfit> misfits;
  return Sweep(*this, execution, misfits).tell_rows(tell, most);
}

namespace {

/// Clocks follow the same hops for all readers that ask for ways of several hops, so there are none
/// where their levels differ in that.
Inner clocked(const RowOf& row_of, const Problem& problem) {
  Inner inner = Inner::none;
  for (Txn t = 1; t < problem.size(); ++t) {
    const Inner its = row_of(t).inner;
    if (its == Inner::none || its == Inner::prefix) continue;
    if (inner != Inner::none && inner != its) return Inner::none;
    inner = its;
  }
  return Past::are_affordable(problem) ? inner : Inner::none;
}

bool asks_for_readers(const RowOf& row_of, std::size_t size) {
  for (Txn t = 1; t < size; ++t) {
    const Row& row = row_of(t);
    if (row.by_version || row.inner == Inner::updates) return true;
  }
  return false;
}

}  // namespace

Replay::Sweep::Sweep(Replay& replay, Execution& execution, std::vector<Misfit>& misfits)
    : replay_(replay),
      p_(replay.p_),
      e_(execution),
      misfits_(misfits),
      past_(p_, e_, asks_for_readers(replay.row_of_, p_.size()), clocked(replay.row_of_, p_)),
      latest_(p_.set_count(), none),
      seen_(p_.size()),
      reached_(p_.size(), 0),
      ways_(p_.size()) {
  ISOSCOPE_REQUIRE(e_.takes_part.size() == p_.size() && e_.place.size() == p_.size());
  if (past_.has_clocks()) clock_.resize(p_.sources().chain_count());
  e_.source.resize(p_.reads().size(), none);
  e_.is_chosen.resize(p_.reads().size(), 0);
  for (std::uint32_t set = 0; set < p_.set_count(); ++set) {
    const auto candidates = p_.candidates(set);
    if (std::ranges::find(candidates, Txn{0}) != candidates.end()) latest_[set] = 0;
  }
}

Replay::Result Replay::Sweep::run() {
  for (const Txn t : e_.order) {
    if (e_.takes_part[t] == 0) continue;
    result_.stopped = replay_.limits_.reached(1 + static_cast<std::uint32_t>(reads_.size()));
    if (result_.stopped) break;
    choose_sources(t);
    judge(t);
    judge_rows(t);
    happen(t);
  }
  // Now that nobody goes through the reads any more.
  for (const ToMake& its : to_make_) {
    if (replay_.rows_.make(its.reader, *its.operation, its.key, its.set)) result_.made_reads = true;
  }
  return result_;
}

/// What it wrote is there from now on.
void Replay::Sweep::happen(Txn t) {
  past_.add(t);
  for (std::uint32_t i = 0; i < p_.sources().written_by(t).size(); ++i) {
    const std::uint32_t set = p_.value_set(p_.sources().first_write(t) + i);
    if (set != none) latest_[set] = t;
  }
}

void Replay::Sweep::choose_sources(Txn t) {
  p_.reads_of(t, reads_);
  const bool is_open =
      std::ranges::any_of(reads_, [&](std::uint32_t r) { return p_.read(r).set != none; });
  if (is_open) choose_by_snapshots(t, replay_.row_of_(t));
  for (const std::uint32_t r : reads_) {
    const Read& read = p_.read(r);
    if (e_.is_chosen[r] == 0 && read.set == none) e_.source[r] = latest_candidate(read);
    const Txn source = e_.source[r];
    ISOSCOPE_ENSURE(source != t);  // what reads see of their own transaction is left out here
    if (source == none) {
      if (!p_.is_ignored(read)) misfits_.push_back({.read = r});
      continue;
    }
    Seen& seen = seen_[source];
    const bool is_first = seen.by != t || read.operation < seen.operation;
    if (is_first) seen = {t, read.operation};
  }
}

/// The latest one before the reader; none if there is none.
Txn Replay::Sweep::latest_candidate(const Read& read) const {
  const auto may_be = [&](Txn t) {
    return t == 0 || (e_.takes_part[t] != 0 && e_.place[t] < e_.place[read.reader]);
  };
  if (read.set == none) return read.only != none && may_be(read.only) ? read.only : none;
  if (p_.set(read.set).is_of_value) return latest_[read.set];
  const auto candidates = p_.candidates(read.set);
  const auto writers = past_.writers(read.key);
  for (std::size_t i = writers.size(); i > 0; --i) {
    if (std::ranges::binary_search(candidates, writers[i - 1])) return writers[i - 1];
  }
  return std::ranges::binary_search(candidates, Txn{0}) ? Txn{0} : none;
}

bool Replay::Sweep::is_looked_at(const Read& read, const Row& row) const {
  if (p_.is_ignored(read)) return false;
  switch (row.looks) {
    case Looks::at_none:
      return false;
    case Looks::at_items:
      return read.item;
    case Looks::at_overwritten_items:
      return read.item && p_.sources().writes(read.reader, read.key);
    case Looks::at_all:
      return true;
  }
  return false;
}

void Replay::Sweep::judge(Txn t) {
  const Row& row = replay_.row_of_(t);
  judge_bases(t);
  // A read is in question if there is a newer version than the one it is from.
  std::uint32_t since = none;
  std::vector<std::uint32_t> in_question;
  for (const std::uint32_t r : reads_) {
    const Read& read = p_.read(r);
    const Txn source = e_.source[r];
    if (source == none || read.base || !is_looked_at(read, row)) continue;
    const auto writers = past_.writers(read.key);
    if (writers.empty() || writers.back() == source) continue;
    in_question.push_back(r);
    if (row.inner == Inner::none || row.inner == Inner::prefix || past_.has_clocks()) continue;
    const auto after = std::ranges::upper_bound(writers, e_.place[source], {},
                                                [&](Txn writer) { return e_.place[writer]; });
    ISOSCOPE_ENSURE(after != writers.end());  // the last one is newer than the source
    since = std::min(since, e_.place[*after]);
  }
  if (in_question.empty()) return;
  begin_search(since);
  for (const std::uint32_t r : in_question) {
    const Read& read = p_.read(r);
    const std::uint32_t oldest = e_.place[e_.source[r]] + 1;
    const Txn newer = last_visible(t, row, read.operation, read.key, oldest);
    if (newer != 0) add_misfit(r, newer, row);
  }
}

/// What an update was applied to is the last version before its own, at every level.
void Replay::Sweep::judge_bases(Txn t) {
  for (const std::uint32_t r : reads_) {
    const Read& read = p_.read(r);
    const Txn source = e_.source[r];
    if (!read.base || source == none) continue;
    const auto writers = past_.writers(read.key);
    if (writers.empty() || writers.back() == source) continue;
    misfits_.push_back({r, source, writers.back(), {Hop{Hop::Kind::overwrite, writers.back(), t}}});
  }
}

Txn Replay::Sweep::last_visible(Txn t, const Row& row, std::uint32_t operation, KeyId key,
                                std::uint32_t since) {
  const auto writers = past_.writers(key);
  if (sees_everything(t, row)) {
    return writers.empty() || e_.place[writers.back()] < since ? 0 : writers.back();
  }
  if (row.inner == Inner::prefix) {
    const auto after = std::ranges::upper_bound(writers, last_of_prefix(t, row, operation), {},
                                                [&](Txn writer) { return e_.place[writer]; });
    if (after == writers.begin() || e_.place[*(after - 1)] < since) return 0;
    return *(after - 1);
  }
  if (row.inner != Inner::none) look_back(t, row, operation);
  for (std::size_t i = writers.size(); i > 0 && e_.place[writers[i - 1]] >= since; --i) {
    if (is_visible(writers[i - 1], t, row, operation, key)) return writers[i - 1];
  }
  return 0;
}

bool Replay::Sweep::is_visible(Txn writer, Txn t, const Row& row, std::uint32_t operation,
                               KeyId key) const {
  if (row.overwritten == Overwritten::same_key) return true;  // t writes the key
  if (row.inner == Inner::none) return is_visible_directly(writer, t, row, operation);
  if (!row.by_version) return is_reached(writer);
  bool found = false;
  p_.for_each_next(writer, [&](Txn next) { found |= next == t || is_reached(next); });
  if (found) return true;
  return std::ranges::any_of(past_.readers(p_.version(writer, key)),
                             [&](std::uint32_t r) { return is_reached(p_.read(r).reader); });
}

bool Replay::Sweep::is_visible_directly(Txn writer, Txn t, const Row& row,
                                        std::uint32_t operation) const {
  if (row.session && p_.in_session(writer, t)) return true;
  const Seen& seen = seen_[writer];
  if (seen.by == t && Past::counts(row.sources, seen.operation, operation)) return true;
  return row.overwritten == Overwritten::all && shares_key(writer, t);
}

bool Replay::Sweep::shares_key(Txn a, Txn b) const {
  const auto first = p_.sources().written_by(a);
  const auto second = p_.sources().written_by(b);
  auto i = first.begin();
  auto j = second.begin();
  while (i != first.end() && j != second.end()) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

std::uint32_t Replay::Sweep::last_of_prefix(Txn t, const Row& row, std::uint32_t operation) const {
  std::uint32_t last = 0;
  past_.for_each_last_hop(t, row, operation, 0, false,
                          [&](const Hop& hop) { last = std::max(last, e_.place[hop.from]); });
  return last;
}

void Replay::Sweep::begin_search(std::uint32_t since) {
  ++stamp_;
  since_ = since;
}

void Replay::Sweep::reach(Txn t) {
  if (is_reached(t)) return;
  reached_[t] = stamp_;
  to_follow_.push_back(t);
}

void Replay::Sweep::look_back(Txn t, const Row& row, std::uint32_t operation) {
  if (!past_.has_clocks()) return search(t, row, operation);
  const bool operations_differ = row.sources != Sources::all;
  if (clock_of_ == t && (!operations_differ || clock_at_ == operation)) return;
  clock_of_ = t;
  clock_at_ = operation;
  std::ranges::fill(clock_, 0u);
  past_.for_each_last_hop(t, row, operation, 0, false,
                          [&](const Hop& hop) { past_.join(hop.from, clock_); });
}

/// Goes on with the search, which may have been made for an earlier operation.
void Replay::Sweep::search(Txn t, const Row& row, std::uint32_t operation) {
  past_.for_each_last_hop(t, row, operation, since_, false,
                          [&](const Hop& hop) { reach(hop.from); });
  while (!to_follow_.empty()) {
    const Txn next = to_follow_.back();
    to_follow_.pop_back();
    past_.for_each_hop(next, row.inner, since_, false, [&](const Hop& hop) { reach(hop.from); });
  }
}

}  // namespace isoscope::visible
