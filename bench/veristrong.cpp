#include "veristrong.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "isoscope/base/byte_sink.h"
#include "wrapped.h"

/// The experiments of the VeriStrong paper with our engine: bench_veristrong PROGRAM HISTORIES
/// [--small] [--timeout SECONDS] [--only PART] [--output FILE]
///
/// Every part checks the verdicts before it reports a time; a wrong one ends everything. Writes a
/// report in Markdown.

namespace {

using namespace isoscope;

struct Part {
  std::string_view name;
  bool (*run)(VeristrongBench&);
};

constexpr Part parts[] = {
    {"figure-10", figure_10_sweeps},        {"figure-11", figure_11_blind_writes},
    {"figure-12", figure_12_large},         {"figure-13", figure_13_phases},
    {"figure-14", figure_14_ablation},      {"figure-15", figure_15_eager_width},
    {"table-1", table_1_conflicts},         {"table-2", table_2_anomalies},
    {"reachability", compare_reachability}, {"solvers", compare_solvers},
};

bool is_installed(const std::string& program) {
  return run_program({program, "--help"}).exit_code >= 0;
}

bool write_file(const std::string& text, const std::string& path) {
  Result<FileSink> sink = FileSink::create(path);
  if (sink && sink->write(text) && sink->close()) return true;
  std::fprintf(stderr, "cannot write %s\n", path.c_str());
  return false;
}

void introduce(VeristrongBench& bench) {
  bench.report.text(
      "Made by `bench/run veristrong`; the experiments of Section 7 of the VeriStrong paper, with "
      "Isoscope in VeriStrong's place. Every figure\nis of one run, in seconds of processor time "
      "of "
      "one thread. Where no other level is named, a history holds. *Baseline* is what the paper\n"
      "calls so: all constraints at once, here given to clasp (answer set solver with acyclicity) "
      "instead of MonoSAT; *baseline+P* the same\nafter our saturation. Both with encoding. Memory "
      "is the peak of the process.");
  bench.report.text("A run is ended after " + std::to_string(bench.timeout) + " seconds.");
  if (!bench.has_clasp) bench.report.text("clasp is not installed: no baselines.");
}

int run(VeristrongBench& bench, std::string_view only, const std::string& output) {
  bench.has_clasp = is_installed("clasp");
  bench.has_minisat = is_installed("minisat");
  introduce(bench);
  for (const Part& part : parts) {
    if (!only.empty() && part.name != only) continue;
    if (!part.run(bench)) {
      std::fprintf(stderr, "%s failed\n", std::string(part.name).c_str());
      return 1;
    }
  }
  if (output.empty()) return 0;
  return write_file(wrapped("# The experiments of VeriStrong\n" + bench.report.all()), output) ? 0
                                                                                               : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto usage = [] {
    std::fprintf(stderr,
                 "usage: bench_veristrong PROGRAM HISTORIES [--small] [--timeout SECONDS] "
                 "[--only PART] [--output FILE]\n");
    return 2;
  };
  if (argc < 3) return usage();
  VeristrongBench bench;
  bench.program = argv[1];
  bench.histories = argv[2];
  std::string only;
  std::string output;
  for (int i = 3; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--small") {
      bench.size = BenchSize::small;
      bench.timeout = 10;
    } else if (i + 1 == argc) {
      return usage();
    } else if (word == "--timeout") {
      bench.timeout = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
    } else if (word == "--only") {
      only = argv[++i];
    } else if (word == "--output") {
      output = argv[++i];
    } else {
      return usage();
    }
  }
  return run(bench, only, output);
}
