#include "check/strong/saturation/saturation.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

namespace {

/// This many writers that are known to come earlier anyway end the search for more of them. With 4
/// instead of 1 there were as many edges but for a thousandth, in a quarter more time.
constexpr int enough_known_writers = 1;
/// In any case this is the maximum number of writers that are looked at.
constexpr int most_writers_looked_at = 64;
/// This many of the writers after a candidate are asked whether they overwrote it.
constexpr int most_next_writers_asked = 2;
/// This many places in the order, in words of 64, are looked at before their reads are followed.
constexpr std::size_t block_words = 16;
/// One thread follows the reads of this many transactions at a time.
constexpr std::size_t at_a_time = 256;
/// This many reads with several candidates are looked at together.
constexpr std::size_t open_at_a_time = 4096;

}  // namespace

Saturation::Saturation(OrderProblem& problem, KnownGraph& known, Clocks& clocks,
                       const Limits& limits, Progress& progress, Workers workers)
    : p_(problem),
      known_(known),
      clocks_(clocks),
      limits_(limits),
      progress_(progress),
      workers_(workers),
      prefetcher_(problem, clocks) {}

std::optional<StopReason> Saturation::run(const Digraph& start,
                                          const std::vector<std::uint32_t>& order) {
  ISOSCOPE_REQUIRE(order.size() == p_.node_count());
  ISOSCOPE_REQUIRE(start.node_count() == p_.node_count());
  ISOSCOPE_REQUIRE(p_.by_key.size() == p_.versions.size());
  start_ = &start;
  start_edges_ = known_.size();
  order_ = order;
  place_.resize(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  mark_all();
  sweeps_ = 0;
  started_ = true;
  if (const auto reason = prepare_open_reads()) return reason;
  for (;;) {
    if (const auto reason = sweep()) return reason;
    if (contradiction_) return std::nullopt;
    const std::size_t news = look_at_open_reads();
    if (const auto reason = limits_.reached()) return reason;
    if (contradiction_ || news < p_.reads.size() / 64 + 1) return std::nullopt;
  }
}

void Saturation::start() {
  ISOSCOPE_REQUIRE(!started_ && known_.size() == 0);
  for (const ReadId r : p_.reads.ids()) {
    if (limits_.reached()) return;
    prefetcher_.at_read(r);
    const Read& read = p_.reads[r];
    if (p_.open[read.reader] != 0 || read.source != none) continue;
    take_read(r);
    if (contradiction_) return;
  }
  for (const OrderProblem::Member& member : p_.members) {
    if (p_.open[p_.reads[member.read].reader] == 0) commit_open(member.writer, {member.read, true});
  }
  for (const ListOrder& order : p_.list_orders) {
    if (p_.open[p_.reads[order.read].reader] != 0) continue;
    add(p_.commit(order.earlier), p_.held_from(order.later), Why::list, order.read);
    if (contradiction_) return;
  }
  for (const auto& [earlier, later] : p_.assumed_orders) {
    ISOSCOPE_REQUIRE(p_.open[earlier] == 0);
    add(p_.commit(earlier), p_.held_from(later), Why::assumed, ReadId());
    if (contradiction_) return;
  }
  for (const auto& [earlier, leaf] : p_.session_leaves) {
    add(p_.commit(earlier), p_.begin(leaf), Why::session, ReadId());
    if (contradiction_) return;
  }
  for (Txn t = 1; t < p_.size() && !p_.times.empty(); ++t) {
    if (p_.begins_at[t] != none) {
      add(p_.time_event(p_.begins_at[t]), p_.begin(t), Why::time, ReadId());
    }
    if (p_.ends_before[t] != none) {
      add(p_.commit(t), p_.time_event(p_.ends_before[t]), Why::time, ReadId());
    }
    if (contradiction_) return;
  }
}

/// Takes a read of a transaction that committed.
void Saturation::take_read(ReadId r) {
  ISOSCOPE_REQUIRE(p_.open[p_.reads[r].reader] == 0);
  switch (p_.candidates_of(p_.reads[r]).size()) {
    case 0:
      contradiction_ = Contradiction{.read = r};
      break;
    case 1:
      resolve(r);
      break;
    default:
      open_reads_.push_back(r);
  }
}

void Saturation::touch(std::uint32_t event) {
  if (!started_) return;  // all events are to be looked at
  const std::size_t place = place_[event];
  dirty_[place / 64] |= std::uint64_t{1} << (place % 64);
  lowest_dirty_ = std::min(lowest_dirty_, place);
}

/// All events are to be looked at.
void Saturation::mark_all() {
  dirty_.assign(order_.size() / 64 + 1, 0);
  for (std::size_t i = 0; i < order_.size(); ++i) dirty_[i / 64] |= std::uint64_t{1} << (i % 64);
  lowest_dirty_ = 0;
}

/// Looks at events in order, over and over, until there is little news.
///
/// Going back earlier, as soon as an event some way behind has to be looked at again, was tried
/// with distances from 64 to 2,048 events: it took two to ten times as long, since what is behind
/// is then looked at once for every few edges that come into it.
std::optional<StopReason> Saturation::sweep() {
  progress_.phase("deriving the order", order_.size());
  std::size_t edges = 0;
  while (lowest_dirty_ < order_.size()) {
    // Another sweep takes as long as this one: what little it would find is left to repair.
    if (known_.size() - edges < known_.size() / 4) return std::nullopt;
    edges = known_.size();
    ++sweeps_;
    const std::size_t first = std::exchange(lowest_dirty_, order_.size()) / 64;
    for (std::size_t word = first; word < dirty_.size(); ++word) {
      while (dirty_[word] != 0) {
        const std::size_t place =
            word * 64 + static_cast<std::size_t>(std::countr_zero(dirty_[word]));
        dirty_[word] &= dirty_[word] - 1;
        if (sweeps_ == 1) prefetcher_.at_event(order_, place);
        look_at(order_[place]);
        if (contradiction_) return std::nullopt;
        if (const auto reason = limits_.reached()) return reason;
      }
      progress_.advance(word * 64);
      // The events from here to the end of the sweep were touched ahead of it.
      if (lowest_dirty_ >= word * 64) lowest_dirty_ = order_.size();
      if ((word + 1) % block_words == 0 || word + 1 == dirty_.size()) follow_sources();
      if (contradiction_) return std::nullopt;
    }
  }
  return std::nullopt;
}

void Saturation::look_at(std::uint32_t event) {
  if (sweeps_ == 1) collect(event);
  if (contradiction_) return;
  if (!p_.is_time(event)) {
    const Txn t = p_.transaction_of(event);
    if (t != 0 && p_.open[t] == 0) {
      if (event == p_.begin(t)) at_begin(t);
      if (contradiction_) return;
      if (event == p_.commit(t)) at_commit(t);
      if (contradiction_) return;
    }
  }
  pass_on(event);
}

/// Most reads with several candidates have only one that is not after the reader or overwritten
/// before it, and what is known at the start is often enough to see that. If it is seen now, what
/// follows is found in the first sweep, and need not be made up for in another one.
std::optional<StopReason> Saturation::prepare_open_reads() {
  if (open_reads_.empty()) return std::nullopt;
  for (const std::uint32_t event : order_) {
    collect(event);
    if (contradiction_) return std::nullopt;
    if (const auto reason = limits_.reached()) return reason;
  }
  look_at_open_reads();
  mark_all();
  return limits_.reached();
}

/// The first time, what comes before an event is collected from the events right before it. The
/// rows of a few events that were finished not long ago are read, and one row is written that is
/// used at once. To pass on everything from the start took a tenth more time with 100,000
/// transactions.
void Saturation::collect(std::uint32_t event) {
  const std::size_t place = place_[event];
  prefetcher_.at_collecting(order_, *start_, place);
  for (const std::uint32_t before : start_->predecessors(event)) {
    if (before > p_.commit(0)) merge(before, event);
    if (contradiction_) return;
  }
  // It is being looked at.
  dirty_[place / 64] &= ~(std::uint64_t{1} << (place % 64));
}

/// What comes before an event comes before what follows it; in the first sweep only along what was
/// derived. (Nothing follows an open transaction: its chain ends there, and edges leave it only
/// once it is known to have committed.)
void Saturation::pass_on(std::uint32_t event) {
  std::uint32_t e = known_.first_out(event);
  if (sweeps_ == 1) {
    for (; e != none && e >= start_edges_ && !contradiction_; e = known_.edge(e).next) {
      merge(event, known_.edge(e).to);
    }
    return;
  }
  const std::uint32_t next = next_in_chain(p_, event);
  if (next != none) merge(event, next);
  for (; e != none && !contradiction_; e = known_.edge(e).next) merge(event, known_.edge(e).to);
}

void Saturation::merge(std::uint32_t from, std::uint32_t to) {
  if (to <= p_.commit(0) || reaches(to, from)) {
    contradiction_ = Contradiction{.from = from, .to = to};
  } else if (clocks_.merge(from, to)) {
    touch(to);
  }
}

void Saturation::at_begin(Txn t) {
  for (const ReadId r : p_.reads_of(t)) {
    if (p_.reads[r].source != none) continue;
    drop_candidates(r);
    resolve_if_clear(r);
    if (contradiction_) return;
  }
  if (!p_.reads_of(t).empty()) begun_.push_back(t);
}

/// What follows from reads concerns the past, so it need not be known at once. What follows from a
/// block of transactions is found by all threads, which only look, and is then added by one of
/// them. So the result does not depend on the number of threads.
void Saturation::follow_sources() {
  const std::size_t parts = (begun_.size() + at_a_time - 1) / at_a_time;
  found_.resize(std::max(found_.size(), parts));
  workers_.run(parts, [&](std::size_t part) {
    found_[part].clear();
    const std::size_t end = std::min(begun_.size(), (part + 1) * at_a_time);
    for (std::size_t i = part * at_a_time; i < end; ++i) {
      prefetcher_.at_reads(std::span(begun_).subspan(i, end - i));
      const Txn t = begun_[i];
      for (const ReadId r : p_.reads_of(t)) {
        if (p_.reads[r].source != none) follow_source(r, found_[part]);
      }
    }
  });
  begun_.clear();
  for (std::size_t part = 0; part < parts; ++part) {
    for (const auto& [writer, read] : found_[part]) {
      ISOSCOPE_ENSURE(p_.reads[read].source != none);
      const std::uint32_t source = p_.held_from(p_.versions[p_.reads[read].source].writer);
      if (reaches(p_.commit(writer), source)) continue;  // since
      add(p_.commit(writer), source, Why::ww, read);
      if (contradiction_) return;
    }
  }
}

/// A writer of the key that committed before the reader began also committed before the version
/// that the read returned.
void Saturation::follow_source(ReadId r, std::vector<Precedence>& found) const {
  const Read& read = p_.reads[r];
  const std::uint32_t source_held = p_.held_from(p_.versions[read.source].writer);
  const std::uint32_t begin = p_.begin(read.reader);
  // True if it is known to precede the source anyway.
  const auto look_at_other = [&](Txn other) {
    if (other == read.reader) return false;
    const std::uint32_t commit = p_.commit(other);
    if (!reaches(commit, begin)) return false;
    if (reaches(commit, source_held)) return true;
    found.push_back({other, r});
    return false;
  };
  const Version* version = &p_.versions[read.source];
  for (int i = 1; i < most_writers_looked_at && version->next != none; ++i) {
    if (place_[p_.commit(version->next_writer)] > place_[begin]) break;
    look_at_other(version->next_writer);
    version = &p_.versions[version->next];
  }
  version = &p_.versions[read.source];
  int known = 0;
  for (int i = 1; i < most_writers_looked_at && known < enough_known_writers; ++i) {
    if (version->writer == 0 || version->previous_writer == 0) break;  // nothing is before that
    if (look_at_other(version->previous_writer)) ++known;
    version = &p_.versions[version->previous];
  }
}

void Saturation::at_commit(Txn t) {
  for (const VersionId version : p_.writes_of(t)) {
    look_back(t, version);
    if (contradiction_) return;
  }
}

/// Another writer of the key that held it before this one commits has committed before this one
/// holds it. The transactions that read what that other writer left began before this one commits.
void Saturation::look_back(Txn t, VersionId version) {
  const std::uint32_t commit = p_.commit(t);
  int known = 0;
  Txn nearest = none;
  const Version* later = &p_.versions[version];
  for (int looked_at = 0; known < enough_known_writers && looked_at < most_writers_looked_at;
       ++looked_at) {
    const Txn earlier = later->previous_writer;
    if (earlier == 0) {
      if (nearest == none) follow(p_.versions[later->previous], t);
      return;
    }
    if (reaches(p_.held_from(earlier), commit)) {
      if (nearest == none) {
        nearest = earlier;
        follow(p_.versions[later->previous], t);
      } else if (reaches(p_.commit(earlier), p_.commit(nearest))) {
        ++known;  // readers of what a nearer one has overwritten precede that one
      } else {
        follow(p_.versions[later->previous], t);
      }
      if (contradiction_) return;
    }
    later = &p_.versions[later->previous];
  }
}

void Saturation::follow(const Version& earlier, Txn t) {
  const std::uint32_t begin = p_.begin(t);
  const std::uint32_t commit = p_.commit(t);
  if (p_.rules.writers_conflict && earlier.writer != 0 &&
      !reaches(p_.commit(earlier.writer), begin)) {
    add(p_.commit(earlier.writer), begin, Why::conflict, ReadId());
    if (contradiction_) return;
  }
  ChainId last_chain = none;
  for (ReadId r = earlier.first_reader; r != none; r = p_.readers[r].next) {
    const Txn reader = p_.readers[r].reader;
    if (reader == t) continue;
    const ChainId reader_chain = p_.chains[reader];
    // The last one of the readers in a chain stands first.
    if (reader_chain == last_chain) continue;
    last_chain = reader_chain;
    if (reaches(p_.begin(reader), commit)) continue;
    add(p_.begin(reader), commit, Why::rw, r);
    if (contradiction_) return;
  }
}

void Saturation::add(std::uint32_t from, std::uint32_t to, Why rule, ReadId read) {
  if (started_ && !clocks_.tells(from, to)) {
    // It may be known already.
    for (std::uint32_t e = known_.first_out(from); e != none; e = known_.edge(e).next) {
      if (known_.edge(e).to == to) return;
    }
  }
  known_.add(from, to, rule, read);
  if (started_) merge(from, to);
}

/// Drops the candidates that cannot have been the last writer before the reader. If one candidate
/// stays, it is not looked at further: if it cannot be the source either, there will be a cycle,
/// which is easier to explain than that no candidate is left.
void Saturation::drop_candidates(ReadId r) {
  const Read& read = p_.reads[r];
  if (read.has_candidate_set == 0 || p_.is_wide(read)) return;
  CandidateSet& set = p_.set_of(read);
  const auto drop_if = [&](const auto& cannot_be) {
    VersionId* candidates = &p_.candidates[set.first];
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < set.left; ++i) {
      if (!cannot_be(p_.versions[candidates[i]])) std::swap(candidates[kept++], candidates[i]);
    }
    set.left = kept;
  };
  const std::uint32_t begin = p_.begin(read.reader);
  drop_if([&](const Version& candidate) { return is_overwritten_soon(candidate, read.reader); });
  if (set.left <= 1) return;
  drop_if([&](const Version& candidate) { return reaches(begin, p_.commit(candidate.writer)); });
  if (set.left <= 1) return;
  const LastWriters last = last_writers(read);
  drop_if([&](const Version& candidate) { return is_overwritten(candidate.writer, last); });
}

