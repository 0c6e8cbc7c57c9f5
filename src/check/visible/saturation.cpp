#include "check/visible/saturation.h"

#include <algorithm>
#include <utility>

#include "check/visible/past.h"

namespace isoscope::visible {

namespace {

/// Clocks of more entries than this cost more than they are worth.
constexpr std::size_t most_entries = std::size_t{1} << 24;
constexpr int most_sweeps = 64;

bool has_clocks(const Row& row) {
  return row.inner == Inner::causes || row.inner == Inner::dependencies ||
         row.inner == Inner::updates;
}

}  // namespace

bool Saturation::is_worth_trying(const Problem& problem) {
  const weak::KnownSources& sources = problem.sources();
  const std::size_t nodes = problem.size() + problem.reads().size();
  return !sources.open_reads().empty() && nodes * sources.chain_count() <= most_entries;
}

Saturation::Saturation(const Problem& problem, const Row& row, const Digraph& known,
                       const Limits& limits)
    : p_(problem),
      row_(row),
      known_(known),
      limits_(limits),
      before_(p_.sources(),
              known.node_count() + (row.inner == Inner::prefix ? p_.reads().size() : 0)),
      reached_(p_.sources(), has_clocks(row) ? p_.size() : 0),
      has_events_(row.inner == Inner::prefix),
      writers_(p_.history().key_count()),
      left_(p_.reads().size()),
      source_(p_.reads().size(), none),
      visible_(before_.chains(), 0),
      overwritten_(before_.chains(), 0) {
  for (Txn t = 1; t < p_.size(); ++t) {
    if (!p_.sources().certain(t)) continue;
    for (const KeyId key : p_.sources().written_by(t)) writers_[key.index()].push_back(t);
  }
  for (std::uint32_t r = 0; r < p_.reads().size(); ++r) {
    const Read& read = p_.read(r);
    if (!p_.is_open(read)) source_[r] = read.only;
  }
  if (has_events_) number_events();
}

/// Reads that see the same prefix have one event.
void Saturation::number_events() {
  event_.assign(p_.reads().size(), none);
  std::vector<std::uint32_t> reads;
  for (Txn t = 1; t < p_.size(); ++t) {
    if (!p_.sources().certain(t)) continue;
    p_.reads_of(t, reads);
    std::uint32_t before = none;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const bool is_same =
          i > 0 && (row_.sources == Sources::all ||
                    p_.read(reads[i]).operation == p_.read(reads[i - 1]).operation);
      if (!is_same) {
        const auto node = static_cast<std::uint32_t>(known_.node_count() + event_starts_.size());
        event_starts_.push_back(static_cast<std::uint32_t>(event_reads_.size()));
        if (before != none) {
          of_events_.push_back({before, node});
        } else if (row_.session && p_.previous(t) != 0) {
          of_events_.push_back({p_.previous(t), node});
        }
        before = node;
      }
      event_[reads[i]] = before;
      event_reads_.push_back(reads[i]);
    }
    if (before != none) of_events_.push_back({before, t});
  }
  event_starts_.push_back(static_cast<std::uint32_t>(event_reads_.size()));
}

Digraph Saturation::graph() const {
  const std::size_t events = has_events_ ? event_starts_.size() - 1 : 0;
  return Digraph(known_.node_count() + events, [&](const auto& visit) {
    for (std::uint32_t node = 0; node < known_.node_count(); ++node) {
      for (const std::uint32_t next : known_.successors(node)) visit(node, next);
    }
    for (const DirectedEdge& edge : order_) visit(edge.from, edge.to);
    for (const DirectedEdge& edge : of_events_) visit(edge.from, edge.to);
    for (std::uint32_t r = 0; has_events_ && r < source_.size(); ++r) {
      if (event_[r] != none && source_[r] != none && source_[r] != 0) visit(source_[r], event_[r]);
    }
  });
}

Saturation::Result Saturation::run() {
  for (int i = 0; i < most_sweeps; ++i) {
    is_new_ = false;
    const bool goes_on = sweep();
    if (contradicts_) return Result::contradiction;
    if (!goes_on) return Result::stopped;
    if (!is_new_) return Result::done;
  }
  // What came last may contradict the rest.
  if (topological_order(graph(), limits_)) return Result::done;
  return limits_.reached_now() ? Result::stopped : Result::contradiction;
}

/// False if a limit was reached or something contradicts.
bool Saturation::sweep() {
  const Digraph all = graph();
  const auto nodes = topological_order(all, limits_);
  if (!nodes) {
    contradicts_ = !limits_.reached_now();
    return false;
  }
  position_.resize(nodes->size());
  for (std::uint32_t i = 0; i < nodes->size(); ++i) position_[(*nodes)[i]] = i;
  for (const std::uint32_t node : *nodes) {
    for (const std::uint32_t before : all.predecessors(node))
      before_.join(node, before_.of(before));
    const bool is_transaction = node != 0 && node < p_.size();
    if (is_transaction) before_.add(node, node);
    if (is_transaction && is_certain(node)) visit(node);
    if (node >= known_.node_count()) visit_event(node);
    if (contradicts_ || limits_.reached(1 + static_cast<std::uint32_t>(reads_.size())))
      return false;
  }
  return true;
}

