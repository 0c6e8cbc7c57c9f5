#include "check/visible/improve.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "check/visible/guess.h"
#include "isoscope/base/contract.h"

namespace isoscope::visible {

namespace {

/// Fewer wrong reads are hoped for in this many guesses.
constexpr int most_disappointments = 4;

class Improvement {
 public:
  Improvement(const Problem& problem, RowReads& rows, const RowOf& row_of, const Digraph& known,
              const strong::LikelyTimes& times, std::size_t few_enough, const Limits& limits)
      : p_(problem),
        known_(known),
        times_(times),
        few_enough_(few_enough),
        replay_(problem, rows, row_of, nothing_known_, limits) {
    for (Txn t = 0; t < p_.size(); ++t) {
      execution_.takes_part.push_back(p_.sources().certain(t) ? 1 : 0);
    }
  }

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> best = likely_order(p_, known_, times_, hints_);
    if (best.size() < known_.node_count()) return best;
    std::vector<std::uint32_t> order = best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (int disappointments = 0; disappointments < most_disappointments;) {
      const auto wrong = replay(order);
      if (!wrong) break;
      const bool is_better = wrong->size() < fewest;
      disappointments = is_better ? 0 : disappointments + 1;
      if (is_better) {
        fewest = wrong->size();
        best = order;
      }
      if (wrong->size() <= few_enough_ || !learn(*wrong)) break;
      order = likely_order(p_, known_, times_, hints_);
    }
    return best;
  }

 private:
  /// Nothing if a limit was reached.
  std::optional<std::vector<Misfit>> replay(std::span<const std::uint32_t> nodes) {
    ISOSCOPE_REQUIRE(nodes.size() == known_.node_count());  // or some never commit
    set_order(nodes, p_.size(), execution_);
    std::vector<Misfit> misfits;
    for (;;) {
      misfits.clear();
      const Replay::Result result = replay_.run(execution_, misfits);
      if (result.stopped) return std::nullopt;
      if (!result.made_reads) return misfits;
    }
  }

  /// Two transactions that should be the other way round.
  struct Swap {
    Txn first = 0;  ///< in the new order
    Txn second = 0;
    std::uint32_t distance = none;
  };

  void consider(Txn earlier, Txn later, Swap& best) const {
    const auto& place = execution_.place;
    if (earlier == 0 || place[later] - place[earlier] >= best.distance) return;
    const TransactionId first = p_.sources().id(earlier);
    const TransactionId second = p_.sources().id(later);
    // One that ended before the other began did not commit after it.
    if (times_.are_clocks() && times_.end(first) < times_.begin(second)) return;
    if (p_.in_session(earlier, later)) return;
    best = {later, earlier, place[later] - place[earlier]};
  }

  /// The swap that mends the read and is the smallest.
  Swap smallest_swap(const Misfit& misfit) const {
    Swap best;
    if (misfit.source == none) return best;
    consider(misfit.source, misfit.newer, best);
    for (const Hop& hop : misfit.way) {
      const bool is_choice = hop.kind == Hop::Kind::overwrite || hop.kind == Hop::Kind::earlier;
      if (is_choice) consider(hop.from, hop.to, best);
      if (hop.kind == Hop::Kind::antidependency) consider(hop.version, hop.to, best);
    }
    return best;
  }

  /// False if there is nothing to learn.
  bool learn(std::span<const Misfit> misfits) {
    bool is_new = false;
    for (const Misfit& misfit : misfits) {
      const Swap swap = smallest_swap(misfit);
      if (swap.first != 0) is_new |= hints_.add(swap.first, swap.second);
    }
    return is_new;
  }

  const Problem& p_;
  const Digraph& known_;
  const strong::LikelyTimes& times_;
  const std::size_t few_enough_;
  const KnownOrders nothing_known_;
  Replay replay_;
  Hints hints_;
  Execution execution_;
};

}  // namespace

std::vector<std::uint32_t> improved_order(const Problem& problem, RowReads& rows,
                                          const RowOf& row_of, const Digraph& known,
                                          const strong::LikelyTimes& times, std::size_t few_enough,
                                          const Limits& limits) {
  return Improvement(problem, rows, row_of, known, times, few_enough, limits).run();
}

}  // namespace isoscope::visible