/// Is a writer known to have committed after the candidate, and before the reader began? The next
/// ones in the likely order are asked, which is fast and mostly enough.
bool Saturation::is_overwritten_soon(const Version& candidate, Txn reader) const {
  const std::uint32_t begin = p_.begin(reader);
  const std::uint32_t commit = p_.commit(candidate.writer);
  const Version* version = &candidate;
  for (int i = 0; i < most_next_writers_asked && version->next != none; ++i) {
    const Txn other = version->next_writer;
    if (place_[p_.commit(other)] > place_[begin]) return false;
    if (other != reader && reaches(p_.commit(other), begin) &&
        (candidate.writer == 0 || reaches(commit, p_.commit(other)))) {
      return true;
    }
    version = &p_.versions[version->next];
  }
  return false;
}

/// The same question, asked of the last writers before the reader.
bool Saturation::is_overwritten(Txn candidate, const LastWriters& last) const {
  const std::uint32_t commit = p_.commit(candidate);
  return std::any_of(last.writers.begin(), last.writers.begin() + last.count, [&](Txn other) {
    return other != candidate && (candidate == 0 || reaches(commit, p_.commit(other)));
  });
}

/// The writers of the key that committed before the reader began, the likely last ones.
Saturation::LastWriters Saturation::last_writers(const Read& read) const {
  LastWriters result;
  const std::uint32_t begin = p_.begin(read.reader);
  const auto versions = p_.versions_of(read.key);
  auto at = std::ranges::partition_point(versions, [&](VersionId version) {
    return place_[p_.commit(p_.versions[version].writer)] < place_[begin];
  });
  for (int looked_at = 0; at != versions.begin() && result.count < result.writers.size() &&
                          looked_at < most_writers_looked_at;
       ++looked_at) {
    const Txn writer = p_.versions[*--at].writer;
    if (writer == read.reader) continue;
    if (reaches(p_.commit(writer), begin)) result.writers[result.count++] = writer;
  }
  return result;
}