void Saturation::visit_event(std::uint32_t node) {
  const std::size_t event = node - known_.node_count();
  const auto reads =
      std::span(event_reads_)
          .subspan(event_starts_[event], event_starts_[event + 1] - event_starts_[event]);
  std::ranges::copy(before_.of(node), visible_.begin());
  directly_.clear();
  for (const std::uint32_t r : reads) judge(r);
}

void Saturation::visit(Txn t) {
  p_.reads_of(t, reads_);
  if (!has_events_) {
    std::ranges::fill(visible_, 0u);
    directly_.clear();
    for (std::size_t i = 0; i < reads_.size();) {
      std::size_t end = i + 1;
      while (end < reads_.size() &&
             p_.read(reads_[end]).operation == p_.read(reads_[i]).operation) {
        ++end;
      }
      judge_group(t, std::span(reads_).subspan(i, end - i));
      i = end;
    }
  }
  if (has_clocks(row_)) follow_hops(t);
}

/// Calls visit(writer) for the last writer of the key in each chain, as far as the clock goes.
template <class Visit>
void Saturation::for_each_last_writer(KnownClocks::Clock clock, KeyId key, Txn except,
                                      const Visit& visit) const {
  const auto& writers = writers_[key.index()];
  if (writers.empty()) return;
  for (std::uint32_t chain = 0; chain < clock.size(); ++chain) {
    if (clock[chain] == 0) continue;
    const Txn first = p_.sources().first_of_chain(chain);
    auto after = std::ranges::lower_bound(writers, first + clock[chain]);
    if (after != writers.begin() && *(after - 1) == except) --after;
    if (after != writers.begin() && *(after - 1) >= first) visit(*(after - 1));
  }
}

/// What reaches the transaction by hops that are known.
void Saturation::follow_hops(Txn t) {
  const auto follow = [&](Txn from) { reached_.join(t, reached_.of(from)); };
  reached_.add(t, t);
  if (p_.previous(t) != 0) follow(p_.previous(t));
  for (const std::uint32_t r : reads_) {
    if (source_[r] != none && source_[r] != 0) follow(source_[r]);
  }
  if (row_.inner == Inner::causes) return;
  for (const KeyId key : p_.sources().written_by(t)) {
    for_each_last_writer(before_.of(t), key, t, follow);
  }
}

bool Saturation::is_looked_at(const Read& read) const {
  if (p_.is_ignored(read) || row_.by_version) return false;
  switch (row_.looks) {
    case Looks::at_none:
      return false;
    case Looks::at_items:
      return read.item;
    case Looks::at_overwritten_items:
      return read.item && p_.sources().writes(read.reader, read.key);
    case Looks::at_all:
      return true;
  }
  return false;
}

/// The transaction is visible, and so is what reaches it.
void Saturation::see(Txn t) {
  if (t == 0) return;
  if (has_clocks(row_)) {
    KnownClocks::join(visible_, reached_.of(t));
  } else {
    directly_.push_back(t);
  }
}

/// Those that wrote the key before t, for certain, are visible.
void Saturation::see_overwritten(Txn t, KeyId key) {
  for_each_last_writer(before_.of(t), key, t, [&](Txn writer) { see(writer); });
}

/// What is visible to all reads of the transaction at the operation, or later.
void Saturation::see_directly(Txn t, std::uint32_t operation) {
  const bool sees_everything = row_.everything == Everything::to_all ||
                               (row_.everything == Everything::to_updates && p_.is_update(t)) ||
                               row_.overwritten == Overwritten::same_key;
  if (sees_everything) {
    KnownClocks::join(visible_, before_.of(t));
    visible_[p_.sources().chain(t)] = before_.number_in_chain(t) - 1;
    return;
  }
  if (row_.session && p_.previous(t) != 0) {
    see(p_.previous(t));
    if (row_.inner == Inner::none && p_.sources().follows_in_chain(t)) {
      visible_[p_.sources().chain(t)] = before_.number_in_chain(t) - 1;
    }
  }
  for (const std::uint32_t r : reads_) {
    const bool counts =
        source_[r] != none && Past::counts(row_.sources, p_.read(r).operation, operation);
    if (counts) see(source_[r]);
  }
  if (row_.overwritten == Overwritten::none) return;
  const auto keys = p_.sources().written_by(t);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const bool counts = row_.overwritten == Overwritten::all ||
                        p_.written_at(p_.sources().first_write(t) + i) < operation;
    if (counts) see_overwritten(t, keys[i]);
  }
}

