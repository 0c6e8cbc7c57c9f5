#pragma once

#include "isoscope/level/level.h"
#include "level/facts.h"

namespace isoscope::small {

/// The definitions of the catalogue, each written down as directly as possible: they share no
/// shortcuts, and nothing here looks at the table.
class Definitions {
 public:
  Definitions(const History& history, bool session_order) : f_(history, session_order) {}

  const Facts& facts() const { return f_; }

  bool satisfied(LevelId level) const {
    switch (level) {
      case LevelId::valid_reads:
        return f_.valid_reads;
      case LevelId::read_uncommitted:
        return acyclic(f_.so | f_.ww);
      case LevelId::cut_isolation:
        return f_.valid_reads && reads_repeat();
      case LevelId::read_your_writes:
        return f_.valid_reads && misses_nothing({.own_writes = true});
      case LevelId::monotonic_reads:
        return f_.valid_reads && misses_nothing({.own_reads = true});
      case LevelId::monotonic_writes_per_key:
        return f_.valid_reads && writes_keep_session_order();
      case LevelId::writes_follow_reads_per_key:
        return f_.valid_reads && writes_follow_reads_by_key();
      case LevelId::monotonic_writes:
        return f_.valid_reads && writes_keep_session_order() &&
               misses_nothing({.writers_writes = true});
      case LevelId::writes_follow_reads:
        return f_.valid_reads && writes_follow_reads_by_key() &&
               acyclic(to_writers(f_.wr | f_.wr * f_.so)) &&
               misses_nothing({.writers_reads = true});
      case LevelId::pram:
        return f_.valid_reads && writes_keep_session_order() &&
               misses_nothing({.own_writes = true, .own_reads = true, .writers_writes = true});
      case LevelId::session_causal:
        return f_.valid_reads && acyclic(f_.dependencies) &&
               misses_nothing({true, true, true, true});
      case LevelId::adya_read_committed:
        return f_.valid_reads && acyclic(f_.dependencies);
      case LevelId::cursor_stability:
        return satisfied(LevelId::adya_read_committed) && overwrites_what_it_read();
      case LevelId::monotonic_atomic_view:
      case LevelId::read_committed:
        return f_.valid_reads && acyclic(f_.dependencies) && nothing_vanishes();
      case LevelId::monotonic_view:
        return f_.valid_reads && acyclic(f_.dependencies) && view_is_monotonic();
      case LevelId::monotonic_snapshot_read:
        return f_.valid_reads &&
               some_commit_order([&](const Places& at) { return snapshots_grow(at); });
      case LevelId::repeatable_read:
        return f_.valid_reads && acyclic(f_.dependencies | f_.rw);
      case LevelId::read_atomic:
        return f_.valid_reads && acyclic(f_.dependencies) && irreflexive((f_.so | f_.wr) * f_.rw);
      case LevelId::update_atomic:
        return f_.valid_reads && acyclic(f_.dependencies) && irreflexive(f_.dependencies * f_.rw);
      case LevelId::causal:
        return f_.valid_reads && acyclic(f_.dependencies) &&
               irreflexive(closure(f_.so | f_.wr) * f_.rw);
      case LevelId::prefix_consistency:
        return f_.valid_reads &&
               some_commit_order([&](const Places& at) { return sees_a_prefix(at, {}, false); });
      case LevelId::parallel_snapshot_isolation:
        return f_.valid_reads && acyclic(f_.dependencies) &&
               irreflexive(closure(f_.dependencies) * f_.rw);
      case LevelId::snapshot_isolation:
        return f_.valid_reads &&
               some_commit_order([&](const Places& at) { return sees_a_prefix(at, {}, true); });
      case LevelId::update_serializable:
        return f_.valid_reads && readers_fit_one_by_one();
      case LevelId::serializable:
        return f_.valid_reads &&
               some_commit_order([&](const Places& at) { return reads_the_last_version(at); });
      case LevelId::strong_read_uncommitted:
        return acyclic(f_.so | f_.ww | f_.real_time);
      case LevelId::strong_adya_read_committed:
        return f_.valid_reads && acyclic(f_.dependencies | f_.real_time);
      case LevelId::strong_read_committed:
        return f_.valid_reads && acyclic(f_.dependencies | f_.real_time) && nothing_vanishes();
      case LevelId::strong_snapshot_isolation:
        return f_.valid_reads && some_commit_order([&](const Places& at) {
                 return sees_a_prefix(at, f_.real_time, true);
               });
      case LevelId::strict_serializable:
        return f_.valid_reads && some_commit_order([&](const Places& at) {
                 return agrees(at, f_.real_time) && reads_the_last_version(at);
               });
    }
    return false;
  }

