#include <algorithm>

#include "check/weak/causal_clocks.h"
#include "check/weak/forced_edges.h"
#include "isoscope/base/contract.h"
#include "isoscope/base/prefetch.h"

namespace isoscope::weak {

namespace {

/// The writers of each key that came so far in an order of all transactions, as places there.
class WritersSoFar {
 public:
  explicit WritersSoFar(const KnownSources& sources)
      : starts_(sources.history().key_count() + 1, 0), places_(sources.write_count()) {
    for (const KeyId key : sources.written()) ++starts_[key.index() + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    ends_.assign(starts_.begin(), starts_.end() - 1);
  }
  void add(KeyId key, std::uint32_t place) { places_[ends_[key.index()]++] = place; }
  /// Calls visit(place) for the writers of the key from the place `from` on, the latest one first.
  template <class Visit>
  void for_each(KeyId key, std::uint32_t from, const Visit& visit) const {
    const std::uint32_t start = starts_[key.index()];
    for (std::uint32_t at = ends_[key.index()]; at > start && places_[at - 1] >= from; --at) {
      visit(places_[at - 1]);
    }
  }
  /// Hints that the key will be asked for: first for where its writers stand, some time later for
  /// the latest of them.
  void prefetch_key(KeyId key) const {
    prefetch(&starts_[key.index()]);
    prefetch(&ends_[key.index()]);
  }
  void prefetch_latest(KeyId key) const { prefetch(places_.data() + ends_[key.index()] - 1); }

 private:
  std::vector<std::uint32_t> starts_;  // by key: in places_
  std::vector<std::uint32_t> ends_;    // by key: of what came so far
  std::vector<std::uint32_t> places_;
};

/// Finds, for every read, the writers of its key that the reader's past has and the source's past
/// has not. Every transaction before a certain place of the order is in the past of a given one;
/// beyond that place and before the reader there are few. So what is asked for lies in a small
/// window of the key's writers.
template <class Count>
class Causes {
 public:
  Causes(const KnownSources& sources, std::span<const Txn> order)
      : sources_(sources),
        order_(order),
        place_(sources.size(), 0),
        known_before_(sources.size(), 0),
        writers_(sources),
        clocks_(sources),
        look_every_(static_cast<Txn>(sources.chain_count() / 16 + 1)) {
    for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
  }

  std::optional<StopReason> run(const Limits& limits, ForcedEdges& into) {
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      if (const auto reason = limits.reached()) return reason;
      fetch_ahead(i);
      const Txn t = order_[i];
      clocks_.make(t);
      std::uint32_t known = sources_.follows_in_chain(t) ? known_before_[t - 1] : 0;
      for (std::uint32_t r = sources_.first_read(t); r < sources_.first_read(t + 1); ++r) {
        known = std::max(known, look_at(t, r, into));
      }
      clocks_.made(t);
      known_before_[t] = is_looked_at(t) ? first_unknown(t) : known;
      for (const KeyId key : sources_.written_by(t)) writers_.add(key, i);
      clocks_.pass(t);
    }
    return std::nullopt;
  }

 private:
  /// Keys and clocks are far apart in memory: what is looked up first is fetched first.
  void fetch_ahead(std::uint32_t i) const {
    if (i + 1 < order_.size()) clocks_.prefetch(order_[i + 1]);
    if (i + 2 < order_.size()) {
      const Txn t = order_[i + 2];
      for (const Read& read : sources_.reads_of(t)) writers_.prefetch_latest(read.key);
      for (const KeyId key : sources_.written_by(t)) writers_.prefetch_latest(key);
    }
    if (i + 4 < order_.size()) {
      const Txn t = order_[i + 4];
      for (const Read& read : sources_.reads_of(t)) writers_.prefetch_key(read.key);
      for (const KeyId key : sources_.written_by(t)) writers_.prefetch_key(key);
    }
    if (i + 8 < order_.size()) {
      prefetch(sources_.reads_of(order_[i + 8]).data());
      prefetch(sources_.written_by(order_[i + 8]).data());
    }
  }

  /// Returns a place before which all is known to the source.
  std::uint32_t look_at(Txn reader, std::uint32_t index, ForcedEdges& into) {
    const Read& read = sources_.reads()[index];
    if (read.source == open_source) return 0;
    const std::uint32_t known = known_before_[read.source];
    writers_.for_each(read.key, known, [&](std::uint32_t place) {
      const Txn writer = order_[place];
      if (writer == read.source || !clocks_.knows(reader, writer)) return;
      if (!clocks_.knows(read.source, writer)) into.add(writer, read.source, reader, index);
    });
    return known;
  }

  /// Chains advance in turns. If they all were looked at in the same turn, nobody would know of
  /// anything new until the next one. So each chain has turns of its own.
  bool is_looked_at(Txn t) const {
    const std::uint32_t chain = sources_.chain(t);
    return (t - sources_.first_of_chain(chain) + chain) % look_every_ == 0;
  }

  /// The first place of the order whose transaction is not in the past of `t`, nor `t` itself. This
  /// looks at all chains. So it is asked now and then, and what is known in between is a little
  /// less than what could be.
  std::uint32_t first_unknown(Txn t) const {
    auto first = static_cast<std::uint32_t>(order_.size());
    for (std::uint32_t chain = 1; chain < sources_.chain_count(); ++chain) {
      const Txn unknown = sources_.first_of_chain(chain) + clocks_.known(t, chain);
      if (unknown < sources_.end_of_chain(chain)) first = std::min(first, place_[unknown]);
    }
    return first;
  }

  const KnownSources& sources_;
  std::span<const Txn> order_;
  std::vector<std::uint32_t> place_;  // by transaction
  /// By transaction: all before this place is in its past, or the transaction itself.
  std::vector<std::uint32_t> known_before_;
  WritersSoFar writers_;
  ClocksOf<Count> clocks_;
  Txn look_every_;  // how many transactions of a chain, for first_unknown
};

}  // namespace

std::optional<StopReason> follow_causes(const KnownSources& sources, std::span<const Txn> order,
                                        const Limits& limits, ForcedEdges& into) {
  ISOSCOPE_REQUIRE(order.size() + 1 == sources.size());  // all transactions but the initial state
  if (ClocksOf<std::uint8_t>::fits(sources)) {
    return Causes<std::uint8_t>(sources, order).run(limits, into);
  }
  if (ClocksOf<std::uint16_t>::fits(sources)) {
    return Causes<std::uint16_t>(sources, order).run(limits, into);
  }
  return Causes<std::uint32_t>(sources, order).run(limits, into);
}

}  // namespace isoscope::weak
