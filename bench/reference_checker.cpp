#include "reference/reference_checker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "reference/execution_search.h"
#include "reference/random_history.h"

/// How many small histories the reference checker decides in a second: bench_reference_checker
/// COUNT
///
/// Makes COUNT random histories of four transactions with duplicate values and sessions, and
/// decides each at serializable and at snapshot isolation, and all levels at once for histories of
/// four to six transactions with everything in them. Every verdict at the two levels is compared
/// with a search for an execution without forbidden cycles before a rate is reported. Processor
/// time, one core.

namespace {

using namespace isoscope;
using reference::acyclic;
using reference::Execution;
using reference::LevelSet;
using reference::Relation;

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::vector<History> make_histories(int count, const reference::RandomFeatures& features) {
  Random random(1);
  std::vector<History> histories;
  for (int i = 0; i < count; ++i) histories.push_back(reference::random_history(random, features));
  return histories;
}

/// By Cerone and Gotsman, PODC 2016: serializable without a cycle, snapshot isolation without a
/// cycle in which no two anti-dependencies are adjacent.
bool by_dependency_graph(const History& history, LevelId level) {
  const reference::Judge judge = [&](const Execution& e, LevelSet levels) {
    const Relation seen = e.so | e.wr | e.ww;
    const Relation edges = level == LevelId::serializable ? seen | e.rw : seen | seen * e.rw;
    return acyclic(edges) ? levels : LevelSet();
  };
  const reference::Scenario scenario(history, {}, {}, 0);
  return !search_executions(scenario, {level}, judge).empty();
}

bool measure_level(const std::vector<History>& histories, LevelId level) {
  std::vector<bool> verdicts;
  const std::clock_t start = std::clock();
  for (const History& history : histories) {
    verdicts.push_back(reference::satisfies(history, {level}));
  }
  const double seconds = seconds_since(start);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    if (verdicts[i] == by_dependency_graph(histories[i], level)) continue;
    std::fprintf(stderr, "wrong verdict: %s", reference::text_of(histories[i]).c_str());
    return false;
  }
  const auto holds = std::count(verdicts.begin(), verdicts.end(), true);
  std::printf("reference, 4 transactions, %-18s %8.0f histories per second (%td of %zu hold)\n",
              std::string(name_of(level)).c_str(), static_cast<double>(histories.size()) / seconds,
              holds, histories.size());
  return true;
}

void measure_all_levels(int transactions, int count) {
  std::vector<Level> all;
  for (const LevelEntry& row : levels()) {
    all.push_back({row.id, true});
    all.push_back({row.id, false});
  }
  const std::vector<History> histories = make_histories(
      count, {.least_transactions = transactions, .most_transactions = transactions});
  double slowest = 0;
  const std::clock_t start = std::clock();
  for (const History& history : histories) {
    const std::clock_t one = std::clock();
    reference::satisfied(history, all);
    slowest = std::max(slowest, seconds_since(one));
  }
  std::printf(
      "reference, %d transactions, all %zu levels at once: %.3f ms a history, at most %.1f\n",
      transactions, all.size(), seconds_since(start) * 1e3 / count, slowest * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc == 2 ? std::atoi(argv[1]) : 0;
  if (count < 10) {
    std::fprintf(stderr, "usage: bench_reference_checker COUNT (10 or more)\n");
    return 2;
  }
  const std::vector<History> histories = make_histories(count, {.least_transactions = 4,
                                                                .outcomes = false,
                                                                .times = false,
                                                                .lists = false,
                                                                .predicates = false});
  for (const LevelId level : {LevelId::serializable, LevelId::snapshot_isolation}) {
    if (!measure_level(histories, level)) return 1;
  }
  for (const int transactions : {4, 5, 6}) measure_all_levels(transactions, count / 10);
  return 0;
}
