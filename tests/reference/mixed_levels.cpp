#include "reference/mixed_levels.h"

#include <algorithm>
#include <array>
#include <vector>

#include "reference/scenario.h"

namespace isoscope::reference {
namespace {

using Read = Execution::Read;

/// A commit order, and the sources of reads as far as they are chosen.
class MixedSearch {
 public:
  explicit MixedSearch(const Scenario& scenario) : s_(scenario) {
    levels_.push_back(LevelId::adya_read_committed);  // of the initial transaction, which reads
                                                      // nothing
    for (const TransactionId t : s_.ids) levels_.push_back(*s_.history->recorded_level(t));
  }

  bool run() { return s_.consistent_inside && extend(only(0)); }

 private:
  LevelId level_of(int t) const { return without_real_time(levels_[t]).value_or(levels_[t]); }

  /// Tries every next transaction of the order.
  bool extend(Set placed) {
    if (length_ == s_.size - 1) return has_sources();
    for (int t = 1; t < s_.size; ++t) {
      Set earlier = before(s_.so, t);
      if (without_real_time(levels_[t])) earlier |= before(s_.real_time, t);
      if (has(placed, t) || (earlier & ~placed) != 0) continue;
      place_[t] = ++length_;
      const bool found = extend(placed | only(t));
      --length_;
      if (found) return true;
    }
    return false;
  }

  bool has_sources() {
    versions_.assign(s_.keys, {0});
    ww_ = wr_ = Relation();
    reads_.clear();
    std::vector<Execution::Write> writes = s_.writes;
    std::ranges::sort(writes, {}, [&](const auto& write) { return place_[write.writer]; });
    for (const Execution::Write& write : writes) {
      for (const int older : versions_[write.key]) ww_.add(older, write.writer);
      versions_[write.key].push_back(write.writer);
    }
    return choose_source(0);
  }

  /// Chooses the sources of the reads from this one on. More reads make more visible, so what is
  /// wrong already stays wrong.
  bool choose_source(std::size_t next) {
    if (next == s_.reads.size()) return true;
    const Scenario::Read& read = s_.reads[next];
    const Set accepted = s_.accepted(read, versions_[read.key]);
    const Relation wr = wr_;
    for (const int source : versions_[read.key]) {
      if (!has(accepted, source) || place_[source] >= place_[read.reader]) continue;
      reads_.push_back({read.reader, read.place, read.key, source, read.item});
      wr_.add(source, read.reader);
      const bool fits = std::ranges::all_of(reads_, [&](const Read& one) { return is_right(one); });
      if (fits && choose_source(next + 1)) return true;
      reads_.pop_back();
      wr_ = wr;
    }
    return false;
  }

  /// No newer version than the one that was read is visible to the reader.
  bool is_right(const Read& read) const {
    return std::ranges::none_of(versions_[read.key], [&](int other) {
      return other != read.reader && place_[other] > place_[read.source] && is_visible(other, read);
    });
  }

  bool is_visible(int writer, const Read& read) const {
    using enum LevelId;
    const int reader = read.reader;
    const bool is_earlier = place_[writer] < place_[reader];
    switch (level_of(reader)) {
      case adya_read_committed:
        return false;
      case monotonic_atomic_view:
        return read.item && has(sources(read, Then::earlier), writer);
      case read_committed:
        return has(sources(read, Then::earlier), writer);
      case cursor_stability:
        return read.item && is_earlier && s_.writes_key(reader, read.key);
      case read_atomic:
        return (s_.so | wr_).holds(writer, reader);
      case update_atomic:
        return (s_.so | wr_ | ww_).holds(writer, reader);
      case causal:
        return closure(s_.so | wr_).holds(writer, reader);
      case session_causal:
        return is_known_version(writer, read);
      case parallel_snapshot_isolation:
        return closure(s_.so | wr_ | ww_).holds(writer, reader);
      case monotonic_view:
        return reaches(writer, closure(s_.so | wr_ | ww_),
                       before(s_.so, reader) | sources(read, Then::by_now) | overwritten(read));
      case monotonic_snapshot_read:
        return is_in_prefix(writer, before(s_.so, reader) | sources(read, Then::same_operation));
      case prefix_consistency:
        return is_in_prefix(writer, before(s_.so | wr_, reader));
      case snapshot_isolation:
        return is_in_prefix(writer, before(s_.so | wr_ | ww_, reader));
      case repeatable_read:
        return read.item && is_earlier;
      case serializable:
        return is_earlier;
      default:
        return true;  // not to be asked for
    }
  }

