#include "check/visible/guess.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::visible {

namespace {

class Scheduler {
 public:
  Scheduler(const Problem& problem, const Digraph& known, const strong::LikelyTimes& times,
            const Hints& hints)
      : p_(problem),
        known_(known),
        times_(times),
        hints_(hints),
        waits_for_(known.node_count(), 0),
        is_met_(problem.set_count(), 0),
        readers_(problem.set_count()),
        is_done_(known.node_count(), 0),
        pulled_(known.node_count(), 0),
        not_before_(known.node_count(), 0),
        place_(problem.size(), 0),
        overwritten_at_(problem.version_count(), none),
        last_writer_(problem.history().key_count(), 0),
        initial_overwritten_at_(problem.history().key_count(), none),
        latest_(problem.set_count(), none) {}

  std::vector<std::uint32_t> run() {
    count();
    for (std::uint32_t node = 0; node < known_.node_count(); ++node) {
      if (waits_for_[node] == 0) push(node);
    }
    happen_until(0);
    for (const Txn t : by_end()) {
      happen_until(end(t));
      begin_pulling(t);
    }
    do {
      happen_until(UINT64_MAX);
    } while (order_.size() < known_.node_count() && give_up_waiting());
    return std::move(order_);
  }

 private:
  using Ready = std::pair<std::uint64_t, std::uint32_t>;  // when, and what

  void count() {
    for (Txn t = 1; t < p_.size(); ++t) not_before_[t] = times_.begin(p_.sources().id(t));
    for (std::uint32_t node = 0; node < known_.node_count(); ++node) {
      waits_for_[node] = static_cast<std::uint32_t>(known_.predecessors(node).size());
    }
    for (std::uint32_t set = 0; set < p_.set_count(); ++set) {
      for (const Txn t : p_.candidates(set)) is_met_[set] |= t == 0;
      if (is_met_[set] != 0) latest_[set] = 0;
    }
    for (const Read& read : p_.reads()) {
      const bool waits = is_of_value(read) && is_met_[read.set] == 0;
      if (!waits || !p_.sources().certain(read.reader)) continue;
      readers_[read.set].push_back(read.reader);
      ++waits_for_[read.reader];
    }
  }

  /// Points in time happen as soon as they can.
  void push(std::uint32_t node) { ready_.emplace(end(node), node); }

  /// Otherwise it is a read of a row that a predicate left out.
  bool is_of_value(const Read& read) const {
    return read.set != none && p_.set(read.set).is_of_value;
  }
  bool is_transaction(std::uint32_t node) const { return node != 0 && node < p_.size(); }
  std::uint64_t end(std::uint32_t node) const {
    return is_transaction(node) ? times_.end(p_.sources().id(node)) : 0;
  }

  void meet(std::uint32_t node) {
    if (waits_for_[node] > 0 && --waits_for_[node] == 0) push(node);
  }

  std::vector<Txn> by_end() const {
    std::vector<Txn> result;
    for (Txn t = 1; t < p_.size(); ++t) result.push_back(t);
    std::ranges::sort(result, {}, [&](Txn t) { return std::pair(end(t), t); });
    return result;
  }

  /// What is ready happens, as far as it ended before the time.
  void happen_until(std::uint64_t time) {
    while (!ready_.empty() && (ready_.top().first < time || time == UINT64_MAX)) {
      const std::uint32_t node = ready_.top().second;
      ready_.pop();
      begin_pulling(node);
    }
  }

  void begin_pulling(std::uint32_t node) {
    ++pulls_;
    now_ = std::max(now_, end(node));
    pull(node, 0);
  }

  /// Lets a transaction happen, after what it waits for. A client may have learnt late that its
  /// transaction committed, and others have read from it by then. So what somebody read from such a
  /// transaction makes it happen, too, and so do hints.
  void pull(std::uint32_t node, int depth) {
    constexpr int most_depth = 200;
    if (is_done_[node] != 0 || depth >= most_depth || not_before_[node] > now_) return;
    if (std::exchange(pulled_[node], pulls_) == pulls_) return;
    for (const std::uint32_t before : known_.predecessors(node)) {
      pull(before, depth + 1);
      if (is_done_[before] != 0) continue;
      not_before_[node] = std::max(not_before_[node], not_before_[before]);
    }
    if (not_before_[node] > now_) return;
    if (is_transaction(node)) {
      for (const Txn before : hints_.before(node)) pull(before, depth + 1);
      pull_sources(node, depth);
    }
    if (is_done_[node] == 0 && waits_for_[node] == 0) happen(node);
  }

  void pull_sources(Txn t, int depth) {
    std::vector<std::uint32_t> reads;
    p_.reads_of(t, reads);
    for (const std::uint32_t r : reads) {
      const Read& read = p_.read(r);
      if (read.set == none || !is_stale(read)) continue;
      const Txn source = unfinished_candidate(read);
      if (source != none) pull(source, depth + 1);
    }
  }

