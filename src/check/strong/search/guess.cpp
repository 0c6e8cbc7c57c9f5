#include "check/strong/search/guess.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "check/strong/saturation/saturation_prefetcher.h"
#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// What is counted by version is prefetched this many reads ahead.
constexpr std::uint32_t far_ahead = 16;

class Scheduler {
 public:
  Scheduler(const OrderProblem& p, const Digraph& graph, std::span<const std::uint64_t> likely)
      : p_(p),
        graph_(graph),
        likely_(likely),
        missing_(graph.node_count(), 0),
        state_(graph.node_count(), State::ahead),
        next_waiting_(graph.node_count(), none),
        first_waiting_(p.key_count(), none),
        execution_(p),
        needed_(p.versions.size(), 0) {
    if (p.rules.writers_conflict) active_writers_.assign(p.key_count(), 0);
    count_lengths();
    count_needs();
  }

  Guess run(const Limits& limits) {
    ISOSCOPE_REQUIRE(likely_.size() == graph_.node_count() && order_.empty());
    order_.reserve(graph_.node_count());
    for (std::uint32_t event = 0; event < graph_.node_count(); ++event) {
      missing_[event] = static_cast<std::uint32_t>(graph_.predecessors(event).size());
      if (missing_[event] == 0) push(event);
    }
    while (order_.size() < graph_.node_count()) {
      if (limits.reached()) return {};
      if (!ready_.empty()) {
        const std::uint32_t event = ready_.top().event;
        ready_.pop();
        if (state_[event] != State::ready) continue;
        const KeyId key = better_waits_for(event);
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
    return {std::move(order_), std::move(execution_.misfits())};
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

  static std::uint64_t pair_of(KeyId key, std::uint32_t length) {
    return std::uint64_t{key.value} << 32 | length;
  }

  void count_lengths() {
    if (p_.list_reads.empty()) return;
    length_read_.assign(p_.reads.size(), none);
    lengths_.assign(p_.key_count(), 0);
    for (const KeyId key : p_.keys()) {
      lengths_[key] = appends(p_.initial_version(key));
    }
    for (const OrderProblem::ListRead& list : p_.list_reads) {
      const Read& read = p_.reads[list.read];
      if (!counts(read.reader)) continue;
      length_read_[list.read] = list.size;
      ++needed_lengths_[pair_of(read.key, list.size)];
    }
  }

  std::uint32_t appends(VersionId version) const {
    const auto known = p_.list_appends.find(version);
    return known == p_.list_appends.end() ? 0 : known->second;
  }
  /// Is it a read of a list that is looked at by its length?
  bool is_by_length(ReadId r) const { return !length_read_.empty() && length_read_[r] != none; }
  /// How many readers are still to come for the list as long as it is.
  std::uint32_t needed_as_long_as_now(KeyId key) const {
    if (lengths_.empty()) return 0;
    const auto known = needed_lengths_.find(pair_of(key, lengths_[key]));
    return known == needed_lengths_.end() ? 0 : known->second;
  }

  /// Does the read have several candidates, and not too many to follow? Where there are too many,
  /// there will be another one.
  bool is_followed(ReadId r) const {
    const Read& read = p_.reads[r];
    return read.source == none && counts(read.reader) && !is_by_length(r) && !p_.is_wide(read);
  }

  void count_needs() {
    bool has_followed = false;
    for (const ReadId r : p_.reads.ids()) {
      const Read& read = p_.reads[r];
      const ReadId ahead(r.index() + far_ahead);
      if (ahead.index() < p_.reads.size() && p_.reads[ahead].source != none) {
        prefetch_to_write(&needed_[p_.reads[ahead].source]);
      }
      if (read.source == none) {
        has_followed = has_followed || is_followed(r);
      } else if (counts(read.reader) && !is_by_length(r)) {
        ++needed_[read.source];
      }
    }
    if (has_followed) count_candidates();
  }

  void count_candidates() {
    candidates_ahead_.assign(p_.reads.size(), 0);
    const auto for_each_candidate = [&](const auto& visit) {
      for (const ReadId r : p_.reads.ids()) {
        if (!is_followed(r)) continue;
        for (const VersionId version : p_.candidates_of(p_.reads[r])) {
          const Txn writer = p_.versions[version].writer;
          if (writer != 0 && counts(writer)) visit(r, version);
        }
      }
    };
    hopeful_starts_.assign(p_.versions.size() + 1, 0);
    for_each_candidate([&](ReadId r, VersionId version) {
      ++candidates_ahead_[r];
      ++hopeful_starts_[version];
    });
    // Each start is first the end; placing moves it to the start.
    std::uint32_t end = 0;
    for (std::uint32_t& start : hopeful_starts_) start = end += start;
    hopeful_.resize(end);
    for_each_candidate(
        [&](ReadId r, VersionId version) { hopeful_[--hopeful_starts_[version]] = r; });
  }

  /// The open reads that the version is a candidate of.
  std::span<const ReadId> hopeful(VersionId version) const {
    if (hopeful_.empty()) return {};
    const std::uint32_t first = hopeful_starts_[version];
    const std::uint32_t last = hopeful_starts_[VersionId(version.index() + 1)];
    return std::span(hopeful_).subspan(first, last - first);
  }
  std::uint32_t candidates_ahead(ReadId r) const {
    return candidates_ahead_.empty() ? 0 : candidates_ahead_[r];
  }

  void push(std::uint32_t event) {
    ISOSCOPE_REQUIRE(state_[event] != State::happened);
    state_[event] = State::ready;
    if (!p_.is_time(event)) prefetch_rows(p_, p_.transaction_of(event));
    ready_.push({likely_[event], event});
  }

  void wait(std::uint32_t event, KeyId key) {
    state_[event] = State::waiting;
    next_waiting_[event] = first_waiting_[key];
    first_waiting_[key] = event;
    waiting_.push({likely_[event], event});
  }

  void wake(KeyId key) {
    std::uint32_t event = first_waiting_[key];
    first_waiting_[key] = none;
    while (event != none) {
      const std::uint32_t next = next_waiting_[event];
      if (state_[event] == State::waiting) push(event);
      event = next;
    }
  }

  /// The key for whose change the event had better wait; none if it may happen.
  KeyId better_waits_for(std::uint32_t event) const {
    if (p_.is_time(event)) return none;
    const Txn t = p_.transaction_of(event);
    if (t == 0 || !counts(t)) return none;
    if (event == p_.begin(t)) {
      for (const ReadId r : p_.reads_of(t)) {
        const Read& read = p_.reads[r];
        if (is_by_length(r)) {
          if (lengths_[read.key] < length_read_[r]) return read.key;
          continue;
        }
        if (!p_.fits(read, execution_.current(read.key)) && has_candidates_ahead(r))
          return read.key;
      }
      if (p_.rules.writers_conflict) {
        for (const VersionId version : p_.writes_of(t)) {
          const KeyId key = p_.versions[version].key;
          if (active_writers_[key] > 0) return key;
        }
      }
    }
    if (event == p_.commit(t)) {
      for (const VersionId version : p_.writes_of(t)) {
        const KeyId key = p_.versions[version].key;
        const std::uint32_t needed = needed_[execution_.current(key)] + needed_as_long_as_now(key);
        if (needed > (p_.rules.begin_is_commit && needs_itself(t, key) ? 1u : 0u)) return key;
      }
    }
    return none;
  }

  bool has_candidates_ahead(ReadId r) const {
    const Read& read = p_.reads[r];
    if (read.source != none) return false;  // it has come
    if (!p_.is_wide(read)) return candidates_ahead(r) > 0;
    return std::ranges::any_of(p_.candidates_of(read), [&](VersionId version) {
      const Txn writer = p_.versions[version].writer;
      return writer != 0 && writer != read.reader && counts(writer) &&
             state_[p_.commit(writer)] != State::happened;
    });
  }

  /// Is the transaction itself one of those that need the present version?
  bool needs_itself(Txn t, KeyId key) const {
    for (const ReadId r : p_.reads_of(t)) {
      const Read& read = p_.reads[r];
      if (read.key != key) continue;
      if (is_by_length(r)) return lengths_[key] == length_read_[r];
      return read.source == execution_.current(key) ||
             (read.source == none && candidates_ahead(r) == 0 &&
              p_.fits(read, execution_.current(key)));
    }
    return false;
  }

  void happen(std::uint32_t event) {
    ISOSCOPE_REQUIRE(state_[event] != State::happened);
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
    for (const ReadId r : p_.reads_of(t)) {
      const Read& read = p_.reads[r];
      if (is_by_length(r)) {
        if (--needed_lengths_[pair_of(read.key, length_read_[r])] <= 1) wake(read.key);
        continue;
      }
      const VersionId current = execution_.current(read.key);
      VersionId version = read.source;
      if (version == none && candidates_ahead(r) == 0 && p_.fits(read, current)) version = current;
      if (read.source == none && !candidates_ahead_.empty()) {
        candidates_ahead_[r] = none;  // it has read
      }
      if (version != none && needed_[version] > 0 && --needed_[version] <= 1) wake(read.key);
    }
    execution_.begin(t);
    if (!p_.rules.writers_conflict) return;
    for (const VersionId version : p_.writes_of(t)) ++active_writers_[p_.versions[version].key];
  }

  void commit(Txn t) {
    execution_.commit(t);
    for (const VersionId version : p_.writes_of(t)) {
      const KeyId key = p_.versions[version].key;
      if (!lengths_.empty()) lengths_[key] += appends(version);
      if (p_.rules.writers_conflict) --active_writers_[key];
      // A read that has no other candidate ahead needs this one.
      for (const ReadId r : hopeful(version)) {
        std::uint32_t& ahead = candidates_ahead_[r];
        if (ahead != none && --ahead == 0) ++needed_[version];
      }
      wake(key);
    }
  }

  const OrderProblem& p_;
  const Digraph& graph_;
  std::span<const std::uint64_t> likely_;
  std::vector<std::uint32_t> missing_;  // predecessors that have not happened
  std::vector<State> state_;
  Queue ready_;
  Queue waiting_;  // and some that no longer wait
  std::vector<std::uint32_t> next_waiting_;
  IdVector<KeyId, std::uint32_t> first_waiting_;  // an event
  Execution execution_;
  IdVector<VersionId, std::uint32_t> needed_;  // readers to come that need just it
  // Where there are reads with several candidates:
  IdVector<ReadId, std::uint32_t> candidates_ahead_;  // none: it has read
  IdVector<VersionId, std::uint32_t> hopeful_starts_;
  std::vector<ReadId> hopeful_;  // by version
  IdVector<KeyId, std::uint32_t> active_writers_;
  // Where lists are looked at by their length:
  IdVector<ReadId, std::uint32_t> length_read_;                      // none: not so
  IdVector<KeyId, std::uint32_t> lengths_;                           // now
  std::unordered_map<std::uint64_t, std::uint32_t> needed_lengths_;  // readers to come
  std::vector<std::uint32_t> order_;
};

}  // namespace

Guess guess_order(const OrderProblem& problem, const Digraph& graph,
                  std::span<const std::uint64_t> likely_times, const Limits& limits) {
  ISOSCOPE_REQUIRE(likely_times.size() == graph.node_count());
  ISOSCOPE_REQUIRE(graph.node_count() == problem.node_count());
  return Scheduler(problem, graph, likely_times).run(limits);
}

}  // namespace isoscope::strong
