#include <array>
#include <cstdio>
#include <filesystem>

#include "veristrong.h"

namespace isoscope {

namespace {

namespace fs = std::filesystem;

const std::string not_tried = "not tried";

/// The three methods on histories that get harder: after a timeout, a method is not tried again.
class Race {
 public:
  Race(VeristrongBench& bench, LevelId level) : bench_(bench), level_(level) {
    out_ = {false, !bench.has_clasp, !bench.has_clasp};
  }

  /// The cells of the three methods.
  std::optional<std::vector<std::string>> run(const std::string& path, bool holds = true) {
    std::vector<std::string> cells;
    for (std::size_t method = 0; method < out_.size(); ++method) {
      if (out_[method]) {
        cells.push_back(not_tried);
        continue;
      }
      const MethodRun run = method == 0 ? run_ours(bench_, path, level_)
                                        : run_clasp(bench_, path, level_, method == 2);
      if (!is_right(run, holds, path)) return std::nullopt;
      out_[method] = run.end == MethodRun::End::timeout;
      cells.push_back(text_of(bench_, run));
    }
    return cells;
  }

 private:
  VeristrongBench& bench_;
  LevelId level_;
  std::array<bool, 3> out_;
};

const std::vector<std::string> methods = {"isoscope", "baseline", "baseline+P"};

std::vector<std::string> joined(std::vector<std::string> all,
                                const std::vector<std::string>& rest) {
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

bool figure_10_sweeps(VeristrongBench& bench) {
  struct Sweep {
    const char* name;
    std::vector<unsigned> values;  // from easy to hard
    void (*set)(SweepPoint&, unsigned);
  };
  const std::vector<Sweep> sweeps = {
      {"sessions", {5, 10, 20, 30}, [](SweepPoint& p, unsigned v) { p.sessions = v; }},
      {"transactions per session",
       {50, 100, 150, 200, 250},
       [](SweepPoint& p, unsigned v) { p.transactions = v; }},
      {"operations per transaction",
       {5, 10, 15, 20, 30},
       [](SweepPoint& p, unsigned v) { p.operations = v; }},
      {"keys", {10000, 5000, 4000, 3000, 2000}, [](SweepPoint& p, unsigned v) { p.keys = v; }},
      {"share of reads, in percent",
       {95, 75, 50, 25, 5},
       [](SweepPoint& p, unsigned v) { p.read_percent = v; }},
      {"keys with duplicate values, in percent",
       {0, 25, 50, 75, 100},
       [](SweepPoint& p, unsigned v) { p.duplicate_percent = v; }},
  };
  bench.report.heading("Figure 10: six sweeps at serializable");
  bench.report.text(
      "Generated on a serializable store; 20 sessions of 100 transactions of 15 operations, 5,000 "
      "keys, half of the operations reads,\nhalf of the keys with values that repeat (100 of them, "
      "zipf 0.5), one parameter changed at a time. The store aborts some transactions; what\nis "
      "left is in the second column. A method that timed out is not tried on the "
      "harder histories of the same sweep.");
  for (const Sweep& sweep : sweeps) {
    bench.report.header(joined({sweep.name, "committed"}, methods));
    Race race(bench, LevelId::serializable);
    for (const unsigned value : sweep.values) {
      SweepPoint point;
      sweep.set(point, value);
      if (bench.small()) {
        point.transactions = point.transactions / 10;
        point.keys = point.keys / 10;
        if (value != sweep.values[1]) continue;
      }
      const auto path = generate(bench, point);
      if (!path) return false;
      const auto cells = race.run(*path);
      if (!cells) return false;
      bench.report.row(
          joined({std::to_string(value), std::to_string(committed_count(*path))}, *cells));
    }
  }
  return true;
}

bool figure_11_blind_writes(VeristrongBench& bench) {
  struct Part {
    const char* folder;
    LevelId level;
    std::vector<const char*> files;
  };
  const std::vector<Part> parts = {
      {"blindw-rw",
       LevelId::serializable,
       {"blindw-rw-1000.bincode", "blindw-rw-4000.bincode", "blindw-rw-8000.bincode",
        "blindw-rw-16000.bincode"}},
      {"si",
       LevelId::snapshot_isolation,
       {"blindw-si-1000.bincode", "blindw-si-3000.bincode", "cobra-4000"}}};
  bench.report.heading("Figure 11: BlindW-RW, unique values");
  const fs::path folder = fs::path(bench.histories) / "veristrong";
  if (!fs::exists(folder)) {
    bench.report.text("Skipped: the recorded histories are not there.");
    return true;
  }
  for (const Part& part : parts) {
    bench.report.header(joined({"history, " + std::string(name_of(part.level))}, methods));
    Race race(bench, part.level);
    for (const char* file : part.files) {
      const fs::path path = folder / part.folder / file;
      const auto cells = race.run(path.string());
      if (!cells) return false;
      bench.report.row(joined({path.stem().string()}, *cells));
      if (bench.small()) break;
    }
  }
  return true;
}

bool figure_12_large(VeristrongBench& bench) {
  bench.report.heading("Figure 12: large histories");
  bench.report.text(
      "Generated; 20 sessions, 20 operations per transaction, 50,000 keys, half of them with "
      "values "
      "that repeat.\nRH: 95% reads, BL: 50%, WH: 30%.");
  bench.report.header({"workload", "committed", "serializable", "snapshot-isolation"});
  const std::size_t part = bench.small() ? 500 : 1;
  for (const auto& [name, reads] : {std::pair("RH", 95u), {"BL", 50u}, {"WH", 30u}}) {
    for (const std::size_t transactions : {25'000, 50'000, 100'000}) {
      const SweepPoint point{.transactions = transactions / 20 / part,
                             .operations = 20,
                             .keys = 50'000 / part,
                             .read_percent = reads};
      if (point.transactions < 5) continue;
      const auto path = generate(bench, point);
      if (!path) return false;
      std::vector<std::string> cells = {name, std::to_string(committed_count(*path))};
      for (const LevelId level : {LevelId::serializable, LevelId::snapshot_isolation}) {
        const MethodRun run = run_ours(bench, *path, level);
        if (!is_right(run, true, *path)) return false;
        cells.push_back(text_of(bench, run));
      }
      bench.report.row(cells);
      fs::remove(*path);
    }
  }
  return true;
}

bool table_2_anomalies(VeristrongBench& bench) {
  bench.report.heading("Table 2: average time on anomalous histories");
  std::vector<CheckCase> cases = dbcop_cases(bench.histories);
  if (cases.empty()) {
    bench.report.text("Skipped: the recorded histories are not there.");
    return true;
  }
  const fs::path bugs = fs::path(bench.histories) / "bugs";
  for (const auto& [file, snapshot_holds] : {std::pair("galera-lost-update.plume.txt", false),
                                             {"yugabyte-fractured.plume.txt", false},
                                             {"dgraph-causal.bincode", false},
                                             {"postgres-ssi-bug.plume.txt", true},
                                             {"cockroach-G2", true}}) {
    const std::string path = (bugs / file).string();
    if (!fs::exists(path)) continue;
    cases.push_back({.name = file, .path = path, .level = LevelId::serializable, .holds = false});
    cases.push_back({.name = file,
                     .path = path,
                     .level = LevelId::snapshot_isolation,
                     .holds = snapshot_holds});
  }
  std::erase_if(cases, [](const CheckCase& what) { return what.holds; });
  bench.report.text(
      "Recorded violations of CockroachDB, Galera, AntidoteDB, YugabyteDB, Dgraph and PostgreSQL; "
      "start of the program and reading\nincluded. The paper has 143 ms (serializable, 2073 "
      "histories) and 18 ms (snapshot isolation, 434) for VeriStrong on another machine.");
  bench.report.header({"level", "histories", "average", "longest"});
  for (const LevelId level : {LevelId::serializable, LevelId::snapshot_isolation}) {
    std::size_t count = 0;
    double total = 0;
    double longest = 0;
    for (const CheckCase& what : cases) {
      if (what.level != level || (bench.small() && count == 3)) continue;
      const MethodRun run = run_ours(bench, what.path, level);
      if (run.end == MethodRun::End::timeout || !is_right(run, false, what.name)) return false;
      ++count;
      total += run.seconds;
      longest = std::max(longest, run.seconds);
    }
    bench.report.row({std::string(name_of(level)), std::to_string(count),
                      seconds_text(count == 0 ? 0 : total / static_cast<double>(count)),
                      seconds_text(longest)});
  }
  return true;
}

}  // namespace isoscope
