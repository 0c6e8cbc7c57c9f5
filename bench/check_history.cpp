#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check_cases.h"
#include "check_table.h"

/// What checks at strong levels cost: bench_check_history PROGRAM HISTORIES [--small] [--json FILE]

namespace {

using namespace isoscope;

struct Arguments {
  std::string program;
  std::string histories;
  BenchSize size = BenchSize::full;
  std::string json;
};

int run(const Arguments& arguments) {
  CheckTable table(arguments.program, arguments.size);
  if (!std::filesystem::exists(arguments.histories)) {
    std::printf("no recorded histories in %s: skipped\n", arguments.histories.c_str());
  }
  const auto add_all = [&](const std::vector<CheckCase>& cases) {
    return std::ranges::all_of(cases, [&](const CheckCase& what) { return table.add(what); });
  };
  if (!add_all(recorded_cases(arguments.histories))) return 1;
  std::vector<CheckCase> dbcop = dbcop_cases(arguments.histories);
  if (arguments.size == BenchSize::small && dbcop.size() > 4) dbcop.resize(4);
  if (!table.add_slowest(dbcop, "slowest of dbcop's")) return 1;
  const TemporaryFolder folder;
  const auto generated = generated_cases(arguments.program, folder, arguments.size);
  if (generated.empty() || !add_all(generated)) return 1;
  return table.finish(arguments.json);
}

std::optional<Arguments> parse(int argc, char** argv) {
  if (argc < 3) return std::nullopt;
  Arguments arguments{argv[1], argv[2], BenchSize::full, {}};
  for (int i = 3; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--small") {
      arguments.size = BenchSize::small;
    } else if (word == "--json" && i + 1 < argc) {
      arguments.json = argv[++i];
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Arguments> arguments = parse(argc, argv);
  if (!arguments) {
    std::fprintf(stderr, "usage: bench_check_history PROGRAM HISTORIES [--small] [--json FILE]\n");
    return 2;
  }
  return run(*arguments);
}