 private:
  using Read = Facts::Read;
  using Places = std::array<int, max_transactions>;  // of each transaction in a commit order

  Relation to_writers(Relation r) const {
    for (Set& set : r.to) set &= f_.updates;
    return r;
  }

  bool reads_repeat() const {
    for (const Read& a : f_.reads) {
      for (const Read& b : f_.reads) {
        if (a.reader == b.reader && a.key == b.key && a.source != b.source) return false;
      }
    }
    return true;
  }

  bool writes_keep_session_order() const {
    for (int key = 0; key < f_.history.keys; ++key) {
      for (int a = 1; a < f_.size; ++a) {
        for (int b = 1; b < f_.size; ++b) {
          if (f_.so.holds(a, b) && has(f_.later[key][b], a)) return false;
        }
      }
    }
    return true;
  }

  bool writes_follow_reads_by_key() const {
    for (const Read& read : f_.reads) {
      for (int t = 1; t < f_.size; ++t) {
        const bool follows = t == read.reader || f_.so.holds(read.reader, t);
        if (follows && t != read.source && has(f_.later[read.key][t], read.source)) return false;
      }
    }
    return true;
  }

  // Which of Terry's rules say what a read must not miss.
  struct Rules {
    bool own_writes = false;      // what its session wrote before
    bool own_reads = false;       // what its session read before
    bool writers_writes = false;  // what the session of a seen writer wrote before
    bool writers_reads =
        false;  // what the session of a seen writer read before, or the writer itself
  };

  bool misses_nothing(Rules rules) const {
    for (const Read& read : f_.reads) {
      std::array<Set, max_transactions> known{};  // of each key: writers the read must not miss
      Set seen = 0;                               // writers of which anything is known or read
      for (const Read& other : f_.reads) {
        if (other.reader == read.reader && other.place <= read.place) seen |= only(other.source);
      }
      const auto learn = [&](int writer, int key) {
        const bool is_new = !has(known[key], writer);
        known[key] |= only(writer);
        seen |= only(writer);
        return is_new;
      };
      const auto learn_writes_of = [&](int t) {
        bool learned = false;
        for (int key = 0; key < f_.history.keys; ++key)
          learned = (f_.writes(t, key) && learn(t, key)) || learned;
        return learned;
      };
      const auto learn_reads_of = [&](int t) {
        bool learned = false;
        for (const Read& r : f_.reads)
          learned = (r.reader == t && learn(r.source, r.key)) || learned;
        return learned;
      };
      for (int t = 1; t < f_.size; ++t) {
        if (!f_.so.holds(t, read.reader)) continue;
        if (rules.own_writes) learn_writes_of(t);
        if (rules.own_reads) learn_reads_of(t);
      }
      for (bool more = true; more;) {
        more = false;
        for (int writer = 1; writer < f_.size; ++writer) {
          if (!has(seen, writer)) continue;
          for (int t = 1; t < f_.size; ++t) {
            if (rules.writers_writes && f_.so.holds(t, writer)) more = learn_writes_of(t) || more;
            if (rules.writers_reads && (t == writer || f_.so.holds(t, writer))) {
              more = learn_reads_of(t) || more;
            }
          }
        }
      }
      if ((f_.newer_than(read) & known[read.key]) != 0) return false;
    }
    return true;
  }

  bool overwrites_what_it_read() const {
    for (const Read& read : f_.reads) {
      for (int t = 1; t < f_.size; ++t) {
        if (t != read.reader && has(f_.newer_than(read), t) &&
            has(f_.later[read.key][t], read.reader)) {
          return false;
        }
      }
    }
    return true;
  }

  bool nothing_vanishes() const {
    for (const Read& earlier : f_.reads) {
      for (const Read& read : f_.reads) {
        if (earlier.reader == read.reader && earlier.place < read.place &&
            has(f_.newer_than(read), earlier.source)) {
          return false;
        }
      }
    }
    return true;
  }

