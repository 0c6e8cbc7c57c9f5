#include "check/strong/guess.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "check/strong/look_ahead.h"

namespace isoscope::strong {

namespace {

class Scheduler {
 public:
  Scheduler(const Problem& p, const Digraph& graph, std::span<const std::uint64_t> likely)
      : p_(p),
        graph_(graph),
        likely_(likely),
        missing_(graph.node_count(), 0),
        state_(graph.node_count(), State::ahead),
        next_waiting_(graph.node_count(), none),
        first_waiting_(p.key_count(), none),
        current_(p.key_count()),
        needed_(p.versions.size(), 0),
        candidates_ahead_(p.reads.size(), 0) {
    if (!p.rules.one_event) active_writers_.assign(p.key_count(), 0);
    for (std::uint32_t key = 0; key < current_.size(); ++key) {
      current_[key] = p.initial_version(key);
    }
    count_lengths();
    count_needs();
  }

  std::vector<std::uint32_t> run(const Limits* limits) {
    order_.reserve(graph_.node_count());
    for (std::uint32_t event = 0; event < graph_.node_count(); ++event) {
      missing_[event] = static_cast<std::uint32_t>(graph_.predecessors(event).size());
      if (missing_[event] == 0) push(event);
    }
    while (order_.size() < graph_.node_count()) {
      if (limits != nullptr && limits->reached()) return {};
      if (!ready_.empty()) {
        const std::uint32_t event = ready_.top().event;
        ready_.pop();
        if (state_[event] != State::ready) continue;
        const std::uint32_t key = better_waits_for(event);
        if (key == none) {
          happen(event);
        } else {
          wait(event, key);
        }
        continue;
      }
      if (waiting_.empty()) break;  // the graph has a cycle
      const std::uint32_t event = waiting_.top().event;
      waiting_.pop();
      if (state_[event] == State::waiting) happen(event);
    }
    return std::move(order_);
  }

 private:
  enum class State : std::uint8_t { ahead, ready, waiting, happened };
  struct Entry {
    std::uint64_t likely;
    std::uint32_t event;
    bool operator>(const Entry& other) const {
      return likely != other.likely ? likely > other.likely : event > other.event;
    }
  };
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  bool counts(Txn t) const { return p_.open[t] == 0; }

  static std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{a} << 32 | b;
  }

  void count_lengths() {
    if (p_.list_reads.empty()) return;
    length_read_.assign(p_.reads.size(), none);
    lengths_.assign(p_.key_count(), 0);
    for (std::uint32_t key = 0; key < lengths_.size(); ++key) {
      lengths_[key] = appends(p_.initial_version(key));
    }
    for (const Problem::ListRead& list : p_.list_reads) {
      const Read& read = p_.reads[list.read];
      if (!counts(read.reader)) continue;
      length_read_[list.read] = list.size;
      ++needed_lengths_[pair_of(read.key, list.size)];
    }
  }

  std::uint32_t appends(std::uint32_t version) const {
    const auto known = p_.list_appends.find(version);
    return known == p_.list_appends.end() ? 0 : known->second;
  }
  /// Of a list that is looked at by its length.
  bool is_by_length(std::uint32_t r) const {
    return !length_read_.empty() && length_read_[r] != none;
  }
  /// How many readers are still to come for the list as long as it is.
  std::uint32_t needed_as_long_as_now(std::uint32_t key) const {
    if (lengths_.empty()) return 0;
    const auto known = needed_lengths_.find(pair_of(key, lengths_[key]));
    return known == needed_lengths_.end() ? 0 : known->second;
  }

  void count_needs() {
    std::vector<std::uint32_t> counts_by_version(p_.versions.size() + 1, 0);
    for (std::uint32_t r = 0; r < p_.reads.size(); ++r) {
      const Read& read = p_.reads[r];
      if (!counts(read.reader) || is_by_length(r)) continue;
      if (read.source != none) {
        ++needed_[read.source];
        continue;
      }
      if (p_.is_wide(read)) continue;  // there will be another one
      for (const std::uint32_t version : p_.candidates_of(read)) {
        const Txn writer = p_.versions[version].writer;
        if (writer == 0 || !counts(writer)) continue;
        ++candidates_ahead_[r];
        ++counts_by_version[version + 1];
      }
    }
    for (std::size_t v = 1; v < counts_by_version.size(); ++v) {
      counts_by_version[v] += counts_by_version[v - 1];
    }
    hopeful_starts_ = counts_by_version;
    hopeful_.resize(hopeful_starts_.back());
    for (std::uint32_t r = 0; r < p_.reads.size(); ++r) {
      const Read& read = p_.reads[r];
      if (read.source != none || p_.is_wide(read) || !counts(read.reader)) continue;
      if (is_by_length(r)) continue;
      for (const std::uint32_t version : p_.candidates_of(read)) {
        const Txn writer = p_.versions[version].writer;
        if (writer != 0 && counts(writer)) hopeful_[counts_by_version[version]++] = r;
      }
    }
  }

  void push(std::uint32_t event) {
    state_[event] = State::ready;
    if (!p_.is_time(event)) prefetch_rows(p_, p_.transaction_of(event));
    ready_.push({likely_[event], event});
  }

  void wait(std::uint32_t event, std::uint32_t key) {
    state_[event] = State::waiting;
    next_waiting_[event] = first_waiting_[key];
    first_waiting_[key] = event;
    waiting_.push({likely_[event], event});
  }

  void wake(std::uint32_t key) {
    std::uint32_t event = first_waiting_[key];
    first_waiting_[key] = none;
    while (event != none) {
      const std::uint32_t next = next_waiting_[event];
      if (state_[event] == State::waiting) push(event);
      event = next;
    }
  }

