#include "check/visible/version_replay.h"

#include <algorithm>
#include <utility>

#include "check/visible/version_causes.h"
#include "check/visible/version_sweep.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

Judge::Result VersionReplay::run(Execution& execution, std::vector<Misfit>& misfits) {
  return Sweep(*this, execution, misfits).run();
}

bool VersionReplay::tell_rows(Execution& execution, const TellRow& tell, std::size_t most) {
  std::vector<Misfit> misfits;
  return Sweep(*this, execution, misfits).tell_rows(tell, most);
}

VersionReplay::Sweep::Sweep(VersionReplay& replay, Execution& execution,
                            std::vector<Misfit>& misfits)
    : replay_(replay),
      p_(replay.p_),
      e_(execution),
      misfits_(misfits),
      sets_by_place_(replay.p_.set_count()),
      own_(replay.p_.history().key_count()) {
  ISOSCOPE_REQUIRE(e_.takes_part.size() == p_.size() && e_.place.size() == p_.size());
  ISOSCOPE_REQUIRE(e_.version_place.size() == p_.version_count());
}

Judge::Result VersionReplay::Sweep::run() {
  choose_sources();
  walk([&](Txn t) {
    judge_reads(t);
    if (replay_.guarantee_.after_reads) judge_writes(t);
    if (p_.history().has_updates()) judge_bases(t);
    judge_rows(t);
  });
  if (replay_.guarantee_.writers_reads && !result_.stopped) {
    Causes(p_, replay_.nodes_, e_, replay_.limits_).judge(misfits_);
    result_.stopped = replay_.limits_.reached_now();
  }
  for (const ToMake& row : to_make_) {
    result_.made_reads |= replay_.rows_.make(row.reader, *row.operation, row.key, row.set);
  }
  return result_;
}

/// The candidates by the place of their versions.
std::span<const Txn> VersionReplay::Sweep::by_place(std::uint32_t set, KeyId key) {
  sets_by_place_.resize(std::max<std::size_t>(sets_by_place_.size(), set + 1));
  std::vector<Txn>& its = sets_by_place_[set];
  if (its.empty()) {
    const auto all = p_.candidates(set);
    its.assign(all.begin(), all.end());
    std::ranges::sort(its, {}, [&](Txn t) { return place(t, key); });
  }
  return its;
}

void VersionReplay::Sweep::choose_sources() {
  e_.source.resize(p_.reads().size(), none);
  e_.is_chosen.resize(p_.reads().size(), 0);
  for (std::uint32_t r = 0; r < p_.reads().size(); ++r) {
    const Read& read = p_.read(r);
    const bool is_needed = takes_part(read.reader) && !p_.is_ignored(read);
    if (!is_needed) {
      e_.source[r] = none;
    } else if (e_.is_chosen[r] == 0) {
      e_.source[r] = likely_source(read);
      if (e_.source[r] == none) misfits_.push_back({.read = r});
    }
  }
}

/// The newest candidate that is likely to have committed before the reader.
Txn VersionReplay::Sweep::likely_source(const Read& read) {
  const auto is_earlier = [&](Txn t) { return e_.place[t] < e_.place[read.reader]; };
  const bool must_be_earlier = replay_.nodes_.reads_lead_on();
  if (read.set == none) {
    const bool fits = may_be(read, read.only) && (!must_be_earlier || is_earlier(read.only));
    return fits ? read.only : none;
  }
  const auto its = by_place(read.set, read.key);
  for (std::size_t i = its.size(); i > 0; --i) {
    if (may_be(read, its[i - 1]) && is_earlier(its[i - 1])) return its[i - 1];
  }
  if (must_be_earlier) return none;
  const auto any = std::ranges::find_if(its, [&](Txn t) { return may_be(read, t); });
  return any == its.end() ? none : *any;
}

template <class Visit>
void VersionReplay::Sweep::walk(const Visit& visit) {
  p_.sources().for_each_in_sessions([&](Txn t, std::uint32_t chain, bool is_leaf) {
    if (result_.stopped || !takes_part(t)) return;
    if (!replay_.guarantee_.remembers || chain_ != chain) seen_.clear();
    chain_ = chain;
    const auto before = is_leaf ? seen_ : std::map<std::uint32_t, std::uint32_t>{};
    p_.reads_of(t, reads_);
    visit(t);
    if (is_leaf) {
      seen_ = before;
    } else {
      remember(t, chain);
    }
    const auto steps = static_cast<std::uint32_t>((reads_.size() + 1) * (seen_.size() + 1));
    if (replay_.limits_.reached(steps)) result_.stopped = replay_.limits_.reached_now();
  });
}

void VersionReplay::Sweep::see(std::uint32_t read) {
  const Txn writer = e_.source[read];
  if (!replay_.guarantee_.writers_writes || writer == none || writer == 0) return;
  const auto [known, is_new] = seen_.try_emplace(p_.sources().chain(writer), read);
  if (!is_new && e_.source[known->second] < writer) known->second = read;
}

