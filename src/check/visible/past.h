#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "check/visible/execution.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

/// The transactions that happened so far in an execution, and the ways among them.
///
/// Invariant: every hop leads to a later transaction, so a search backwards that looks for
/// transactions from some place on never has to go before that place.
class Past {
 public:
  /// `readers_count`: whether it is asked who read a version. `clocked`: the hops that clocks
  /// follow; none: there are no clocks. Both must outlive the object.
  Past(const Problem& problem, const Execution& execution, bool readers_count, Inner clocked);

  /// What reaches a transaction by hops, as one number for each chain: how many of its transactions
  /// do. It is itself among them.
  using Clock = std::span<const std::uint32_t>;
  bool has_clocks() const { return clocked_ != Inner::none; }
  Clock clock(Txn t) const {
    ISOSCOPE_REQUIRE(has_clocks());
    return std::span(clocks_).subspan(t * chains_, chains_);
  }
  std::uint32_t number_in_chain(Txn t) const {
    return t - p_.sources().first_of_chain(p_.sources().chain(t)) + 1;
  }
  bool is_in(Txn t, Clock clock) const {
    return clock[p_.sources().chain(t)] >= number_in_chain(t);
  }
  /// Adds what reaches t, and t.
  void join(Txn t, std::span<std::uint32_t> clock) const {
    if (is_in(t, clock)) return;
    const Clock its = this->clock(t);
    for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], its[i]);
  }
  /// Whether clocks of that many entries are worth their memory.
  static bool are_affordable(const Problem& problem);

  /// Lets a transaction happen: what it wrote is there from now on.
  void add(Txn t);

  /// The writers of a key so far, in order.
  std::span<const Txn> writers(KeyId key) const { return writers_[key.index()]; }
  Txn last_writer(KeyId key) const {
    const auto& all = writers_[key.index()];
    return all.empty() ? 0 : all.back();
  }
  std::uint32_t place(Txn t) const { return e_.place[t]; }
  /// The reads of what the version's writer left, in the order of their readers.
  std::span<const std::uint32_t> readers(std::uint32_t version) const {
    ISOSCOPE_REQUIRE(version < readers_.size());
    return readers_[version];
  }

  /// Calls visit(hop) for the hops of the kinds that lead to t, which has happened, from places
  /// from `since` on. Of the writers whose keys t overwrites, only the last of each key comes
  /// unless `all_writers`: the others lead to it. With all of them ways are shorter.
  template <class Visit>
  void for_each_hop(Txn t, Inner kinds, std::uint32_t since, bool all_writers,
                    const Visit& visit) const;
  /// The same for the last hop to a read at the given operation of t, which happens next.
  template <class Visit>
  void for_each_last_hop(Txn t, const Row& row, std::uint32_t operation, std::uint32_t since,
                         bool all_writers, const Visit& visit) const;

  /// Whether the row's last hop from a source of an operation counts for a read at another one.
  static bool counts(Sources sources, std::uint32_t source_at, std::uint32_t read_at) {
    switch (sources) {
      case Sources::none:
        return false;
      case Sources::of_earlier_operations:
        return source_at < read_at;
      case Sources::up_to_operation:
        return source_at <= read_at;
      case Sources::all:
        return true;
    }
    return false;
  }

 private:
  /// All versions of a key are some of the last ones. To look at more costs more than longer ways.
  static constexpr std::size_t most_versions = 32;

  template <class Visit>
  void for_each_writer(Txn t, KeyId key, std::size_t before, std::uint32_t since, bool all,
                       const Visit& visit) const;
  template <class Visit>
  void for_each_reader(Txn t, KeyId key, std::size_t before, std::uint32_t since, bool all,
                       const Visit& visit) const;

  const Problem& p_;
  const Execution& e_;
  bool readers_count_;
  Inner clocked_;
  std::size_t chains_;
  std::vector<std::uint32_t> clocks_;                           // by transaction and chain
  std::vector<std::vector<Txn>> writers_;                       // by key
  std::vector<std::uint32_t> position_;                         // by version, among them
  std::vector<std::vector<std::uint32_t>> readers_;             // by version
  std::vector<std::vector<std::uint32_t>> readers_of_initial_;  // by key
  mutable std::vector<std::uint32_t> reads_;                    // scratch
};