  /// Whether the latest candidate so far was overwritten before the reader began.
  bool is_stale(const Read& read) const {
    if (!is_of_value(read)) {
      const Txn last = last_writer_[read.key.index()];
      if (std::ranges::binary_search(p_.candidates(read.set), last)) return false;
      return place_[last] <= place_[p_.previous(read.reader)];
    }
    const Txn latest = latest_[read.set];
    if (latest == none) return true;
    const std::uint32_t end = latest == 0 ? initial_overwritten_at_[read.key.index()]
                                          : overwritten_at_[p_.version(latest, read.key)];
    return end <= place_[p_.previous(read.reader)];
  }

  /// The candidate under way that ends next.
  Txn unfinished_candidate(const Read& read) const {
    Ready best{UINT64_MAX, none};
    for (const Txn t : p_.candidates(read.set)) {
      if (t == read.reader || is_done_[t] != 0 || not_before_[t] > now_) continue;
      best = std::min(best, Ready{end(t), t});
    }
    return best.second;
  }

  /// Notes what the transaction overwrites.
  void overwrite(Txn t) {
    place_[t] = static_cast<std::uint32_t>(order_.size());
    const auto keys = p_.sources().written_by(t);
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      const std::size_t key = keys[i].index();
      const Txn before = std::exchange(last_writer_[key], t);
      (before == 0 ? initial_overwritten_at_[key] : overwritten_at_[p_.version(before, keys[i])]) =
          place_[t];
      const std::uint32_t set = p_.value_set(p_.sources().first_write(t) + i);
      if (set != none) latest_[set] = t;
    }
  }

  void happen(std::uint32_t node) {
    ISOSCOPE_REQUIRE(is_done_[node] == 0);  // nothing happens twice
    is_done_[node] = 1;
    order_.push_back(node);
    if (is_transaction(node)) overwrite(node);
    for (const std::uint32_t next : known_.successors(node)) {
      ++met_[next];
      meet(next);
    }
    if (node >= p_.size() || !p_.sources().certain(node)) return;
    for (std::uint32_t i = 0; i < p_.sources().written_by(node).size(); ++i) {
      const std::uint32_t set = p_.value_set(p_.sources().first_write(node) + i);
      if (set == none || is_met_[set] != 0) continue;
      is_met_[set] = 1;
      for (const Txn reader : std::exchange(readers_[set], {})) meet(reader);
    }
  }

  /// Reads wait for each other in a circle. The likeliest transaction that waits for reads only
  /// goes first.
  bool give_up_waiting() {
    Ready best{UINT64_MAX, none};
    for (Txn t = 1; t < p_.size(); ++t) {
      if (is_done_[t] != 0 || met_[t] < known_.predecessors(t).size()) continue;
      best = std::min(best, Ready{times_.end(p_.sources().id(t)), t});
    }
    if (best.second == none) return false;
    waits_for_[best.second] = 0;
    push(best.second);
    return true;
  }

  const Problem& p_;
  const Digraph& known_;
  const strong::LikelyTimes& times_;
  const Hints& hints_;
  std::vector<std::uint32_t> waits_for_;  // by node: how many edges and sets
  std::vector<std::uint8_t> is_met_;      // by set of candidates
  std::vector<std::vector<Txn>> readers_;
  std::vector<std::uint8_t> is_done_;
  std::vector<std::uint32_t> met_ = std::vector<std::uint32_t>(known_.node_count(), 0);
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> pulled_;  // by node: the last of the pulls
  std::uint32_t pulls_ = 0;
  std::vector<std::uint64_t> not_before_;              // by node: when it can happen, at best
  std::uint64_t now_ = 0;                              // when what happens next ended
  std::vector<std::uint32_t> place_;                   // by transaction, in the order so far
  std::vector<std::uint32_t> overwritten_at_;          // by version
  std::vector<Txn> last_writer_;                       // by key
  std::vector<std::uint32_t> initial_overwritten_at_;  // by key
  std::vector<Txn> latest_;                            // by set: the latest candidate
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

}  // namespace

bool Hints::add(Txn first, Txn second) {
  ISOSCOPE_REQUIRE(first != second);
  const bool ascends = first < second;
  int& count = counts_[std::uint64_t{ascends ? first : second} << 32 | (ascends ? second : first)];
  const int before = ascends ? count : -count;
  count += ascends ? 1 : -1;
  if (before < 0) std::erase(before_[first], second);
  if (before != 0) return before < 0;
  before_[second].push_back(first);
  return true;
}

std::span<const Txn> Hints::before(Txn t) const {
  const auto its = before_.find(t);
  return its == before_.end() ? std::span<const Txn>{} : std::span(its->second);
}

std::vector<std::uint32_t> likely_order(const Problem& problem, const Digraph& known,
                                        const strong::LikelyTimes& times, const Hints& hints) {
  ISOSCOPE_REQUIRE(known.node_count() >= problem.size());
  return Scheduler(problem, known, times, hints).run();
}

}  // namespace isoscope::visible
