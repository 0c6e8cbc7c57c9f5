// Definitions of the same level from different papers, which must agree on random histories:
// - dependency graphs (Cerone, Gotsman, PODC 2016) on all executions;
// - axioms on a commit order and reads-from (Biswas, Enea, OOPSLA 2019);
// - axioms on visibility and arbitration (Cerone, Bernardi, Gotsman, CONCUR 2015).
// The searches must also find the same without leaving out what looks hopeless.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "reference/definitions.h"
#include "reference/execution_search.h"
#include "reference/random_history.h"
#include "reference/reference_checker.h"
#include "reference/replay.h"
#include "test_scale.h"

namespace isoscope::reference {
namespace {

using enum LevelId;
using Read = Scenario::Read;

/// A condition on scenarios, made one on histories.
template <class Condition>
bool for_some_outcomes(const History& history, bool session_order, const Condition& condition) {
  return std::ranges::any_of(all_scenarios(history, {session_order}, 0), [&](const Scenario& s) {
    return s.consistent_inside && condition(s);
  });
}

/// Is the condition true of some execution?
template <class Condition>
bool some_execution(const Scenario& scenario, const Condition& condition) {
  const Judge judge = [&](const Execution& execution, LevelSet level) {
    return condition(execution) ? level : LevelSet();
  };
  return !search_executions(scenario, {valid_reads}, judge).empty();
}

Relation dependencies(const Execution& e) { return e.so | e.wr | e.ww; }

/// All orders of the transactions that contain session order, each with the versions of every key.
class CommitOrder {
 public:
  explicit CommitOrder(const Scenario& scenario) : s_(scenario) {
    for (int t = 1; t < s_.size; ++t) order_.push_back(t);
  }

  template <class Condition>
  bool some(const Condition& condition) {
    do {
      Relation order;
      for (const int t : order_) order.add(0, t);
      for (std::size_t i = 0; i < order_.size(); ++i) {
        for (std::size_t j = i + 1; j < order_.size(); ++j) order.add(order_[i], order_[j]);
      }
      if ((order | s_.so) != order) continue;
      versions_.assign(static_cast<std::size_t>(s_.keys), {0});
      for (const int t : order_) {
        for (const Execution::Write& write : s_.writes) {
          if (write.writer == t) versions_[write.key].push_back(t);
        }
      }
      if (condition(order)) return true;
    } while (std::next_permutation(order_.begin(), order_.end()));
    return false;
  }

  const std::vector<int>& versions(int key) const { return versions_[key]; }

 private:
  const Scenario& s_;
  std::vector<int> order_;
  std::vector<std::vector<int>> versions_;
};

/// Biswas and Enea: all levels have the form "if t3 reads x from t1, t2 writes x too, and
/// phi(t2, t3), then t2 comes before t1 in the commit order".
class BiswasEnea {
 public:
  explicit BiswasEnea(const Scenario& scenario) : s_(scenario), orders_(scenario) {}

  bool satisfied(LevelId level) {
    return orders_.some([&](const Relation& co) {
      sources_.clear();
      wr_ = {};
      return choose(level, co);
    });
  }

 private:
  bool choose(LevelId level, const Relation& co) {
    if (sources_.size() == s_.reads.size()) return axiom(level, co);
    const Read& read = s_.reads[sources_.size()];
    const Set accepted = s_.accepted(read, orders_.versions(read.key));
    for (int t = 0; t < s_.size; ++t) {
      if (!has(accepted, t) || !co.holds(t, read.reader)) continue;
      const Relation before = wr_;
      sources_.push_back(t);
      wr_.add(t, read.reader);
      if (choose(level, co)) return true;
      sources_.pop_back();
      wr_ = before;
    }
    return false;
  }

  bool axiom(LevelId level, const Relation& co) const {
    for (std::size_t i = 0; i < s_.reads.size(); ++i) {
      const int t1 = sources_[i];
      const Read& read = s_.reads[i];
      for (const int t2 : orders_.versions(read.key)) {
        if (t1 == t2 || t2 == read.reader || !co.holds(t1, t2)) continue;
        if (phi(level, co, t2, i)) return false;
      }
    }
    return true;
  }

