#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "check_cases.h"
#include "check_table.h"

/// What checks at strong and at weak levels cost: bench_check_history PROGRAM HISTORIES [--small]
/// [--json FILE]

namespace {

using namespace isoscope;

int run(const std::string& program, const std::string& histories, const TableOptions& options) {
  CheckTable table(program, options.size);
  if (!std::filesystem::exists(histories)) {
    std::printf("no recorded histories in %s: skipped\n", histories.c_str());
  }
  const auto add_all = [&](const std::vector<CheckCase>& cases) {
    return std::ranges::all_of(cases, [&](const CheckCase& what) { return table.add(what); });
  };
  if (!add_all(recorded_cases(histories))) return 1;
  std::vector<CheckCase> dbcop = dbcop_cases(histories);
  if (options.size == BenchSize::small && dbcop.size() > 4) dbcop.resize(4);
  if (!table.add_slowest(dbcop, "slowest of dbcop's")) return 1;
  const TemporaryFolder folder;
  const auto generated = generated_cases(program, folder, options.size);
  if (generated.empty() || !add_all(generated)) return 1;
  const auto weak = weak_cases(program, folder, options.size);
  if (weak.empty() || !add_all(weak)) return 1;
  return table.finish(options.json);
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = TableOptions::parse(argc, argv, 3);
  if (!options) {
    std::fprintf(stderr, "usage: bench_check_history PROGRAM HISTORIES [--small] [--json FILE]\n");
    return 2;
  }
  return run(argv[1], argv[2], *options);
}