template <class Visit>
void Past::for_each_writer(Txn t, KeyId key, std::size_t before, std::uint32_t since, bool all,
                           const Visit& visit) const {
  const auto& its = writers_[key.index()];
  const std::size_t end = before - std::min(before, all ? most_versions : 1);
  for (std::size_t i = before; i > end && place(its[i - 1]) >= since; --i) {
    visit(Hop{Hop::Kind::overwrite, its[i - 1], t});
  }
}

/// Readers of a version that t overwrites.
template <class Visit>
void Past::for_each_reader(Txn t, KeyId key, std::size_t before, std::uint32_t since, bool all,
                           const Visit& visit) const {
  const auto& writers = writers_[key.index()];
  const std::size_t end = before + 1 - std::min(before + 1, all ? most_versions : 1);
  for (std::size_t i = before + 1; i > end; --i) {
    const Txn version = i > 1 ? writers[i - 2] : 0;
    const auto& reads =
        version == 0 ? readers_of_initial_[key.index()] : readers_[p_.version(version, key)];
    for (std::size_t r = reads.size(); r > 0; --r) {
      const Txn reader = p_.read(reads[r - 1]).reader;
      if (place(reader) < since) break;
      if (reader == t || place(reader) > place(t) || !p_.is_update(reader)) continue;
      visit(Hop{Hop::Kind::antidependency, reader, t, reads[r - 1], version});
    }
  }
}

template <class Visit>
void Past::for_each_hop(Txn t, Inner kinds, std::uint32_t since, bool all_writers,
                        const Visit& visit) const {
  if (kinds == Inner::none || kinds == Inner::prefix) return;
  const Txn previous = p_.previous(t);
  if (previous != 0 && place(previous) >= since) visit(Hop{Hop::Kind::session, previous, t});
  p_.reads_of(t, reads_);
  for (const std::uint32_t r : reads_) {
    const Txn source = e_.source[r];
    if (source == 0 || source == none || place(source) < since) continue;
    visit(Hop{Hop::Kind::read, source, t, r});
  }
  if (kinds == Inner::causes) return;
  const auto keys = p_.sources().written_by(t);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const std::size_t before = position_[p_.sources().first_write(t) + i];
    for_each_writer(t, keys[i], before, since, all_writers, visit);
    if (kinds != Inner::updates) continue;
    for_each_reader(t, keys[i], before, since, all_writers, visit);
  }
}

template <class Visit>
void Past::for_each_last_hop(Txn t, const Row& row, std::uint32_t operation, std::uint32_t since,
                             bool all_writers, const Visit& visit) const {
  const Txn previous = p_.previous(t);
  if (row.session) {
    for (Txn earlier = previous; earlier != 0 && place(earlier) >= since;
         earlier = p_.previous(earlier)) {
      visit(Hop{Hop::Kind::session, earlier, t});
      if (row.inner != Inner::none) break;  // the others lead to it
    }
  }
  if (row.sources != Sources::none) {
    p_.reads_of(t, reads_);
    for (const std::uint32_t r : reads_) {
      const Txn source = e_.source[r];
      if (source == 0 || source == none || place(source) < since) continue;
      if (!counts(row.sources, p_.read(r).operation, operation)) continue;
      visit(Hop{Hop::Kind::read, source, t, r});
    }
  }
  const auto keys = p_.sources().written_by(t);
  for (std::uint32_t i = 0; i < keys.size() && row.overwritten != Overwritten::none; ++i) {
    if (row.overwritten == Overwritten::same_key) break;  // depends on the read: see judge()
    const std::uint32_t version = p_.sources().first_write(t) + i;
    const bool is_too_late = row.overwritten == Overwritten::of_earlier_operations &&
                             p_.written_at(version) >= operation;
    if (is_too_late) continue;
    for_each_writer(t, keys[i], writers_[keys[i].index()].size(), since, all_writers, visit);
  }
}

}  // namespace isoscope::visible
