#include <algorithm>

#include "check/weak/causal_clocks.h"
#include "check/weak/forced_edges.h"

namespace isoscope::weak {

namespace {

/// The writers of each key, as places in an order of all transactions.
class WritersByPlace {
 public:
  WritersByPlace(const KnownSources& sources, std::span<const Txn> order)
      : starts_(sources.history().key_count() + 2, 0), places_(sources.write_count()) {
    const auto for_each = [&](const auto& visit) {
      for (std::uint32_t place = 0; place < order.size(); ++place) {
        for (const KeyId key : sources.written_by(order[place])) visit(key, place);
      }
    };
    for_each([&](KeyId key, std::uint32_t) { ++starts_[key.index() + 2]; });
    for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    for_each([&](KeyId key, std::uint32_t place) { places_[starts_[key.index() + 1]++] = place; });
  }
  std::span<const std::uint32_t> of(KeyId key) const {
    return std::span(places_).subspan(starts_[key.index()],
                                      starts_[key.index() + 1] - starts_[key.index()]);
  }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> places_;
};

/// Finds, for every read, the writers of its key that the reader's past has and the source's past
/// has not. Every transaction before a certain place of the order is in the past of a given one;
/// beyond that place and before the reader there are few. So what is asked for lies in a small
/// window of the key's writers.
class Causes {
 public:
  Causes(const KnownSources& sources, std::span<const Txn> order)
      : sources_(sources),
        order_(order),
        place_(sources.size(), 0),
        known_before_(sources.size(), 0),
        writers_(sources, order),
        clocks_(sources) {
    for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
  }

  std::optional<StopReason> run(const Limits& limits, ForcedEdges& into) {
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      if (const auto reason = limits.reached()) return reason;
      if (i + 1 < order_.size()) clocks_.prefetch(order_[i + 1]);
      const Txn t = order_[i];
      clocks_.make(t);
      for (std::uint32_t r = sources_.first_read(t); r < sources_.first_read(t + 1); ++r) {
        look_at(t, r, into);
      }
      clocks_.made(t);
      known_before_[t] = first_unknown(t);
      clocks_.pass(t);
    }
    return std::nullopt;
  }

 private:
  void look_at(Txn reader, std::uint32_t index, ForcedEdges& into) {
    const Read& read = sources_.reads()[index];
    if (read.source == open_source) return;
    const auto writers = writers_.of(read.key);
    auto at = std::ranges::lower_bound(writers, known_before_[read.source]);
    for (; at != writers.end() && *at < place_[reader]; ++at) {
      const Txn writer = order_[*at];
      if (writer == read.source || !clocks_.knows(reader, writer)) continue;
      if (!clocks_.knows(read.source, writer)) into.add(writer, read.source, reader, index);
    }
  }

  /// The first place of the order whose transaction is not in the past of `t`, nor `t` itself.
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
  std::vector<std::uint32_t> place_;         // by transaction
  std::vector<std::uint32_t> known_before_;  // by transaction: see first_unknown
  WritersByPlace writers_;
  CausalClocks clocks_;
};

}  // namespace

std::optional<StopReason> follow_causes(const KnownSources& sources, std::span<const Txn> order,
                                        const Limits& limits, ForcedEdges& into) {
  return Causes(sources, order).run(limits, into);
}

}  // namespace isoscope::weak
