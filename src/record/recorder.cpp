#include "isoscope/record/recorder.h"

#include <condition_variable>
#include <filesystem>
#include <thread>
#include <vector>

#include "record/client.h"
#include "record/header.h"

namespace isoscope::record {

namespace {

/// Rows that hold 0, where the workload wants its keys to start so. They are there, and not only
/// thought to be: a database treats the first write of a row otherwise than the next ones.
void add_zeros(const WorkloadPlan& plan, SetUp& set_up, HistoryBuilder& names) {
  if (!plan.zero_start || !uses(plan.kind, "zero_start")) return;
  for (std::size_t key = 0; key < plan.keys; ++key)
    set_up.rows.push_back({names.key(static_cast<std::int64_t>(key)), names.values().integer(0)});
}

Status must_not_exist(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, problem))) return Done{};
  return Error{"cannot write " + path + ": it exists, and a recording never writes over a file"};
}

/// Waits until all clients are done, and meanwhile says how it goes and looks after the time.
class Supervisor {
 public:
  Supervisor(SharedRun& run, const Limits& limits, Progress& progress)
      : run_(run), limits_(limits), progress_(progress) {}

  void client_is_done() {
    const std::lock_guard lock(mutex_);
    ++done_;
    changed_.notify_one();
  }

  void wait_for(std::size_t clients) {
    std::unique_lock lock(mutex_);
    while (
        !changed_.wait_for(lock, std::chrono::milliseconds(20), [&] { return done_ == clients; })) {
      if (limits_.reached_now()) run_.stop();
      const std::int64_t now = run_.now();
      if (run_.plan.duration && now >= run_.plan.duration->count()) run_.stop();
      report(now);
    }
    progress_.finish();
  }

 private:
  void report(std::int64_t now) {
    if (now - last_report_ < 200'000'000) return;
    const Tally tally = run_.tally();
    const auto rate =
        static_cast<std::uint64_t>(static_cast<double>(tally.transactions() - last_count_) * 1e9 /
                                   static_cast<double>(now - last_report_));
    last_report_ = now;
    last_count_ = tally.transactions();
    std::string text = "recording: " + std::to_string(rate) + " transactions/s";
    for (std::size_t i = 0; i < trouble_count; ++i) {
      if (tally.aborted[i] == 0) continue;
      text += ", " + std::to_string(tally.aborted[i]) + " " +
              std::string(name_of(static_cast<Trouble>(i)));
    }
    if (tally.indeterminate != 0)
      text += ", " + std::to_string(tally.indeterminate) + " of unknown outcome";
    progress_.phase(text + ", committed:", 0);
    progress_.advance(tally.committed);
  }

  SharedRun& run_;
  const Limits& limits_;
  Progress& progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t done_ = 0;
  std::int64_t last_report_ = 0;
  std::uint64_t last_count_ = 0;
};

void run_all(std::vector<std::unique_ptr<Client>>& clients, SharedRun& run, const Limits& limits,
             Progress& progress) {
  Supervisor supervisor(run, limits, progress);
  std::vector<std::thread> threads;
  threads.reserve(clients.size());
  for (const auto& client : clients) {
    try {
      threads.emplace_back([&run, &supervisor, &client = *client] {
        run.wait_for_start();
        client.run(run);
        supervisor.client_is_done();
      });
    } catch (const std::system_error&) {
      run.stop_because(Error{"no more than " + std::to_string(threads.size()) +
                             " threads can be made here, and each client needs one"});
      break;
    }
  }
  run.start();
  supervisor.wait_for(threads.size());
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

Result<Recording> record(Database& database, const RecordPlan& plan, const Limits& limits,
                         Progress& progress) {
  ISOSCOPE_TRY_STATUS(must_not_exist(plan.path));
  HistoryBuilder names;
  const std::unique_ptr<Workload> workload = make_workload(plan.workload, names);
  SetUp set_up{workload->tables(), workload->initial_rows()};
  add_zeros(plan.workload, set_up, names);
  ISOSCOPE_TRY_STATUS(database.set_up(set_up, names));

  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < plan.workload.sessions; ++i) {
    clients.push_back(std::make_unique<Client>(i, database, plan));
    ISOSCOPE_TRY_STATUS(clients.back()->connect());
  }
  ISOSCOPE_TRY(file, HistoryFile::create(plan.path, header_line(plan, database, set_up, names)));
  SharedRun run(plan, std::move(file));
  run_all(clients, run, limits, progress);
  return Recording{.tally = run.tally(),
                   .time = std::chrono::nanoseconds(run.now()),
                   .database = database.description(),
                   .ended_by = run.ended_by()};
}

}  // namespace isoscope::record
