#include "check/visible/guess.h"

#include <functional>
#include <queue>
#include <utility>

namespace isoscope::visible {

namespace {

class Scheduler {
 public:
  Scheduler(const Problem& problem, const Digraph& known, const strong::LikelyTimes& times)
      : p_(problem),
        known_(known),
        times_(times),
        waits_for_(known.node_count(), 0),
        is_met_(problem.set_count(), 0),
        readers_(problem.set_count()),
        is_done_(known.node_count(), 0) {}

  std::vector<std::uint32_t> run() {
    count();
    for (std::uint32_t node = 0; node < known_.node_count(); ++node) {
      if (waits_for_[node] == 0) push(node);
    }
    for (;;) {
      while (!ready_.empty()) {
        const std::uint32_t node = ready_.top().second;
        ready_.pop();
        if (is_done_[node] == 0) happen(node);
      }
      if (order_.size() == known_.node_count() || !give_up_waiting()) return std::move(order_);
    }
  }

 private:
  using Ready = std::pair<std::uint64_t, std::uint32_t>;  // when, and what

  void count() {
    for (std::uint32_t node = 0; node < known_.node_count(); ++node) {
      waits_for_[node] = static_cast<std::uint32_t>(known_.predecessors(node).size());
    }
    for (std::uint32_t set = 0; set < p_.set_count(); ++set) {
      for (const Txn t : p_.candidates(set)) is_met_[set] |= t == 0;
    }
    for (const Read& read : p_.reads()) {
      if (read.set == none || is_met_[read.set] != 0 || !p_.sources().certain(read.reader))
        continue;
      readers_[read.set].push_back(read.reader);
      ++waits_for_[read.reader];
    }
  }

  /// Points in time happen as soon as they can.
  void push(std::uint32_t node) {
    const bool is_transaction = node != 0 && node < p_.size();
    ready_.emplace(is_transaction ? times_.end(p_.sources().id(node)) : 0, node);
  }

  void meet(std::uint32_t node) {
    if (waits_for_[node] > 0 && --waits_for_[node] == 0) push(node);
  }

  void happen(std::uint32_t node) {
    is_done_[node] = 1;
    order_.push_back(node);
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
  std::vector<std::uint32_t> waits_for_;  // by node: how many edges and sets
  std::vector<std::uint8_t> is_met_;      // by set of candidates
  std::vector<std::vector<Txn>> readers_;
  std::vector<std::uint8_t> is_done_;
  std::vector<std::uint32_t> met_ = std::vector<std::uint32_t>(known_.node_count(), 0);
  std::vector<std::uint32_t> order_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

}  // namespace

std::vector<std::uint32_t> likely_order(const Problem& problem, const Digraph& known,
                                        const strong::LikelyTimes& times) {
  return Scheduler(problem, known, times).run();
}

}  // namespace isoscope::visible
