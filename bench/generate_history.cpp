#include <cstdio>
#include <cstdlib>
#include <string>

#include "isoscope/check/check.h"
#include "isoscope/history/format.h"
#include "isoscope/store/run.h"
#include "unit.h"

/// How fast a large history is generated: bench_generate_history TRANSACTIONS
///
/// Runs this number of transactions of 20 operations of the general workload (20 sessions) on each
/// store, and writes the history in the native format into memory. A time is reported only if the
/// history has the right size, comes out the same twice, and its reads are valid (except for read
/// uncommitted, where they need not be). Times are in units of unit.h, for as many integers as
/// there are operations.

namespace {

using namespace isoscope;

constexpr std::size_t sessions = 20;
constexpr std::size_t operations_each = 20;

/// Nothing, if something is wrong with it; else the best time.
double measure(StoreKind store, std::size_t transactions) {
  RunPlan plan;
  plan.store = store;
  plan.workload.sessions = sessions;
  plan.workload.operations = operations_each;
  plan.workload.keys = 50'000;
  plan.transactions = transactions / sessions;
  double best = 1e9;
  std::string first;
  for (int i = 0; i < best_of; ++i) {
    std::string text;
    best = std::min(best, seconds_of([&] {
                      if (auto made = format_history(run(plan), Format::native)) text = *made;
                    }));
    if (i == 0) first = text;
    if (text.empty() || text != first) return 0;
  }
  const History history = run(plan);
  if (history.transaction_count() != plan.transactions * sessions) return 0;
  const Verdict verdict = check(history, {LevelId::valid_reads, true});
  if (verdict.answer != Answer::holds && store != StoreKind::read_uncommitted) return 0;
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const long transactions = argc == 2 ? std::atol(argv[1]) : 0;
  if (transactions < static_cast<long>(sessions)) {
    std::fprintf(stderr, "usage: bench_generate_history TRANSACTIONS (20 or more)\n");
    return 2;
  }
  const auto count = static_cast<std::size_t>(transactions);
  const double unit = seconds_of_a_unit(count * operations_each);
  std::printf("generate %zu transactions of %zu operations; best of %d; a unit is %.3f s\n", count,
              operations_each, best_of, unit);
  for (const StoreEntry& store : stores()) {
    const double seconds = measure(store.kind, count);
    if (seconds == 0) {
      std::fprintf(stderr, "%s: the history is not what was asked for\n",
                   std::string(store.name).c_str());
      return 1;
    }
    std::printf("generate %-27s %6.3f s  %5.2f units\n", std::string(store.name).c_str(), seconds,
                seconds / unit);
  }
  return 0;
}