  bool phi(LevelId level, const Relation& co, int t2, std::size_t i) const {
    const Read& read = s_.reads[i];
    const int t3 = read.reader;
    switch (level) {
      case read_committed:
        for (std::size_t j = 0; j < i; ++j) {
          const Read& other = s_.reads[j];
          if (other.reader == t3 && other.place < read.place && sources_[j] == t2) return true;
        }
        return false;
      case read_atomic:
        return (s_.so | wr_).holds(t2, t3);
      case causal:
        return closure(s_.so | wr_).holds(t2, t3);
      case prefix_consistency:
        return prefix(co, t2, t3);
      case snapshot_isolation:
        return prefix(co, t2, t3) || conflict(co, t2, t3);
      case serializable:
        return co.holds(t2, t3);
      default:
        return false;
    }
  }

  bool prefix(const Relation& co, int t2, int t3) const {
    const Relation seen = s_.so | wr_;
    return (seen | co * seen).holds(t2, t3);
  }

  bool conflict(const Relation& co, int t2, int t3) const {
    for (const Execution::Write& write : s_.writes) {
      if (write.writer != t3) continue;
      for (const int t4 : orders_.versions(write.key)) {
        if (co.holds(t4, t3) && (t4 == t2 || co.holds(t2, t4))) return true;
      }
    }
    return false;
  }

  const Scenario& s_;
  CommitOrder orders_;
  std::vector<int> sources_;  // of the reads so far
  Relation wr_;
};

/// Cerone, Bernardi and Gotsman: some arbitration order and some visibility inside it, which
/// contains session order, such that every read returns the last visible version.
class Cerone {
 public:
  explicit Cerone(const Scenario& scenario) : s_(scenario), orders_(scenario) {}

  bool satisfied(LevelId level) {
    return orders_.some([&](const Relation& ar) {
      std::vector<std::pair<int, int>> free;
      for (int a = 1; a < s_.size; ++a) {
        for (int b = 1; b < s_.size; ++b) {
          if (ar.holds(a, b) && !s_.so.holds(a, b)) free.push_back({a, b});
        }
      }
      for (std::uint32_t bits = 0; bits < (1u << free.size()); ++bits) {
        Relation vis = s_.so;
        for (std::size_t i = 0; i < free.size(); ++i) {
          if ((bits >> i & 1) != 0) vis.add(free[i].first, free[i].second);
        }
        if (axioms(level, ar, vis) && external(vis)) return true;
      }
      return false;
    });
  }

 private:
  static bool within(const Relation& a, const Relation& b) { return (a | b) == b; }

  bool axioms(LevelId level, const Relation& ar, const Relation& vis) const {
    const bool transitive = within(vis * vis, vis);
    const bool prefix = within(ar * vis, vis);
    switch (level) {
      case read_atomic:
        return true;
      case update_atomic:
        return no_conflict(vis);
      case causal:
        return transitive;
      case parallel_snapshot_isolation:
        return transitive && no_conflict(vis);
      case prefix_consistency:
        return prefix;
      case snapshot_isolation:
        return prefix && no_conflict(vis);
      case serializable:
        return vis == ar;
      default:
        return false;
    }
  }

  bool no_conflict(const Relation& vis) const {
    for (const Execution::Write& a : s_.writes) {
      for (const Execution::Write& b : s_.writes) {
        const bool both_write = a.key == b.key && a.writer != b.writer;
        if (both_write && !vis.holds(a.writer, b.writer) && !vis.holds(b.writer, a.writer))
          return false;
      }
    }
    return true;
  }

  bool external(const Relation& vis) const {
    return std::ranges::all_of(s_.reads, [&](const Read& read) {
      int last = 0;
      for (const int t : orders_.versions(read.key)) {
        if (vis.holds(t, read.reader)) last = t;
      }
      return has(s_.accepted(read, orders_.versions(read.key)), last);
    });
  }