void Saturation::judge_group(Txn t, std::span<const std::uint32_t> reads) {
  directly_.clear();
  see_directly(t, p_.read(reads.front()).operation);
  for (const std::uint32_t r : reads) judge(r);
}

void Saturation::judge(std::uint32_t r) {
  const Read& read = p_.read(r);
  if (p_.is_ignored(read)) return;
  const bool looked_at = is_looked_at(read);
  std::ranges::fill(overwritten_, 0u);
  last_writers_.clear();
  if (looked_at) find_last_writers(read);
  if (!narrow(r, looked_at)) {
    contradicts_ = true;
    return;
  }
  if (source_[r] == none || !looked_at) return;
  order_versions(r);
  if (has_events_) come_before_overwriters(r);
}

void Saturation::add_last_writer(Txn writer) {
  last_writers_.push_back(writer);
  const std::uint32_t chain = p_.sources().chain(writer);
  const std::uint32_t own = std::max(overwritten_[chain], before_.number_in_chain(writer) - 1);
  KnownClocks::join(overwritten_, before_.of(writer));
  if (overwritten_[chain] == before_.number_in_chain(writer)) overwritten_[chain] = own;
}

/// Finds the last writer of the key that is visible in each chain.
void Saturation::find_last_writers(const Read& read) {
  for_each_last_writer(visible_, read.key, read.reader,
                       [&](Txn writer) { add_last_writer(writer); });
  for (const Txn t : directly_) {
    const bool is_new = std::ranges::find(last_writers_, t) == last_writers_.end();
    if (is_new && is_certain(t) && p_.sources().writes(t, read.key)) add_last_writer(t);
  }
}

/// Rules candidates out. False if none is left.
bool Saturation::narrow(std::uint32_t r, bool looked_at) {
  if (source_[r] != none) return true;
  const Read& read = p_.read(r);
  std::vector<Txn>& left = left_[r];
  if (left.empty()) {
    const auto all = p_.candidates(read);
    left.assign(all.begin(), all.end());
    std::erase(left, read.reader);
    std::ranges::sort(left);
  }
  const std::size_t before = left.size();
  std::erase_if(left, [&](Txn u) {
    if (u == 0) return looked_at && !last_writers_.empty();
    if (before_.has(u, read.reader)) return true;
    return looked_at && overwritten_[p_.sources().chain(u)] >= before_.number_in_chain(u);
  });
  is_new_ |= left.size() < before;
  if (left.size() != 1 || !is_certain(left.front())) return !left.empty();
  source_[r] = left.front();
  is_new_ = true;
  if (source_[r] == 0) return true;
  add_edge(source_[r], read.reader);
  if (position_[source_[r]] < position_[read.reader]) {
    before_.join(read.reader, before_.of(source_[r]));
  }
  return true;
}

/// What is visible is not newer than what was read.
void Saturation::order_versions(std::uint32_t r) {
  const Txn source = source_[r];
  for (const Txn writer : last_writers_) {
    if (writer == source) continue;
    if (source == 0) {
      contradicts_ = true;
      return;
    }
    if (!before_.has(source, writer)) add_edge(writer, source);
  }
}

/// The event comes before the first that overwrite what was read.
void Saturation::come_before_overwriters(std::uint32_t r) {
  const Read& read = p_.read(r);
  const Txn source = source_[r];
  const auto& writers = writers_[read.key.index()];
  std::vector<Txn> firsts;
  for (auto begin = writers.begin(); begin != writers.end();) {
    const std::uint32_t chain = p_.sources().chain(*begin);
    const auto end = std::lower_bound(begin, writers.end(), p_.sources().end_of_chain(chain));
    const auto comes_after = [&](Txn t) {
      return t != source && (source == 0 || before_.has(t, source));
    };
    const auto first = std::partition_point(begin, end, [&](Txn t) { return !comes_after(t); });
    if (first != end && *first != read.reader) firsts.push_back(*first);
    begin = end;
  }
  for (const Txn first : firsts) {
    const bool follows = std::ranges::any_of(
        firsts, [&](Txn other) { return other != first && before_.has(first, other); });
    if (!follows) add_edge(event_[r], first);
  }
}

void Saturation::add_edge(std::uint32_t from, std::uint32_t to) {
  if (!added_.insert(std::uint64_t{from} << 32 | to).second) return;
  is_new_ = true;
  (from < p_.size() ? order_ : of_events_).push_back({from, to});
}

std::vector<Saturation::Narrowed> Saturation::narrowed() const {
  std::vector<Narrowed> result;
  for (std::uint32_t r = 0; r < left_.size(); ++r) {
    if (!left_[r].empty() && left_[r].size() < p_.candidates(p_.read(r)).size())
      result.push_back({r, left_[r]});
  }
  return result;
}

}  // namespace isoscope::visible