  bool view_is_monotonic() const {
    const Relation before = closure(f_.dependencies);
    for (const Read& read : f_.reads) {
      Set direct = 0;  // what the operations up to this read depend on
      for (int t = 0; t < f_.size; ++t) {
        if (f_.so.holds(t, read.reader)) direct |= only(t);
      }
      for (int i = 0; i <= read.place; ++i) {
        const Operation& operation = f_.history.transactions[read.reader].operations[i];
        if (!operation.is_write) {
          direct |= only(operation.source);
          continue;
        }
        for (int t = 0; t < f_.size; ++t) {
          if (has(f_.later[operation.key][t], read.reader)) direct |= only(t);
        }
      }
      for (int t = 0; t < f_.size; ++t) {
        if (t == read.reader || !has(f_.newer_than(read), t)) continue;
        if (has(direct, t) || (before.to[t] & direct) != 0) return false;
      }
    }
    return true;
  }

  bool readers_fit_one_by_one() const {
    for (int t = 1; t < f_.size; ++t) {
      Relation counted;
      for (int from = 1; from < f_.size; ++from) {
        if (from == t || has(f_.updates, from)) counted.to[from] = f_.rw.to[from];
      }
      if (!acyclic(f_.dependencies | counted)) return false;
    }
    return acyclic(f_.dependencies);
  }

  static bool agrees(const Places& at, const Relation& relation) {
    for (int a = 0; a < max_transactions; ++a) {
      for (int b = 0; b < max_transactions; ++b) {
        if (relation.holds(a, b) && at[a] >= at[b]) return false;
      }
    }
    return true;
  }

  // Is there an order of the committed transactions, containing session order, reads-from and the
  // version orders, that is good?
  template <class Good>
  bool some_commit_order(Good good) const {
    std::vector<int> order;
    for (int t = 1; t < f_.size; ++t) {
      if (!f_.aborted(t)) order.push_back(t);
    }
    do {
      Places at{};
      for (std::size_t i = 0; i < order.size(); ++i) at[order[i]] = static_cast<int>(i) + 1;
      if (agrees(at, f_.dependencies) && good(at)) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

  // The first place at which the version a read returned is no longer the last one.
  int overwritten_at(const Read& read, const Places& at) const {
    int place = max_transactions + 1;
    for (int t = 1; t < f_.size; ++t) {
      if (has(f_.newer_than(read), t)) place = std::min(place, at[t]);
    }
    return place;
  }

  // The least prefix (as the place of its last transaction) that has all the reader must see.
  int least_prefix(int reader, const Places& at, const Relation& visible) const {
    int prefix = 0;
    for (int t = 1; t < f_.size; ++t) {
      if (visible.holds(t, reader)) prefix = std::max(prefix, at[t]);
    }
    return prefix;
  }

  bool snapshots_grow(const Places& at) const {
    for (int t = 1; t < f_.size; ++t) {
      int prefix = least_prefix(t, at, f_.so);
      for (const Read& read : f_.reads) {
        if (read.reader != t) continue;
        prefix = std::max(prefix, at[read.source]);
        if (prefix >= overwritten_at(read, at)) return false;
      }
    }
    return true;
  }

  bool sees_a_prefix(const Places& at, const Relation& also_visible, bool writes_alone) const {
    if (!agrees(at, also_visible)) return false;
    for (int t = 1; t < f_.size; ++t) {
      int least = least_prefix(t, at, f_.so | also_visible);
      int most = at[t] - 1;
      for (const Read& read : f_.reads) {
        if (read.reader != t) continue;
        least = std::max(least, at[read.source]);
        most = std::min(most, overwritten_at(read, at) - 1);
      }
      if (writes_alone) {
        for (int key = 0; key < f_.history.keys; ++key) {
          for (int s = 1; s < f_.size; ++s) {
            const bool both_write = s != t && f_.writes(s, key) && f_.writes(t, key);
            if (both_write && at[s] < at[t]) least = std::max(least, at[s]);
          }
        }
      }
      if (!f_.aborted(t) && least > most) return false;
    }
    return true;
  }

  bool reads_the_last_version(const Places& at) const {
    for (const Read& read : f_.reads) {
      for (int t = 1; t < f_.size; ++t) {
        if (t != read.reader && has(f_.newer_than(read), t) && at[t] < at[read.reader])
          return false;
      }
    }
    return true;
  }

  Facts f_;
};

}  // namespace isoscope::small
