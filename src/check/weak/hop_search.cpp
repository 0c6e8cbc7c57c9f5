#include "check/weak/hop_search.h"

#include "isoscope/base/contract.h"

namespace isoscope::weak {

namespace {

/// Neighbouring hops of one session are one.
void add_hop(std::vector<HopTaken>& hops, HopTaken hop) {
  if (!hops.empty() && !hops.back().is_read() && !hop.is_read()) {
    hops.back().to = hop.to;
  } else {
    hops.push_back(hop);
  }
}

}  // namespace

HopSearch::HopSearch(const KnownSources& sources, const KnownBy& rule)
    : sources_(sources),
      rule_(rule),
      after_(sources.size(), 0),
      reached_in_(sources.size(), 0),
      onwards_(sources.size()) {
  for (const KnownEdge& leaf : sources.leaves()) after_[leaf.to] = leaf.from;
}

Txn HopSearch::session_before(Txn t) const {
  if (after_[t] != 0) return after_[t];
  return sources_.follows_in_chain(t) ? t - 1 : 0;
}

bool HopSearch::before_in_session(Txn first, Txn second) const {
  if (first == 0 || second == 0) return false;
  const Txn last = session_before(second);
  return last != 0 && sources_.chain(first) == sources_.chain(last) && first <= last;
}

bool HopSearch::counts(const Read& own, const Read& read) const {
  switch (rule_.own) {
    case KnownBy::Own::none:
      return false;
    case KnownBy::Own::earlier:
      return sources_.is_earlier(own, read);
    case KnownBy::Own::by_then:
      return sources_.is_earlier(own, read) || &own == &read;
    case KnownBy::Own::any:
      return true;
  }
  return false;
}

std::optional<std::vector<HopTaken>> HopSearch::find(std::uint32_t read, Txn writer) {
  ISOSCOPE_REQUIRE(read < sources_.reads().size() && writer < sources_.size());
  const Txn reader = sources_.reader_of(read);
  if (auto hops = find_near(read, reader, writer)) return hops;
  if (rule_.past) return find_far(read, reader, writer);
  return std::nullopt;
}

/// Looks for at most three hops.
std::optional<HopSearch::Hops> HopSearch::find_near(std::uint32_t index, Txn reader,
                                                    Txn writer) const {
  if (rule_.session && before_in_session(writer, reader)) return Hops{{reader}};
  const Read& read = sources_.reads()[index];
  for (std::uint32_t i = sources_.first_read(reader); i < sources_.first_read(reader + 1); ++i) {
    const Read& own = sources_.reads()[i];
    if (own.source == 0 || own.source == open_source || !counts(own, read)) continue;
    if (rule_.writers_sessions) {
      if (before_in_session(writer, own.source)) return Hops{{own.source}, {reader, i}};
    } else if (!rule_.by_version && own.source == writer) {
      return Hops{{reader, i}};
    }
  }
  if (!rule_.session_reads && !rule_.remembers) return std::nullopt;
  for (Txn t = session_before(reader); t != 0; t = session_before(t)) {
    if (auto hops = find_before(t, index, writer)) {
      hops->push_back({reader});
      return hops;
    }
  }
  return std::nullopt;
}

/// Looks for hops to an earlier transaction of the reader's session.
std::optional<HopSearch::Hops> HopSearch::find_before(Txn of, std::uint32_t read,
                                                      Txn writer) const {
  for (std::uint32_t i = sources_.first_read(of); i < sources_.first_read(of + 1); ++i) {
    const Read& own = sources_.reads()[i];
    if (own.source == 0 || own.source == open_source) continue;
    const bool is_of_key = own.key == sources_.reads()[read].key;
    if (rule_.session_reads && is_of_key && own.source == writer) return Hops{{of, i}};
    if (rule_.remembers && before_in_session(writer, own.source)) {
      return Hops{{own.source}, {of, i}};
    }
  }
  return std::nullopt;
}

void HopSearch::reach(Txn t, HopTaken by) {
  if (t == 0 || t == open_source || reached_in_[t] == search_) return;
  reached_in_[t] = search_;
  onwards_[t] = by;
  to_look_at_.push_back(t);
}

/// Searches backwards through the reader's past.
std::optional<HopSearch::Hops> HopSearch::find_far(std::uint32_t index, Txn reader, Txn writer) {
  ++search_;
  to_look_at_.clear();
  const Read& read = sources_.reads()[index];
  if (rule_.session) reach(session_before(reader), {reader});
  for (std::uint32_t i = sources_.first_read(reader); i < sources_.first_read(reader + 1); ++i) {
    if (counts(sources_.reads()[i], read)) reach(sources_.reads()[i].source, {reader, i});
  }
  while (!to_look_at_.empty()) {
    const Txn t = to_look_at_.front();
    to_look_at_.pop_front();
    const auto first = first_hop(t, read.key, writer);
    if (first || (!rule_.by_version && t == writer)) {
      Hops hops;
      if (first) hops.push_back(*first);
      for (Txn at = t; at != reader; at = onwards_[at].to) add_hop(hops, onwards_[at]);
      return hops;
    }
    reach(session_before(t), {t});
    for (std::uint32_t i = sources_.first_read(t); i < sources_.first_read(t + 1); ++i) {
      reach(sources_.reads()[i].source, {t, i});
    }
  }
  return std::nullopt;
}

/// Where versions are known instead of transactions: the hop from the writer to one of the past.
std::optional<HopTaken> HopSearch::first_hop(Txn to, KeyId key, Txn writer) const {
  if (!rule_.by_version) return std::nullopt;
  for (std::uint32_t i = sources_.first_read(to); i < sources_.first_read(to + 1); ++i) {
    const Read& read = sources_.reads()[i];
    if (read.key == key && read.source == writer) return HopTaken{to, i};
  }
  if (rule_.sessions_of_past && before_in_session(writer, to)) return HopTaken{to};
  return std::nullopt;
}

}  // namespace isoscope::weak