/// To be called after candidates were dropped. True if the source is known now.
bool Saturation::resolve_if_clear(ReadId r) {
  const Read& read = p_.reads[r];
  const std::size_t left = p_.candidates_of(read).size();
  if (left > 1) return false;
  if (left == 1) {
    resolve(r);
    return true;
  }
  contradiction_ = Contradiction{.read = r};
  p_.set_of(read).resolved_after = known_.size();
  return false;
}

/// By session order and the reads that join chains; not if this is such a read.
bool Saturation::is_before_in_chain(Txn earlier, Txn later) const {
  return earlier < later && p_.chains[earlier] == p_.chains[later] &&
         (p_.previous_in_chain[later] != earlier || p_.next_in_session[earlier] == later);
}

void Saturation::resolve(ReadId r) {
  Read& read = p_.reads[r];
  ISOSCOPE_REQUIRE(read.source == none && p_.candidates_of(read).size() == 1);
  const VersionId version = p_.candidates_of(read).front();
  const Txn writer = p_.versions[version].writer;
  if (read.has_candidate_set != 0) p_.set_of(read).resolved_after = known_.size();
  read.source = version;
  // Readers stand in descending order, so that the last one of each chain is met first.
  ReadId* link = &p_.versions[version].first_reader;
  while (*link != none && p_.readers[*link].reader > read.reader) link = &p_.readers[*link].next;
  p_.readers[r] = {read.reader, *link};
  *link = r;
  commit_open(writer, {r, false});
  if (contradiction_) return;
  const bool known = started_ ? reaches(p_.commit(writer), p_.begin(read.reader))
                              : is_before_in_chain(writer, read.reader);
  if (writer != 0 && !known) {
    add(p_.commit(writer), p_.begin(read.reader), Why::wr, r);
  }
  if (!started_) return;
  // Writers that come after the version must come after the reader too.
  touch(p_.begin(read.reader));
  VersionId v = p_.versions[version].next;
  for (int i = 0; i < enough_known_writers && v != none; ++i, v = p_.versions[v].next) {
    touch(p_.commit(p_.versions[v].writer));
  }
}

