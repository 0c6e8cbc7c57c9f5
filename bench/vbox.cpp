#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check_table.h"
#include "generated.h"
#include "phases.h"

/// The experiments of the Vbox paper (section 5): bench_vbox PROGRAM [--small] [--json FILE]
///
/// Its workloads over a table of 10,000 rows with trusted time (Figure 6), BlindW-WR of growing
/// size (Figure 7), and how many pairs of writers are left to order after reachability and after
/// time (Table 2). Besides: what hints cost and bring on histories with repeated values.

namespace {

using namespace isoscope;

class VboxBench {
 public:
  VboxBench(const std::string& program, TableOptions options)
      : program_(program), options_(std::move(options)), table_(program, options_.size) {}

  int run() {
    if (!workloads() || !growth() || !hints()) return 1;
    const int code = table_.finish(options_.json);
    return code == 0 && pairs() ? 0 : 1;
  }

 private:
  std::size_t part() const { return options_.size == BenchSize::small ? 200 : 1; }

  /// Generates a history of `transactions` transactions in all.
  std::optional<std::string> generate(const std::string& name, std::size_t transactions,
                                      GenerateOptions options) {
    const std::size_t sessions = 20;
    const std::string path = folder_.file(name + ".jsonl");
    if (std::filesystem::exists(path)) return path;
    options.emplace_back("sessions", std::to_string(sessions));
    options.emplace_back("transactions", std::to_string(transactions / part() / sessions + 1));
    if (!generate_history(program_, options, path)) return std::nullopt;
    return path;
  }

  GenerateOptions workload(const std::string& name) const {
    GenerateOptions options = {{"workload", name}, {"store", "strict-serializable"}};
    if (!name.starts_with("blindw")) return options;
    options.emplace_back("keys", rows());
    options.emplace_back("operations", "8");
    return options;
  }
  std::string rows() const { return std::to_string(10'000 / part()); }

  bool workloads() {
    for (const char* name :
         {"blindw-rh", "blindw-wr", "blindw-wh", "blindw-pred", "twitter", "tpcc"}) {
      const auto path = generate(name, 10'000, workload(name));
      if (!path) return false;
      const double most_units = std::string_view(name) == "blindw-pred" ? 400 : 0;
      for (const char* time : {"trust", "ignore"}) {
        const CheckCase what{.name = std::string(name) + " " + time,
                             .path = *path,
                             .time = time,
                             .most_units = most_units};
        if (!table_.add(what)) return false;
      }
    }
    return true;
  }

  bool growth() {
    CheckCase what{.name = "wr-10k", .path = {}, .time = "trust"};
    if (!grow(what, 10'000)) return false;
    what.name = "wr-100k";
    what.most_units = 12;
    what.most_megabytes = 150;
    if (!grow(what, 100'000)) return false;
    what.name = "wr-1M";
    what.most_units = what.most_megabytes = 0;
    what.compared_with = "wr-10k";
    what.most_times = std::pow(100, 1.15);
    return grow(what, 1'000'000);
  }

  bool grow(CheckCase what, std::size_t transactions) {
    const auto path = generate(what.name, transactions, workload("blindw-wr"));
    if (!path) return false;
    what.path = *path;
    const bool good = table_.add(what);
    std::filesystem::remove(*path);
    return good;
  }

  /// Shaped like the histories with repeated values of VeriStrong, with times.
  bool hints() {
    struct Shape {
      const char* name;
      const char* reads;
      const char* theta;
    };
    for (const Shape& shape :
         {Shape{"BL", "50", "0.5"}, {"WH", "30", "0.5"}, {"HD", "50", "1.5"}}) {
      const auto path = generate(shape.name, 10'000,
                                 {{"store", "strict-serializable"},
                                  {"keys", std::to_string(5'000 / part())},
                                  {"operations", "8"},
                                  {"read-share", shape.reads},
                                  {"duplicate-keys", "50"},
                                  {"values", "100"},
                                  {"value-theta", shape.theta}});
      if (!path) return false;
      for (const LevelId level : {LevelId::serializable, LevelId::snapshot_isolation}) {
        const std::string plain = std::string(shape.name) + " ignore";
        const CheckCase without{.name = plain, .path = *path, .level = level, .time = "ignore"};
        const CheckCase with{.name = std::string(shape.name) + " hint",
                             .path = *path,
                             .level = level,
                             .compared_with = plain,
                             .most_times = 1.2};
        if (!table_.add(without) || !table_.add(with)) return false;
      }
    }
    return true;
  }

  bool pairs() {
    std::printf("\n%-14s %16s %22s %16s\n", "pairs of writers", "in total", "after reachability",
                "after time");
    for (const char* name : {"blindw-wh", "blindw-wr", "blindw-rh", "twitter", "tpcc"}) {
      CheckCase what{.name = name, .path = folder_.file(std::string(name) + ".jsonl")};
      const auto without = measured_phases(what);
      what.time = "trust";
      const auto with = measured_phases(what);
      if (!without || !with) return false;
      std::printf("%-16s %16llu %22llu %16llu\n", name,
                  static_cast<unsigned long long>(without->writer_pairs),
                  static_cast<unsigned long long>(without->open_writer_pairs),
                  static_cast<unsigned long long>(with->open_writer_pairs));
    }
    return true;
  }

  std::string program_;
  TableOptions options_;
  TemporaryFolder folder_;
  CheckTable table_;
};

}  // namespace

int main(int argc, char** argv) {
  auto options = TableOptions::parse(argc, argv, 2);
  if (!options) {
    std::fprintf(stderr, "usage: bench_vbox PROGRAM [--small] [--json FILE]\n");
    return 2;
  }
  return VboxBench(argv[1], *std::move(options)).run();
}
