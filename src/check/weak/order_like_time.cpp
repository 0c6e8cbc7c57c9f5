#include "check/weak/order_like_time.h"

#include <deque>

#include "isoscope/base/contract.h"
#include "isoscope/base/groups.h"

namespace isoscope::weak {

namespace {

class Scheduler {
 public:
  Scheduler(const KnownSources& sources, std::span<const KnownEdge> edges, std::size_t points)
      : sources_(sources), waits_for_(sources.size() + points, 0), followers_(edges, waits_for_) {
    // Whatever waits for a transaction is listed with it, and what it waits for is counted.
    for (Txn t = 1; t < sources.size(); ++t) {
      if (sources.follows_in_chain(t)) ++waits_for_[t];
      for (const Read& read : sources.reads_of(t)) {
        if (read.source != 0 && read.source != open_source) ++waits_for_[t];
      }
    }
    open_is_met_.assign(sources.open_reads().size(), 0);
    for (std::size_t i = 0; i < sources.open_reads().size(); ++i) {
      const auto& open = sources.open_reads()[i];
      if (sources.reads()[open.read].source != open_source) continue;  // chosen meanwhile
      for (const Txn candidate : sources.candidates(open)) {
        if (candidate == 0) open_is_met_[i] = 1;
      }
      if (open_is_met_[i] == 0) ++waits_for_[reader_of(open.read)];
    }
    readers_ = Readers(sources);
  }
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  std::vector<Txn> run() {
    // The first of each chain, then whatever becomes ready: chains advance in turns.
    for (std::uint32_t node = 1; node < waits_for_.size(); ++node) {
      if (waits_for_[node] == 0) ready_.push_back(node);
    }
    std::vector<Txn> order;
    order.reserve(sources_.size());
    while (!ready_.empty()) {
      const std::uint32_t node = ready_.front();
      ready_.pop_front();
      for (const std::uint32_t next : followers_.of(node)) meet(next);
      if (node >= sources_.size()) continue;
      order.push_back(node);
      const bool goes_on = node + 1 < sources_.size() && sources_.follows_in_chain(node + 1);
      if (goes_on) meet(node + 1);
      for (const std::uint32_t reader : readers_.of(node)) meet(reader);
      for (const std::uint32_t open : readers_.open_of(node)) {
        if (open_is_met_[open] != 0) continue;
        open_is_met_[open] = 1;
        meet(reader_of(sources_.open_reads()[open].read));
      }
    }
    ISOSCOPE_ENSURE(order.size() < sources_.size());  // none is there twice
    return order;
  }

 private:
  /// The edges by where they start. What they lead to waits for them.
  class Followers : public Groups<> {
   public:
    Followers(std::span<const KnownEdge> edges, std::vector<std::uint32_t>& waits_for)
        : Groups(waits_for.size(), [&](const auto& visit) {
            for (const KnownEdge& edge : edges) {
              if (edge.from != 0) visit(edge.from, edge.to);
            }
          }) {
      for (const KnownEdge& edge : edges) {
        if (edge.from != 0) ++waits_for[edge.to];
      }
    }
  };

  /// By source: the readers, once for each read, and the open reads.
  class Readers : public Groups<> {
   public:
    Readers() = default;
    explicit Readers(const KnownSources& sources)
        : Groups(sources.size(),
                 [&](const auto& visit) {
                   for (Txn t = 1; t < sources.size(); ++t) {
                     for (const Read& read : sources.reads_of(t)) {
                       if (read.source != 0 && read.source != open_source) visit(read.source, t);
                     }
                   }
                 }),
          open_(sources.size(), [&](const auto& visit) {
            for (std::uint32_t i = 0; i < sources.open_reads().size(); ++i) {
              const auto& open = sources.open_reads()[i];
              if (sources.reads()[open.read].source != open_source) continue;
              for (const Txn candidate : sources.candidates(open)) visit(candidate, i);
            }
          }) {}
    std::span<const std::uint32_t> open_of(Txn source) const { return open_.of(source); }

   private:
    Groups<> open_;
  };

  Txn reader_of(std::uint32_t read) const { return sources_.reader_of(read); }

  void meet(std::uint32_t node) {
    ISOSCOPE_REQUIRE(waits_for_[node] > 0);  // or it would come before what it waits for
    if (--waits_for_[node] == 0) ready_.push_back(node);
  }

  const KnownSources& sources_;
  std::vector<std::uint32_t> waits_for_;  // by node: how many things
  Followers followers_;
  Readers readers_;
  std::vector<std::uint8_t> open_is_met_;  // by open read
  std::deque<std::uint32_t> ready_;
};

}  // namespace

std::vector<Txn> order_like_time(const KnownSources& sources, std::span<const KnownEdge> edges,
                                 std::size_t points) {
  return Scheduler(sources, edges, points).run();
}

}  // namespace isoscope::weak
