#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "child.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/random.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history_builder.h"
#include "unit.h"

/// How fast a large history is read: bench_read_history FOLDER TRANSACTIONS
///
/// Makes a history of that many transactions of 20 operations, writes it into FOLDER in two
/// formats, and reads each file five times. A time is reported only after everything that was read
/// is compared with what was made. Times are given in units, the time std::sort takes in the same
/// run for as many random 64-bit integers as the history has operations, so that figures of
/// different machines can be compared. Every step runs in a process of its own, so that its peak
/// memory is its own.

namespace {

using namespace isoscope;

constexpr std::size_t operations_each = 20;
constexpr std::size_t sessions = 20;
constexpr std::int64_t keys = 50'000;
constexpr int runs = best_of;

/// The operations of a run of a correct store, one transaction after the other: each writes a new
/// value or reads the key's latest one. The same every time.
class Workload {
 public:
  struct Step {
    OperationKind kind;
    std::int64_t key;
    std::int64_t value;
  };

  Step next() {
    const auto key = static_cast<std::int64_t>(random_.below(keys));
    std::int64_t& latest = latest_[static_cast<std::size_t>(key)];
    if (random_.chance(50)) return {OperationKind::read, key, latest};
    latest = ++written_;
    return {OperationKind::write, key, latest};
  }

 private:
  Random random_{1};
  std::vector<std::int64_t> latest_ = std::vector<std::int64_t>(keys, 0);
  std::int64_t written_ = 0;
};

History make_history(std::size_t transactions) {
  HistoryBuilder builder;
  builder.set_initial_default(builder.values().integer(0));
  std::vector<SessionId> ids;
  for (std::size_t s = 0; s < sessions; ++s) ids.push_back(builder.add_session());
  Workload workload;
  for (std::size_t t = 0; t < transactions; ++t) {
    builder.begin_transaction(ids[t % sessions]);
    for (std::size_t i = 0; i < operations_each; ++i) {
      const Workload::Step step = workload.next();
      builder.add(step.kind, builder.key(step.key), builder.values().integer(step.value));
    }
  }
  return std::move(builder).finish();
}

/// Is this what make_history() made? Names of sessions and transactions may differ: not every
/// format has them.
bool is_the_history(const History& history, std::size_t transactions) {
  if (history.transaction_count() != transactions) return false;
  if (history.operation_count() != transactions * operations_each) return false;
  if (history.session_count() != sessions) return false;
  const ValuePool& values = history.values();
  Workload workload;
  for (std::size_t t = 0; t < transactions; ++t) {
    const SessionId session(t % sessions);
    if (history.session(session).size() <= t / sessions) return false;
    const TransactionId transaction = history.session(session)[t / sessions];
    if (history.outcome(transaction) != Outcome::committed) return false;
    const auto operations = history.operations(transaction);
    if (operations.size() != operations_each) return false;
    for (const Operation& operation : operations) {
      const Workload::Step step = workload.next();
      if (operation.kind() != step.kind) return false;
      if (values.integer_of(history.key_name(operation.key())) != step.key) return false;
      if (values.integer_of(operation.value()) != step.value) return false;
    }
  }
  return true;
}

struct Measurement {
  bool good = false;
  double seconds = 0;
  std::size_t history_bytes = 0;
  std::size_t peak_bytes = 0;
};

Measurement write_files(std::size_t transactions,
                        const std::vector<std::pair<Format, std::string>>& files) {
  const History history = make_history(transactions);
  Measurement measured{is_the_history(history, transactions)};
  for (const auto& [format, path] : files) {
    Result<FileSink> sink = FileSink::create(path);
    if (!sink || !write_history(history, format, *sink) || !sink->close()) measured.good = false;
  }
  return measured;
}

Measurement read_file(std::size_t transactions, const std::string& path) {
  Measurement measured{true, 1e9};
  for (int run = 0; run < runs; ++run) {
    Result<History> history = Error{"not read"};
    const double seconds = seconds_of([&] {
      const Result<Source> source = Source::open(path);
      if (source) history = read_history(*source);
    });
    if (!history) std::fprintf(stderr, "%s\n", history.error().text().c_str());
    if (!history || !is_the_history(*history, transactions)) return {};
    measured.seconds = std::min(measured.seconds, seconds);
    measured.history_bytes = history->memory();
    if (run == 0) measured.peak_bytes = peak_resident_memory();
  }
  return measured;
}

int measure(const std::string& folder, std::size_t transactions) {
  const double operations = static_cast<double>(transactions * operations_each);
  const std::vector<std::pair<Format, std::string>> files = {
      {Format::dbcop_bincode, folder + "/history.dbcop"},
      {Format::native, folder + "/history.native"}};
  const auto written = in_child([&] { return write_files(transactions, files); });
  if (!written || !written->good) {
    std::fprintf(stderr, "cannot write the histories into %s\n", folder.c_str());
    return 1;
  }
  const auto unit = in_child([&] { return seconds_of_a_unit(transactions * operations_each); });
  if (!unit) return 1;
  std::printf("%zu transactions, %.0f operations; best of %d; a unit is %.3f s\n", transactions,
              operations, runs, *unit);
  for (const auto& [format, path] : files) {
    const auto read = in_child([&, &path = path] { return read_file(transactions, path); });
    if (!read || !read->good) {
      std::fprintf(stderr, "%s: what was read is not what was written\n", path.c_str());
      return 1;
    }
    std::printf(
        "read %-7s %6.3f s  %5.2f units  %4.0f MB/s  %5.1f bytes per operation  peak memory %.1f "
        "MB\n",
        std::string(name_of(format)).c_str(), read->seconds, read->seconds / *unit,
        static_cast<double>(Source::open(path)->file_size(0)) / 1e6 / read->seconds,
        static_cast<double>(read->history_bytes) / operations,
        static_cast<double>(read->peak_bytes) / 1e6);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const long transactions = argc == 3 ? std::atol(argv[2]) : 0;
  if (transactions <= 0) {
    std::fprintf(stderr, "usage: bench_read_history FOLDER TRANSACTIONS\n");
    return 2;
  }
  return measure(argv[1], static_cast<std::size_t>(transactions));
}