void VersionReplay::Sweep::see_before(std::uint32_t operation) {
  while (next_read_ < reads_.size() && p_.read(reads_[next_read_]).operation < operation) {
    see(reads_[next_read_++]);
  }
}

VersionReplay::Sweep::Own* VersionReplay::Sweep::own(KeyId key) {
  Own& its = own_[key.index()];
  return its.chain == chain_ ? &its : nullptr;
}

void VersionReplay::Sweep::remember(Txn t, std::uint32_t chain) {
  const auto start = [&](KeyId key) -> Own& {
    Own& its = own_[key.index()];
    if (its.chain != chain) its = {.chain = chain};
    return its;
  };
  for (const std::uint32_t r : reads_) {
    see(r);
    const Txn source = e_.source[r];
    const KeyId key = p_.read(r).key;
    if (source == none || source == 0) continue;
    Own& its = start(key);
    const auto is_newer_than = [&](std::uint32_t other) {
      return other == none || place(source, key) > place(e_.source[other], key);
    };
    if (is_newer_than(its.newest_read)) {
      its.second_read = std::exchange(its.newest_read, r);
    } else if (source != e_.source[its.newest_read] && is_newer_than(its.second_read)) {
      its.second_read = r;
    }
  }
  for (const KeyId key : p_.sources().written_by(t)) {
    Own& its = start(key);
    const bool is_newer = its.newest_write == 0 || place(t, key) > place(its.newest_write, key);
    if (is_newer) its.newest_write = t;
  }
}

VersionReplay::Sweep::Known VersionReplay::Sweep::newest_known(KeyId key, std::uint32_t read) {
  Known best;
  const auto consider = [&](Known other) {
    if (other.writer == 0) return;
    other.place = place(other.writer, key);
    if (other.place > best.place) best = other;
  };
  if (const Own* its = own(key)) {
    if (replay_.guarantee_.own_writes) consider({.writer = its->newest_write});
    if (replay_.guarantee_.own_reads && its->newest_read != none) {
      consider({.writer = e_.source[its->newest_read], .own_read = its->newest_read});
    }
  }
  if (!replay_.guarantee_.writers_writes) return best;
  const auto before = [&](Txn writer) { return replay_.versions_.last_writer_before(key, writer); };
  for (const auto& [chain, seen_by] : seen_) {
    consider({.writer = before(e_.source[seen_by]), .seen_by = seen_by});
  }
  const bool sees = read != none && e_.source[read] != 0;
  if (sees) consider({.writer = before(e_.source[read]), .seen_by = read});
  return best;
}

void VersionReplay::Sweep::judge_reads(Txn t) {
  const auto before = seen_;
  begin_reads();
  for (const std::uint32_t r : reads_) {
    const Read& read = p_.read(r);
    see_before(read.operation);
    if (e_.source[r] == none) continue;
    Known known = newest_known(read.key, r);
    if (known.place > place(e_.source[r], read.key) && choose_newer(r, known.place)) {
      known = newest_known(read.key, r);
    }
    if (comes_after_own_append(r)) {
      misfits_.push_back({.read = r, .source = e_.source[r], .newer = t, .follows = true});
    }
    if (known.place <= place(e_.source[r], read.key)) continue;
    misfits_.push_back(
        {.read = r, .source = e_.source[r], .newer = known.writer, .way = way(t, known)});
  }
  seen_ = before;
}

/// If nobody chose the source of the read, takes the oldest candidate from the place on: a newer
/// one would make later reads miss more. False if there is none.
bool VersionReplay::Sweep::choose_newer(std::uint32_t r, std::uint32_t since) {
  const Read& read = p_.read(r);
  const bool may_choose =
      read.set != none && e_.is_chosen[r] == 0 && !replay_.nodes_.reads_lead_on();
  if (!may_choose) return false;
  const auto its = by_place(read.set, read.key);
  const auto first =
      std::ranges::lower_bound(its, since, {}, [&](Txn t) { return place(t, read.key); });
  const auto found = std::find_if(first, its.end(), [&](Txn t) { return may_be(read, t); });
  if (found == its.end()) return false;
  e_.source[r] = *found;
  return true;
}

/// Lists that were returned show their order. This is about lists that a predicate left out.
bool VersionReplay::Sweep::comes_after_own_append(std::uint32_t r) const {
  const Read& read = p_.read(r);
  if (read.item || !is_list(read.key) || !p_.sources().writes(read.reader, read.key)) return false;
  return place(e_.source[r], read.key) > place(read.reader, read.key);
}

