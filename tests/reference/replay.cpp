#include "reference/replay.h"

#include <algorithm>
#include <array>
#include <bit>

namespace isoscope::reference {
namespace {

using Read = Scenario::Read;

/// A set of prefixes of the commit order: bit p is the one of p transactions (and the initial one).
using Prefixes = std::uint32_t;
constexpr Prefixes from(int length) { return ~Prefixes{0} << length; }
constexpr bool has_prefix(Prefixes set, int length) { return (set >> length & 1) != 0; }

class Replay {
 public:
  explicit Replay(const Scenario& scenario)
      : s_(scenario),
        before_(scenario.so | scenario.known),
        versions_(scenario.keys, std::vector<int>{0}) {
    for (const Relation& of_key : scenario.assumed) before_ = before_ | of_key;
    for (const Execution::Write& write : s_.writes) {
      writes_[write.writer].push_back(write.key);
    }
    for (const Read& read : s_.reads) {
      reads_[read.reader].push_back(&read);
    }
  }

  LevelSet run(LevelSet levels) {
    extend(only(0), levels);
    return found_;
  }

 private:
  /// The commit order so far is good at these levels: tries every next transaction.
  void extend(Set placed, LevelSet levels) {
    levels = levels - found_;
    if (levels.empty()) return;
    if (length_ == s_.size - 1) {
      found_ = found_ | levels;
      return;
    }
    for (int t = 1; t < s_.size; ++t) {
      if (has(placed, t) || (before(before_, t) & ~placed) != 0) continue;
      const bool in_time = (before(s_.real_time, t) & ~placed) == 0;
      const LevelSet possible = fitting(t, in_time, levels - found_);
      if (possible.empty()) continue;
      place_[t] = ++length_;
      for (const int key : writes_of(t)) versions_[key].push_back(t);
      extend(placed | only(t), possible);
      for (const int key : writes_of(t)) versions_[key].pop_back();
      --length_;
    }
  }

  const std::vector<int>& writes_of(int t) const { return writes_[t]; }
  const std::vector<const Read*>& reads_of(int t) const { return reads_[t]; }
  int place(int t) const { return place_[t]; }

  /// The levels at which t can come next. The words are the catalogue's.
  LevelSet fitting(int t, bool in_time, LevelSet levels) const {
    std::vector<Prefixes> seen;  // by each read
    Prefixes by_all = from(0) & ~from(length_ + 1);
    for (const Read* read : reads_of(t)) {
      seen.push_back(showing(*read));
      // What an update was applied to is the last version before its own.
      if (read->base) seen.back() &= from(place(versions_[read->key].back()));
      by_all &= seen.back();
    }
    LevelSet result;
    levels.for_each([&](LevelId level) {
      if (satisfied(level, t, in_time, seen, by_all)) result.add(level);
    });
    return result;
  }

  bool satisfied(LevelId level, int t, bool in_time, const std::vector<Prefixes>& seen,
                 Prefixes by_all) const {
    switch (level) {
      // "There is a commit order that contains session order, in which every read returns its
      // transaction's own latest write or the last version before the transaction."
      // Papadimitriou, JACM 1979.
      case LevelId::serializable:
        return has_prefix(by_all, length_);

      // "Serializable with a commit order in which a transaction comes after every one that ended
      // before it began." Papadimitriou, JACM 1979.
      case LevelId::strict_serializable:
        return in_time && has_prefix(by_all, length_);

      // "There is a commit order that contains session order and reads-from, of which every
      // transaction sees a prefix: one that ends before the transaction, has the session's earlier
      // ones, and is the same for all its reads." Burckhardt et al., ECOOP 2015.
      case LevelId::prefix_consistency:
        return (by_all & from(last_of(s_.so, t))) != 0;

      // "... of which every transaction sees a prefix as in prefix consistency; and none that comes
      // between this prefix and the transaction writes a key that the transaction writes." Cerone,
      // Gotsman, PODC 2016.
      case LevelId::snapshot_isolation:
        return (by_all & from(last_of(s_.so, t)) & from(last_to_write_keys_of(t))) != 0;

      // "Snapshot isolation where every transaction also sees all those that ended before it
      // began." Daudjee, Salem, VLDB 2006.
      case LevelId::strong_snapshot_isolation:
        return in_time && (by_all & from(last_of(s_.so, t)) & from(last_to_write_keys_of(t)) &
                           from(last_of(s_.real_time, t))) != 0;

      // "There is a commit order that contains session order and reads-from, of which every read
      // sees a prefix: one that ends before the transaction, has the session's earlier ones, and
      // only grows from read to read." Adya, PhD thesis, MIT 1999.
      case LevelId::monotonic_snapshot_read:
        return snapshots_grow(t, seen);

      default:
        return false;
    }
  }

  /// The prefixes after which the read would return what it did.
  Prefixes showing(const Read& read) const {
    const std::vector<int>& versions = versions_[read.key];
    const Set accepted = s_.accepted(read, versions);
    Prefixes result = 0;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      if (!has(accepted, versions[i])) continue;
      const bool last = i + 1 == versions.size();
      result |= from(place(versions[i])) & ~from(last ? length_ + 1 : place(versions[i + 1]));
    }
    return result;
  }

  /// The place of the last transaction from which the relation leads to t.
  int last_of(const Relation& relation, int t) const {
    int last = 0;
    for (int other = 1; other < s_.size; ++other) {
      if (relation.holds(other, t)) last = std::max(last, place(other));
    }
    return last;
  }

  int last_to_write_keys_of(int t) const {
    int last = 0;
    for (const int key : writes_of(t)) {
      last = std::max(last, place(versions_[key].back()));
    }
    return last;
  }

  /// What a predicate reads is one read and sees one prefix.
  bool snapshots_grow(int t, const std::vector<Prefixes>& seen) const {
    const std::vector<const Read*>& reads = reads_of(t);
    int length = last_of(s_.so, t);
    for (std::size_t i = 0; i < reads.size();) {
      Prefixes together = from(length);
      const int at = reads[i]->place;
      for (; i < reads.size() && reads[i]->place == at; ++i) together &= seen[i];
      if (together == 0) return false;
      length = std::countr_zero(together);
    }
    return true;
  }

  const Scenario& s_;
  Relation before_;                                        // what every commit order contains
  std::array<std::vector<int>, max_transactions> writes_;  // keys, by transaction
  std::array<std::vector<const Read*>, max_transactions> reads_;  // by transaction
  std::vector<std::vector<int>> versions_;                        // by key, in the order so far
  std::array<int, max_transactions> place_{};                     // of those placed, from 1 on
  int length_ = 0;                                                // how many are placed
  LevelSet found_;
};

}  // namespace

LevelSet replay(const Scenario& scenario, LevelSet levels) {
  if (!scenario.consistent_inside) return {};
  return Replay(scenario).run(levels);
}

}  // namespace isoscope::reference