  const Scenario& s_;
  CommitOrder orders_;
};

const RandomFeatures kinds[] = {{.lists = false, .predicates = false, .initial = false},
                                {.keys = 2, .predicates = false},
                                {.keys = 2, .lists = false},
                                {}};

/// Tries histories of all kinds, with session order and without.
template <class Compare>
void compare_on_random_histories(std::uint64_t seed, int histories, const Compare& compare) {
  Random random(seed);
  for (int i = 0; i < histories * test_scale(); ++i) {
    const History history = random_history(random, kinds[i % 4]);
    for (const bool session_order : {true, false}) {
      compare(history, session_order);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(ReferenceEquivalence, DependencyGraphs) {
  std::map<LevelId, int> holds;
  compare_on_random_histories(11, 10'000, [&](const History& history, bool session_order) {
    const auto expect_same = [&](LevelId level, const auto& condition) {
      const bool by_graph = for_some_outcomes(
          history, session_order, [&](const Scenario& s) { return some_execution(s, condition); });
      const bool slow = satisfies(history, {level, session_order});
      ASSERT_EQ(slow, by_graph) << text_of(history) << text_of(Level{level, session_order});
      holds[level] += slow;
    };
    expect_same(serializable, [](const Execution& e) { return acyclic(dependencies(e) | e.rw); });
    expect_same(snapshot_isolation, [](const Execution& e) {
      return acyclic(dependencies(e) | dependencies(e) * e.rw);
    });
    expect_same(prefix_consistency, [](const Execution& e) {
      const Relation seen = e.so | e.wr;
      return acyclic(seen | seen * e.rw | e.ww);
    });
    expect_same(strict_serializable,
                [](const Execution& e) { return acyclic(dependencies(e) | e.rw | e.real_time); });
    expect_same(strong_snapshot_isolation, [](const Execution& e) {
      const Relation seen = dependencies(e) | e.real_time;
      return acyclic(seen | seen * e.rw);
    });
  });
  for (const auto& [level, count] : holds) EXPECT_GT(count, 2000) << name_of(level);
}

TEST(ReferenceEquivalence, AxiomsOnCommitOrders) {
  std::map<LevelId, int> holds;
  compare_on_random_histories(12, 10'000, [&](const History& history, bool session_order) {
    for (const LevelId level : {read_committed, read_atomic, causal, prefix_consistency,
                                snapshot_isolation, serializable}) {
      const bool by_axioms = for_some_outcomes(history, session_order, [&](const Scenario& s) {
        return BiswasEnea(s).satisfied(level);
      });
      const bool slow = satisfies(history, {level, session_order});
      ASSERT_EQ(slow, by_axioms) << text_of(history) << text_of(Level{level, session_order});
      holds[level] += slow;
    }
  });
  for (const auto& [level, count] : holds) EXPECT_GT(count, 2000) << name_of(level);
}

TEST(ReferenceEquivalence, AxiomsOnVisibility) {
  std::map<LevelId, int> holds;
  compare_on_random_histories(13, 5'000, [&](const History& history, bool session_order) {
    for (const LevelId level : {read_atomic, update_atomic, causal, parallel_snapshot_isolation,
                                prefix_consistency, snapshot_isolation, serializable}) {
      const bool by_axioms = for_some_outcomes(
          history, session_order, [&](const Scenario& s) { return Cerone(s).satisfied(level); });
      const bool slow = satisfies(history, {level, session_order});
      ASSERT_EQ(slow, by_axioms) << text_of(history) << text_of(Level{level, session_order});
      holds[level] += slow;
    }
  });
  for (const auto& [level, count] : holds) EXPECT_GT(count, 1000) << name_of(level);
}

TEST(ReferenceEquivalence, NothingIsDroppedTooEarly) {
  compare_on_random_histories(14, 2'000, [&](const History& history, bool session_order) {
    for_some_outcomes(history, session_order, [&](const Scenario& s) {
      const auto judge = [](const Execution& execution, LevelSet levels) {
        return Definitions(execution).satisfied(levels);
      };
      const auto only_at_the_end = [&](const Execution& execution, LevelSet levels) {
        const bool complete =
            execution.reads.size() == s.reads.size() && execution.writes.size() == s.writes.size();
        return complete ? judge(execution, levels) : levels;
      };
      LevelSet all;
      for (const LevelEntry& row : levels()) all.add(row.id);
      all = all - replayed_levels();
      EXPECT_EQ(search_executions(s, all, judge), search_executions(s, all, only_at_the_end))
          << text_of(history);
      return false;
    });
  });
}

}  // namespace
}  // namespace isoscope::reference