std::vector<Hop> VersionReplay::Sweep::way(Txn t, const Known& known) const {
  const auto to_session = [&](Txn from) { return Hop{Hop::Kind::session, from, t}; };
  const auto by_read = [&](std::uint32_t r) {
    return Hop{Hop::Kind::read, e_.source[r], p_.read(r).reader, r};
  };
  if (known.own_read != none) {
    return {by_read(known.own_read), to_session(p_.read(known.own_read).reader)};
  }
  if (known.seen_by == none) return {to_session(known.writer)};
  const Hop seen = by_read(known.seen_by);
  std::vector<Hop> hops = {Hop{Hop::Kind::session, known.writer, seen.from}, seen};
  if (seen.to != t) hops.push_back(to_session(seen.to));
  return hops;
}

/// A version is newer than what its session has read of the key before.
void VersionReplay::Sweep::judge_writes(Txn t) {
  for (const KeyId key : p_.sources().written_by(t)) {
    std::uint32_t newest = none;
    const auto consider = [&](std::uint32_t r) {
      if (r == none || p_.read(r).key != key) return;
      const Txn source = e_.source[r];
      if (source == none || source == 0 || source == t) return;
      if (newest == none || place(source, key) > place(e_.source[newest], key)) newest = r;
    };
    if (const Own* its = own(key)) {
      consider(its->newest_read);
      consider(its->second_read);
    }
    std::ranges::for_each(reads_, consider);
    if (newest == none || place(e_.source[newest], key) < place(t, key)) continue;
    misfits_.push_back({.read = newest, .source = e_.source[newest], .newer = t, .follows = true});
  }
}

/// What an update was applied to is the version right before its own.
void VersionReplay::Sweep::judge_bases(Txn t) {
  for (const std::uint32_t r : reads_) {
    const Read& read = p_.read(r);
    const Txn source = e_.source[r];
    if (!read.base || source == none) continue;
    if (source != 0 && place(source, read.key) > place(t, read.key)) {
      misfits_.push_back({.read = r, .source = source, .newer = t, .follows = true});
      continue;
    }
    const Txn before = version_before(t, read.key);
    if (before == source) continue;
    misfits_.push_back({.read = r,
                        .source = source,
                        .newer = before,
                        .way = {Hop{Hop::Kind::overwrite, before, t}}});
  }
}

/// The transaction whose version comes right before that of t; 0 if it is the initial one.
Txn VersionReplay::Sweep::version_before(Txn t, KeyId key) {
  if (versions_.empty()) {
    versions_.resize(p_.history().key_count());
    for (Txn writer = 1; writer < p_.size(); ++writer) {
      if (!takes_part(writer)) continue;
      for (const KeyId its : p_.sources().written_by(writer)) {
        versions_[its.index()].push_back(writer);
      }
    }
    for (const KeyId its : p_.history().keys()) {
      std::ranges::sort(versions_[its.index()], {}, [&](Txn one) { return place(one, its); });
    }
  }
  const auto& all = versions_[key.index()];
  const auto at =
      std::ranges::lower_bound(all, place(t, key), {}, [&](Txn one) { return place(one, key); });
  return at == all.begin() ? 0 : *(at - 1);
}

void VersionReplay::Sweep::judge_rows(Txn t) {
  const auto before = seen_;
  begin_reads();
  for (const PredicateOperation& operation : replay_.rows_.operations(t)) {
    see_before(operation.operation);
    replay_.rows_.for_each_unmade(operation, [&](KeyId key, std::uint32_t set) {
      const Txn source = newest_known(key, none).writer;
      if (!replay_.rows_.is_candidate(set, source)) to_make_.push_back({t, &operation, key, set});
    });
    // Nobody reads from itself, even if all versions are candidates. Nor does a list that is read
    // have the reader's own appends in it.
    const auto is_known = [&](KeyId key) {
      if (!p_.sources().writes(t, key)) return false;
      const Known known = newest_known(key, none);
      return known.writer == t || (is_list(key) && known.place > place(t, key));
    };
    if (std::ranges::none_of(p_.sources().written_by(t), is_known)) continue;
    replay_.rows_.for_each_unmade_row(operation, [&](KeyId key, std::uint32_t set) {
      if (is_known(key)) to_make_.push_back({t, &operation, key, set});
    });
  }
  seen_ = before;
}

bool VersionReplay::Sweep::tell_rows(const TellRow& tell, std::size_t most) {
  std::size_t count = 0;
  walk([&](Txn t) {
    const auto before = seen_;
    begin_reads();
    for (const PredicateOperation& operation : replay_.rows_.operations(t)) {
      see_before(operation.operation);
      replay_.rows_.for_each_unmade_row(operation, [&](KeyId key, std::uint32_t set) {
        if (++count > most) return;
        const Txn source = newest_known(key, none).writer;
        const auto its = by_place(set, key);
        const Read read{.reader = t, .key = key, .set = set};
        std::size_t last = its.size();
        while (last > 0 && !may_be(read, its[last - 1])) --last;
        const bool is_newest = last > 0 && its[last - 1] == source;
        if (!is_newest) tell(t, operation.operation, key, source);
      });
    }
    seen_ = before;
  });
  return count <= most && !result_.stopped;
}

}  // namespace isoscope::visible