/// Some transaction certainly read from it, so it did commit, and its reads count.
void Saturation::commit_open(Txn t, OrderProblem::CommitReason reason) {
  if (t == 0 || p_.open[t] == 0) return;
  ISOSCOPE_REQUIRE(reason.read != none);  // a certificate has to say why
  p_.open[t] = 0;
  p_.commit_reasons[t] = reason;
  touch(p_.begin(t));
  touch(p_.commit(t));
  for (const ReadId r : p_.reads_of(t)) {
    take_read(r);
    if (contradiction_) return;
  }
  for (const OrderProblem::Member& member : p_.members) {
    if (p_.reads[member.read].reader == t) commit_open(member.writer, {member.read, true});
    if (contradiction_) return;
  }
  for (const ListOrder& order : p_.list_orders) {
    if (p_.reads[order.read].reader != t) continue;
    add(p_.commit(order.earlier), p_.held_from(order.later), Why::list, order.read);
    if (contradiction_) return;
  }
}

/// Looks again at reads with several candidates, after everything else has settled. Returns how
/// many of them have a known source now. All threads drop candidates, each for its own reads, by
/// what is known at the beginning. What follows is then added by one thread.
std::size_t Saturation::look_at_open_reads() {
  const std::vector<ReadId> open = std::exchange(open_reads_, {});
  const std::size_t parts = (open.size() + open_at_a_time - 1) / open_at_a_time;
  workers_.run(parts, [&](std::size_t part) {
    const std::size_t end = std::min(open.size(), (part + 1) * open_at_a_time);
    for (std::size_t i = part * open_at_a_time; i < end; ++i) {
      if (limits_.reached()) return;
      prefetcher_.at_open_reads(std::span(open).subspan(i, end - i));
      if (p_.reads[open[i]].source == none) drop_candidates(open[i]);
    }
  });
  std::size_t news = 0;
  for (const ReadId r : open) {
    if (limits_.reached()) return 0;
    if (p_.reads[r].source == none && resolve_if_clear(r)) ++news;
    if (contradiction_) return news;
    if (p_.reads[r].source == none) open_reads_.push_back(r);
  }
  return news;
}

}  // namespace isoscope::strong