  /// The key for whose change the event had better wait; none if it may happen.
  std::uint32_t better_waits_for(std::uint32_t event) const {
    if (p_.is_time(event)) return none;
    const Txn t = p_.transaction_of(event);
    if (t == 0 || !counts(t)) return none;
    if (event == p_.begin(t)) {
      for (std::uint32_t r = p_.read_starts[t]; r < p_.read_starts[t + 1]; ++r) {
        const Read& read = p_.reads[r];
        if (is_by_length(r)) {
          if (lengths_[read.key] < length_read_[r]) return read.key;
          continue;
        }
        if (!p_.fits(read, current_[read.key]) && has_candidates_ahead(r)) return read.key;
      }
      if (!p_.rules.one_event) {
        for (const std::uint32_t version : p_.writes_of(t)) {
          const std::uint32_t key = p_.versions[version].key;
          if (active_writers_[key] > 0) return key;
        }
      }
    }
    if (event == p_.commit(t)) {
      for (const std::uint32_t version : p_.writes_of(t)) {
        const std::uint32_t key = p_.versions[version].key;
        const std::uint32_t needed = needed_[current_[key]] + needed_as_long_as_now(key);
        if (needed > (p_.rules.one_event && needs_itself(t, key) ? 1u : 0u)) return key;
      }
    }
    return none;
  }

  bool has_candidates_ahead(std::uint32_t r) const {
    const Read& read = p_.reads[r];
    if (read.source != none || !p_.is_wide(read)) return candidates_ahead_[r] > 0;
    return std::ranges::any_of(p_.candidates_of(read), [&](std::uint32_t version) {
      const Txn writer = p_.versions[version].writer;
      return writer != 0 && writer != read.reader && counts(writer) &&
             state_[p_.commit(writer)] != State::happened;
    });
  }

  /// Is the transaction itself one of those that need the present version?
  bool needs_itself(Txn t, std::uint32_t key) const {
    for (std::uint32_t r = p_.read_starts[t]; r < p_.read_starts[t + 1]; ++r) {
      const Read& read = p_.reads[r];
      if (read.key != key) continue;
      if (is_by_length(r)) return lengths_[key] == length_read_[r];
      return read.source == current_[key] ||
             (read.source == none && candidates_ahead_[r] == 0 && p_.fits(read, current_[key]));
    }
    return false;
  }

  void happen(std::uint32_t event) {
    state_[event] = State::happened;
    order_.push_back(event);
    if (!p_.is_time(event)) {
      const Txn t = p_.transaction_of(event);
      if (t != 0 && counts(t)) {
        if (event == p_.begin(t)) begin(t);
        if (event == p_.commit(t)) commit(t);
      }
    }
    for (const std::uint32_t next : graph_.successors(event)) {
      if (--missing_[next] == 0) push(next);
    }
  }

  void begin(Txn t) {
    for (std::uint32_t r = p_.read_starts[t]; r < p_.read_starts[t + 1]; ++r) {
      const Read& read = p_.reads[r];
      if (is_by_length(r)) {
        if (--needed_lengths_[pair_of(read.key, length_read_[r])] <= 1) wake(read.key);
        continue;
      }
      std::uint32_t version = read.source;
      if (version == none && candidates_ahead_[r] == 0 && p_.fits(read, current_[read.key])) {
        version = current_[read.key];
      }
      candidates_ahead_[r] = none;  // it has read
      if (version != none && needed_[version] > 0 && --needed_[version] <= 1) wake(read.key);
    }
    if (p_.rules.one_event) return;
    for (const std::uint32_t version : p_.writes_of(t)) ++active_writers_[p_.versions[version].key];
  }

  void commit(Txn t) {
    for (const std::uint32_t version : p_.writes_of(t)) {
      const std::uint32_t key = p_.versions[version].key;
      current_[key] = version;
      if (!lengths_.empty()) lengths_[key] += appends(version);
      if (!p_.rules.one_event) --active_writers_[key];
      // Who has no other candidate ahead needs this one.
      for (std::uint32_t i = hopeful_starts_[version]; i < hopeful_starts_[version + 1]; ++i) {
        std::uint32_t& ahead = candidates_ahead_[hopeful_[i]];
        if (ahead != none && --ahead == 0) ++needed_[version];
      }
      wake(key);
    }
  }

  const Problem& p_;
  const Digraph& graph_;
  std::span<const std::uint64_t> likely_;
  std::vector<std::uint32_t> missing_;  // predecessors that have not happened
  std::vector<State> state_;
  Queue ready_;
  Queue waiting_;  // and some that no longer wait
  std::vector<std::uint32_t> next_waiting_;
  std::vector<std::uint32_t> first_waiting_;     // by key
  std::vector<std::uint32_t> current_;           // version by key
  std::vector<std::uint32_t> needed_;            // by version: readers to come that need just it
  std::vector<std::uint32_t> candidates_ahead_;  // by read; none: it has read
  std::vector<std::uint32_t> hopeful_starts_;
  std::vector<std::uint32_t> hopeful_;         // by version: open reads it is a candidate of
  std::vector<std::uint32_t> active_writers_;  // by key
  // Where lists are looked at by their length:
  std::vector<std::uint32_t> length_read_;                           // by read; none: not so
  std::vector<std::uint32_t> lengths_;                               // by key, now
  std::unordered_map<std::uint64_t, std::uint32_t> needed_lengths_;  // readers to come
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> guess_order(const Problem& problem, const Digraph& graph,
                                       std::span<const std::uint64_t> likely_times,
                                       const Limits* limits) {
  return Scheduler(problem, graph, likely_times).run(limits);
}

}  // namespace isoscope::strong
