#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "every_structure.h"
#include "isoscope/check/check.h"
#include "isoscope/history/litmus_text.h"
#include "isoscope/spec/evaluate.h"
#include "isoscope/synth/synthesize.h"
#include "shipped.h"
#include "test_scale.h"

// The fast checkers are held to the texts: a level that `isoscope check` decides allows exactly the
// histories for which the evaluator finds an execution by trying them all.

namespace isoscope::synth {
namespace {

using spec::Definition;
using spec::Structure;

struct Decided {
  LevelId level;
  Definition definition;
};

std::vector<Decided> decided_levels() {
  return {{LevelId::serializable, shipped("biswas-enea/SER")},
          {LevelId::snapshot_isolation, shipped("biswas-enea/SI")},
          {LevelId::strict_serializable, shipped("strict/strict-serializable")},
          {LevelId::strong_snapshot_isolation, shipped("strict/strong-snapshot-isolation")}};
}

bool is_real_time(LevelId level) { return entry_of(level).kind == LevelKind::real_time; }

// Without session order the initial transaction is still before all others.
Structure without_sessions(Structure history) {
  history.so = spec::empty_structure(history.transactions - 1, history.keys).so;
  return history;
}

std::string text_of(const History& history) {
  std::string text;
  for (std::uint32_t t = 0; t < history.transaction_count(); ++t)
    text += transaction_text(history, TransactionId(t)) + "\n";
  return text;
}

class Agreement {
 public:
  /// Compares at every decided level, with session order and without.
  void compare(const Structure& structure, bool timed) {
    const History history = history_of(structure, timed);
    for (const Decided& decided : levels_) {
      if (is_real_time(decided.level) != timed) continue;
      for (const bool session_order : {true, false}) {
        const Structure seen = session_order ? structure : without_sessions(structure);
        const bool allowed = find_execution(decided.definition, seen).has_value();
        const Verdict verdict = check(history, {decided.level, session_order});
        ASSERT_EQ(verdict.answer, allowed ? Answer::holds : Answer::violated)
            << decided.definition.name << (session_order ? "" : " without session order") << "\n"
            << text_of(history);
        ++(allowed ? allowed_ : forbidden_)[decided.definition.name];
      }
    }
  }

  void expect_both_at_every_level(bool timed, std::size_t least) {
    for (const Decided& decided : levels_) {
      if (is_real_time(decided.level) != timed) continue;
      EXPECT_GE(allowed_[decided.definition.name], least) << decided.definition.name;
      EXPECT_GE(forbidden_[decided.definition.name], least) << decided.definition.name;
    }
  }

 private:
  std::vector<Decided> levels_ = decided_levels();
  std::map<std::string, std::size_t> allowed_, forbidden_;
};

TEST(Agreement, OnEveryHistoryOfThreeTransactionsAndTwoKeys) {
  Agreement agreement;
  std::set<std::vector<std::uint64_t>> seen;
  for_each_structure(
      3, 2,
      [&](const Structure& history) {
        if (testing::Test::HasFatalFailure()) return;
        // Only one of the histories that differ only in names is compared.
        if (!seen.insert(canonical_facts(history)).second) return;
        agreement.compare(history, false);
      },
      false);
  agreement.expect_both_at_every_level(false, 1000);
}

// All ways in which up to three transactions can be before each other in real time, if each session
// runs one after the other.
std::vector<spec::Matrix> real_time_orders(const Structure& history) {
  const std::size_t n = history.transactions;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 1; j < n; ++j)
      if (i != j) pairs.emplace_back(i, j);
  std::vector<spec::Matrix> result;
  for (std::uint64_t set = 0; set < std::uint64_t{1} << pairs.size(); ++set) {
    spec::Matrix rt = spec::empty_structure(n - 1, history.keys).rt;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if ((set >> i & 1) != 0) rt.add(pairs[i].first, pairs[i].second);
    bool fits = true;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        fits = fits && (!history.so.has(a, b) || rt.has(a, b));
        fits = fits && !(rt.has(a, b) && rt.has(b, a));
        for (std::size_t c = 0; c < n; ++c)
          fits = fits && (!rt.has(a, b) || !rt.has(b, c) || rt.has(a, c));
      }
    if (fits) result.push_back(rt);
  }
  return result;
}

// The full run tries every real-time order; otherwise each history gets one of them, in turn.
TEST(Agreement, OnEveryHistoryInRealTime) {
  Agreement agreement;
  std::set<std::vector<std::uint64_t>> seen;
  std::size_t turn = 0;
  for_each_structure(
      3, 2,
      [&](const Structure& untimed) {
        if (testing::Test::HasFatalFailure()) return;
        if (!seen.insert(canonical_facts(untimed)).second) return;
        const std::vector<spec::Matrix> orders = real_time_orders(untimed);
        for (std::size_t i = 0; i < orders.size(); ++i) {
          if (test_scale() == 1 && i != turn % orders.size()) continue;
          Structure history = untimed;
          history.rt = orders[i];
          agreement.compare(history, true);
        }
        ++turn;
      },
      false);
  agreement.expect_both_at_every_level(true, 1000);
}

// All smallest histories that one level allows and another forbids, of whatever framework.
TEST(Agreement, OnTheBoundariesBetweenLevels) {
  Agreement agreement;
  std::vector<Definition> levels;
  for (const char* name :
       {"biswas-enea/RC", "biswas-enea/RA", "biswas-enea/CC", "biswas-enea/PC", "biswas-enea/SI",
        "biswas-enea/SER", "biswas-enea/UpdateSer", "cerone/UA", "cerone/NLU", "cerone/PSI",
        "adya/PL-2", "adya/PL-2+", "adya/PL-SI", "adya/PL-3", "plume/TapRA", "session/RYW",
        "session/MR", "strict/strict-serializable", "strict/strong-snapshot-isolation"})
    levels.push_back(shipped(name));
  std::size_t histories = 0;
  for (const Definition& allow : levels) {
    for (const Definition& forbid : levels) {
      Limits limits;
      Progress progress;
      const AllFound all =
          find_all_smallest({{&allow}, {&forbid}}, {.transactions = 3, .keys = 2, .values = 4}, {},
                            20, limits, progress);
      for (const Found& found : all.found) {
        ++histories;
        agreement.compare(found.history, false);
        agreement.compare(found.history, true);
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << allow.name << " | " << forbid.name;
      }
    }
  }
  EXPECT_GT(histories, 300u);
}

}  // namespace
}  // namespace isoscope::synth
