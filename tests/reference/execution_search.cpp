#include "reference/execution_search.h"

#include <algorithm>
#include <bit>

namespace isoscope::reference {
namespace {

using Read = Scenario::Read;
using Write = Execution::Write;

class Search {
 public:
  Search(const Scenario& scenario, const Judge& judge) : s_(scenario), judge_(judge) {}

  LevelSet run(LevelSet levels) {
    levels = judged(nothing_yet(), levels);
    for (int key = 0; key < s_.keys; ++key) {
      good_orders_.push_back(orders_alone(key, levels));
      LevelSet possible;
      for (const Order& order : good_orders_.back()) possible = possible | order.levels;
      levels = levels & possible;
    }
    order_keys(nothing_yet(), 0, {}, levels);
    return found_;
  }

 private:
  struct Choice {
    const Read* read;
    Set accepted;
  };

  /// An order of the versions of a key.
  struct Order {
    std::vector<Write> versions;
    std::vector<Execution::Read> forced;  // the reads of the key that accept only one of these
    std::vector<Choice> open;             // the others
    LevelSet levels;                      // not violated by this key alone

    void add_to(Execution& execution) const {
      for (const Write& write : versions) execution.add_version(write);
      for (const Execution::Read& read : forced) execution.add_read(read);
    }
  };

  Execution nothing_yet() const { return Execution(s_.size, s_.keys, s_.so, s_.real_time); }

  LevelSet judged(const Execution& execution, LevelSet levels) const {
    return levels.empty() ? levels : judge_(execution, levels);
  }

  static Execution::Read with_source(const Read& read, int source) {
    return {read.reader, read.place, read.key, source, read.item, read.base};
  }

  /// The orders of the key's versions that violate not all levels already.
  std::vector<Order> orders_alone(int key, LevelSet levels) const {
    std::vector<Write> versions;
    for (const Write& write : s_.writes) {
      if (write.key == key) versions.push_back(write);
    }
    const auto by_writer = [](const Write& a, const Write& b) { return a.writer < b.writer; };
    std::sort(versions.begin(), versions.end(), by_writer);
    std::vector<Order> good;
    do {
      if (!is_as_assumed(key, versions)) continue;
      Order order{versions, {}, {}, {}};
      if (!sort_reads(key, order)) continue;
      Execution alone = nothing_yet();
      order.add_to(alone);
      order.levels = judged(alone, levels);
      if (!order.levels.empty()) good.push_back(order);
    } while (std::next_permutation(versions.begin(), versions.end(), by_writer));
    return good;
  }

  bool is_as_assumed(int key, const std::vector<Write>& versions) const {
    if (s_.assumed.empty()) return true;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (s_.assumed[key].holds(versions[i].writer, versions[j].writer)) return false;
      }
    }
    return true;
  }

  /// False if there is a read that accepts none of the versions.
  bool sort_reads(int key, Order& order) const {
    std::vector<int> writers = {0};
    for (const Write& write : order.versions) writers.push_back(write.writer);
    for (const Read& read : s_.reads) {
      if (read.key != key) continue;
      const Set accepted = s_.accepted(read, writers);
      if (accepted == 0) return false;
      if (std::has_single_bit(accepted)) {
        order.forced.push_back(with_source(read, std::countr_zero(accepted)));
      } else {
        order.open.push_back({&read, accepted});
      }
    }
    return true;
  }

  /// Gives the keys from `key` on an order of versions, and then the open reads their sources.
  void order_keys(const Execution& execution, int key, std::vector<Choice> open, LevelSet levels) {
    levels = levels - found_;
    if (levels.empty()) return;
    if (key == s_.keys) {
      std::ranges::stable_sort(open, {}, [](const Choice& c) { return std::popcount(c.accepted); });
      choose_sources(execution, open, 0, levels);
      return;
    }
    for (const Order& order : good_orders_[key]) {
      Execution more = execution;
      order.add_to(more);
      std::vector<Choice> more_open = open;
      more_open.insert(more_open.end(), order.open.begin(), order.open.end());
      order_keys(more, key + 1, more_open, judged(more, (levels & order.levels) - found_));
    }
  }

  void choose_sources(const Execution& execution, const std::vector<Choice>& open, std::size_t next,
                      LevelSet levels) {
    levels = levels - found_;
    if (levels.empty()) return;
    if (next == open.size()) {
      found_ = found_ | levels;
      return;
    }
    for (int source = 0; source < s_.size; ++source) {
      if (!has(open[next].accepted, source)) continue;
      Execution more = execution;
      more.add_read(with_source(*open[next].read, source));
      choose_sources(more, open, next + 1, judged(more, levels - found_));
    }
  }

  const Scenario& s_;
  const Judge& judge_;
  std::vector<std::vector<Order>> good_orders_;  // by key
  LevelSet found_;
};

}  // namespace

LevelSet search_executions(const Scenario& scenario, LevelSet levels, const Judge& judge) {
  if (!scenario.consistent_inside) return {};
  return Search(scenario, judge).run(levels);
}

}  // namespace isoscope::reference
