#include "reference/definitions.h"

#include <algorithm>

#include "reference/replay.h"

namespace isoscope::reference {
namespace {

/// Did the transaction make the other read before this one, or is it this one? What a predicate
/// reads it reads at once, so none of it is before the rest.
bool made_by_then(const Execution::Read& other, const Execution::Read& read) {
  return other.reader == read.reader && (&other == &read || other.place < read.place);
}

}  // namespace

Definitions::Definitions(const Execution& execution)
    : e_(execution),
      dependencies_(execution.so | execution.wr | execution.ww),
      no_circles_(acyclic(dependencies_)) {}

LevelSet Definitions::satisfied(LevelSet levels) const {
  LevelSet result;
  levels.for_each([&](LevelId id) {
    if (satisfied(id)) result.add(id);
  });
  return result;
}

// The words are the catalogue's (src/level/catalogue.cpp); its citations are given short.
bool Definitions::satisfied(LevelId level) const {
  // This is asked of every update: "Its base is the version right before its transaction's own"
  // (docs/updates.md). Reads at read uncommitted return no versions, and here nobody asks about
  // single reads.
  if (!bases_are_right_before()) return false;
  const Relation& rw = e_.rw;
  const bool valid_reads = e_.valid_reads;
  switch (level) {
    // "Every read returns the transaction's own latest write of the key or, if there is none yet,
    // the final write of another committed transaction." Biswas, Enea, OOPSLA 2019.
    case LevelId::valid_reads:
      return valid_reads;

    // "There is no cycle of write dependencies, and every read returns the transaction's own latest
    // write or what another transaction wrote, even if that was aborted or overwritten." Adya,
    // Liskov, O'Neil, ICDE 2000. (What reads return then is no version: see dirty_reads.h.)
    case LevelId::read_uncommitted:
      return acyclic(e_.so | e_.ww);

    // "Reads are valid, and all item reads of one key in a transaction, up to its own first write
    // of the key, return the same version." Bailis et al., VLDB 2013.
    case LevelId::cut_isolation:
      return valid_reads && item_reads_repeat();

    // "Reads are valid, and no transaction reads a version older than one that its session wrote in
    // an earlier transaction." Terry et al., PDIS 1994.
    case LevelId::read_your_writes:
      return valid_reads && misses_nothing({.own_writes = true});

    // "Reads are valid, and no transaction reads a version older than one that its session read in
    // an earlier transaction." Terry et al., PDIS 1994.
    case LevelId::monotonic_reads:
      return valid_reads && misses_nothing({.own_reads = true});

    // "Reads are valid, and the versions of one key that one session wrote are in the order in
    // which it wrote them." Bailis et al., VLDB 2013.
    case LevelId::monotonic_writes_per_key:
      return valid_reads && writes_keep_session_order();

    // "Reads are valid, and a version comes after all versions of its key that its writer, or an
    // earlier transaction of the session, has read." Terry et al., PDIS 1994.
    case LevelId::writes_follow_reads_per_key:
      return valid_reads && writes_follow_reads_by_key();

    // "Monotonic writes key by key; and once a transaction has read a write of T, it reads no
    // version older than one that T's session wrote before T." Terry et al., PDIS 1994.
    case LevelId::monotonic_writes:
      return valid_reads && writes_keep_session_order() && misses_nothing({.writers_writes = true});

    // "Writes follow reads key by key, and in no circle across keys; and once a transaction has
    // read a write of T, it reads no version older than one that T or an earlier transaction of T's
    // session has read, nor than one that the writer of that one had read, and so on." Terry et
    // al., PDIS 1994.
    case LevelId::writes_follow_reads:
      return valid_reads && writes_follow_reads_by_key() &&
             acyclic(to_writers(e_.wr | e_.wr * e_.so)) && misses_nothing({.writers_reads = true});

    // "Read your writes, monotonic reads and monotonic writes under the same version orders, each
    // counting what the others make visible." Brzezinski, Sobaniec, Wawrzyniak, PDP 2004.
    case LevelId::pram:
      return valid_reads && writes_keep_session_order() &&
             misses_nothing({.own_writes = true, .own_reads = true, .writers_writes = true});

    // "There are no aborted and no intermediate reads, and no cycle of dependencies." Adya, Liskov,
    // O'Neil, ICDE 2000.
    case LevelId::adya_read_committed:
      return valid_reads && no_circles_;

    // "The four session guarantees together, each counting what the others make visible, under one
    // commit order that contains session order and reads-from." Brzezinski, Sobaniec, Wawrzyniak,
    // PDP 2004.
    case LevelId::session_causal:
      return valid_reads && no_circles_ && misses_nothing({true, true, true, true});

    // "Adya's read committed; and a transaction that overwrites a key which it has read overwrites
    // the version it has read, with no other version between." Adya, PhD thesis, MIT 1999. (Every
    // item read counts as one by cursor.)
    case LevelId::cursor_stability:
      return valid_reads && no_circles_ && overwrites_what_it_read();

    // "Adya's read committed; and once a transaction has read a write of T, its later item reads
    // return no version older than T's." Bailis et al., VLDB 2013.
    case LevelId::monotonic_atomic_view:
      return valid_reads && no_circles_ && nothing_vanishes(true);

    // "There is a commit order that contains session order and reads-from; and once a transaction
    // has read a write of T, its later reads return no version older than T's." Biswas, Enea,
    // OOPSLA 2019.
    case LevelId::read_committed:
      return valid_reads && no_circles_ && nothing_vanishes(false);

    // "Adya's read committed; and once a transaction has read or overwritten a write of T, its
    // later reads return no version older than one of T's or of a transaction that T depends on."
    // Adya, PhD thesis, MIT 1999.
    case LevelId::monotonic_view:
      return valid_reads && no_circles_ && view_is_monotonic();

    // "There are no aborted and no intermediate reads, and no cycle of dependencies and item
    // anti-dependencies." Adya, Liskov, O'Neil, ICDE 2000.
    case LevelId::repeatable_read:
      return valid_reads && acyclic(dependencies_ | e_.item_rw);

    // "There is a commit order that contains session order and reads-from; and a transaction that
    // reads from T, or follows T in its session, reads no version older than T's." Cerone,
    // Bernardi, Gotsman, CONCUR 2015.
    case LevelId::read_atomic:
      return valid_reads && no_circles_ && irreflexive((e_.so | e_.wr) * rw);

    // "Read atomic; and of two transactions that write the same key the later one reads no version
    // older than one that the earlier one wrote." Cerone, Bernardi, Gotsman, CONCUR 2015.
    case LevelId::update_atomic:
      return valid_reads && no_circles_ && irreflexive(dependencies_ * rw);

    // "There is a commit order that contains session order and reads-from; and a transaction reads
    // no version older than that of a transaction from which session order and reads-from lead to
    // it." Cerone, Bernardi, Gotsman, CONCUR 2015.
    case LevelId::causal:
      return valid_reads && no_circles_ && irreflexive(closure(e_.so | e_.wr) * rw);

    // "There are no aborted and no intermediate reads, and no cycle of dependencies and at most one
    // anti-dependency." Cerone, Gotsman, PODC 2016.
    case LevelId::parallel_snapshot_isolation:
      return valid_reads && no_circles_ && irreflexive(closure(dependencies_) * rw);

    // "There are no aborted and no intermediate reads; and whichever transaction T one takes, there
    // is no cycle of dependencies and of the anti-dependencies that start at T or at an update
    // transaction." Adya, PhD thesis, MIT 1999.
    case LevelId::update_serializable:
      return valid_reads && no_circles_ && readers_fit_one_by_one();

    // "Read uncommitted, where a transaction also depends on every one that ended before it began."
    // Elle, the program.
    case LevelId::strong_read_uncommitted:
      return acyclic(e_.so | e_.ww | e_.real_time);

    // "Adya's read committed, where a transaction also depends on every one that ended before it
    // began." Elle, the program.
    case LevelId::strong_adya_read_committed:
      return valid_reads && acyclic(dependencies_ | e_.real_time);

    // "Read committed with a commit order in which a transaction comes after every one that ended
    // before it began." After Biswas, Enea, OOPSLA 2019.
    case LevelId::strong_read_committed:
      return valid_reads && acyclic(dependencies_ | e_.real_time) && nothing_vanishes(false);

    case LevelId::monotonic_snapshot_read:
    case LevelId::prefix_consistency:
    case LevelId::snapshot_isolation:
    case LevelId::serializable:
    case LevelId::strong_snapshot_isolation:
    case LevelId::strict_serializable:
      return valid_reads && !replay(Scenario(e_), {level}).empty();

    case LevelId::recorded:  // see mixed_levels.h
      return false;
  }
  return false;
}

Relation Definitions::to_writers(Relation r) const {
  for (Set& set : r.to) set &= e_.updates;
  return r;
}

bool Definitions::bases_are_right_before() const {
  for (const Read& read : e_.reads) {
    if (!read.base) continue;
    const Relation& later = e_.later[read.key];
    if (later.holds(read.reader, read.source)) return false;
    for (int t = 1; t < e_.size; ++t) {
      if (later.holds(read.source, t) && later.holds(t, read.reader)) return false;
    }
  }
  return true;
}

bool Definitions::item_reads_repeat() const {
  for (const Read& a : e_.reads) {
    for (const Read& b : e_.reads) {
      const bool same_key = a.reader == b.reader && a.key == b.key;
      if (same_key && a.item && b.item && a.source != b.source) return false;
    }
  }
  return true;
}

bool Definitions::writes_keep_session_order() const {
  for (const Relation& later : e_.later) {
    for (int a = 1; a < e_.size; ++a) {
      for (int b = 1; b < e_.size; ++b) {
        if (e_.so.holds(a, b) && later.holds(b, a)) return false;
      }
    }
  }
  return true;
}

bool Definitions::writes_follow_reads_by_key() const {
  for (const Read& read : e_.reads) {
    const Relation& later = e_.later[read.key];
    for (int t = 1; t < e_.size; ++t) {
      const bool follows = t == read.reader || e_.so.holds(read.reader, t);
      if (follows && t != read.source && later.holds(t, read.source)) return false;
    }
  }
  return true;
}

bool Definitions::misses_nothing(Rules rules) const {
  std::vector<Set> known(e_.versions.size());  // of each key: writers the read must not miss
  for (const Read& read : e_.reads) {
    std::fill(known.begin(), known.end(), Set{0});
    Set seen = 0;  // writers of which anything is known or read
    for (const Read& other : e_.reads) {
      if (made_by_then(other, read)) seen |= only(other.source);
    }
    const auto learn = [&](int writer, int key) {
      const bool is_new = !has(known[key], writer);
      known[key] |= only(writer);
      seen |= only(writer);
      return is_new;
    };
    const auto learn_writes_of = [&](int t) {
      bool learned = false;
      for (const Execution::Write& write : e_.writes) {
        if (write.writer == t && learn(t, write.key)) learned = true;
      }
      return learned;
    };
    const auto learn_reads_of = [&](int t) {
      bool learned = false;
      for (const Read& other : e_.reads) {
        if (other.reader == t && learn(other.source, other.key)) learned = true;
      }
      return learned;
    };
    for (int t = 1; t < e_.size; ++t) {
      if (!e_.so.holds(t, read.reader)) continue;
      if (rules.own_writes) learn_writes_of(t);
      if (rules.own_reads) learn_reads_of(t);
    }
    for (bool more = true; more;) {
      more = false;
      for (int writer = 1; writer < e_.size; ++writer) {
        if (!has(seen, writer)) continue;
        for (int t = 1; t < e_.size; ++t) {
          const bool earlier = e_.so.holds(t, writer);
          if (rules.writers_writes && earlier && learn_writes_of(t)) more = true;
          if (rules.writers_reads && (earlier || t == writer) && learn_reads_of(t)) more = true;
        }
      }
    }
    if ((e_.newer_than(read) & known[read.key]) != 0) return false;
  }
  return true;
}

bool Definitions::overwrites_what_it_read() const {
  for (const Read& read : e_.reads) {
    const Relation& later = e_.later[read.key];
    if (!read.item) continue;
    for (int t = 1; t < e_.size; ++t) {
      const bool between = later.holds(read.source, t) && later.holds(t, read.reader);
      if (t != read.reader && between) return false;
    }
  }
  return true;
}

bool Definitions::nothing_vanishes(bool from_item_reads_only) const {
  for (const Read& earlier : e_.reads) {
    for (const Read& read : e_.reads) {
      if (from_item_reads_only && !read.item) continue;
      const bool is_later = earlier.reader == read.reader && earlier.place < read.place;
      if (is_later && has(e_.newer_than(read), earlier.source)) return false;
    }
  }
  return true;
}

bool Definitions::view_is_monotonic() const {
  const Relation reaches = closure(dependencies_);
  for (const Read& read : e_.reads) {
    Set direct = before(e_.so, read.reader);  // what the operations up to this read depend on
    for (const Read& other : e_.reads) {
      if (made_by_then(other, read)) direct |= only(other.source);
    }
    for (const Execution::Write& write : e_.writes) {
      if (write.writer != read.reader || write.place >= read.place) continue;
      direct |= before(e_.later[write.key], read.reader);
    }
    for (int t = 0; t < e_.size; ++t) {
      if (t == read.reader || !has(e_.newer_than(read), t)) continue;
      if (has(direct, t) || (reaches.after(t) & direct) != 0) return false;
    }
  }
  return true;
}

bool Definitions::readers_fit_one_by_one() const {
  for (int t = 1; t < e_.size; ++t) {
    Relation counted;
    for (int from = 1; from < e_.size; ++from) {
      if (from == t || has(e_.updates, from)) {
        counted.to[from] = e_.rw.after(from);
      }
    }
    if (!acyclic(dependencies_ | counted)) return false;
  }
  return true;
}

}  // namespace isoscope::reference