  enum class Then { earlier, same_operation, by_now };

  /// What the reader's other reads, made by then, are from; what a predicate reads it reads at
  /// once.
  Set sources(const Read& read, Then then) const {
    Set result = 0;
    for (const Read& other : reads_) {
      if (other.reader != read.reader) continue;
      const bool is_same =
          other.place == read.place &&
          (then == Then::same_operation ||
           (then == Then::by_now && other.key == read.key && other.source == read.source));
      if (other.place < read.place || is_same) result |= only(other.source);
    }
    return result;
  }

  /// The earlier writers of keys that the reader wrote before the read.
  Set overwritten(const Read& read) const {
    Set result = 0;
    for (const Execution::Write& write : s_.writes) {
      if (write.writer != read.reader || write.place >= read.place) continue;
      for (const int other : versions_[write.key]) {
        if (place_[other] < place_[read.reader]) result |= only(other);
      }
    }
    return result;
  }

  static bool reaches(int writer, const Relation& ways, Set direct) {
    return has(direct, writer) || (ways.after(writer) & direct) != 0;
  }

  bool is_in_prefix(int writer, Set direct) const {
    for (int t = 0; t < s_.size; ++t) {
      if (has(direct, t) && place_[writer] <= place_[t]) return true;
    }
    return false;
  }

  /// Session-causal: versions are known and not transactions. What was written and read before in
  /// the session; and of each writer that anything is known or read of, what its session had
  /// written before, and had read up to it.
  bool is_known_version(int writer, const Read& read) const {
    std::vector<Set> known(s_.keys, 0);
    Set seen = sources(read, Then::by_now);
    const auto learn = [&](int t, int key) {
      known[key] |= only(t);
      seen |= only(t);
    };
    const auto learn_writes = [&](int t) {
      for (const Execution::Write& write : s_.writes) {
        if (write.writer == t) learn(t, write.key);
      }
    };
    const auto learn_reads = [&](int t) {
      for (const Read& other : reads_) {
        if (other.reader == t) learn(other.source, other.key);
      }
    };
    for (int t = 1; t < s_.size; ++t) {
      if (!s_.so.holds(t, read.reader)) continue;
      learn_writes(t);
      learn_reads(t);
    }
    for (Set before_round = 0; before_round != seen;) {
      before_round = seen;
      for (int other = 1; other < s_.size; ++other) {
        if (!has(seen, other)) continue;
        for (int t = 1; t < s_.size; ++t) {
          if (s_.so.holds(t, other)) learn_writes(t);
          if (s_.so.holds(t, other) || t == other) learn_reads(t);
        }
      }
    }
    return has(known[read.key], writer);
  }

  const Scenario& s_;
  std::vector<LevelId> levels_;
  std::array<int, max_transactions> place_{};
  int length_ = 0;
  std::vector<std::vector<int>> versions_;  // by key, in the order
  Relation ww_;
  Relation wr_;
  std::vector<Read> reads_;
};

}  // namespace

bool satisfies_recorded(const History& history, bool session_order, const Options& options) {
  ISOSCOPE_REQUIRE(is_within_limits(history));
  const Scenario::SessionRule rule{
      session_order, options.indeterminate_cuts.value_or(history.indeterminate_cuts())};
  const std::vector<Scenario> scenarios = all_scenarios(history, rule, options.clock_skew);
  return std::ranges::any_of(scenarios, [](const Scenario& one) { return MixedSearch(one).run(); });
}

}  // namespace isoscope::reference
