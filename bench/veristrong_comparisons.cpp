#include <cstdio>
#include <filesystem>

#include "bit_matrix.h"
#include "clasp_encoding.h"
#include "isoscope/base/byte_sink.h"
#include "isoscope/base/random.h"
#include "isoscope/graph/vector_clocks.h"
#include "planted_violation.h"
#include "saturated_question.h"
#include "solve_formula.h"
#include "unit.h"
#include "veristrong.h"

namespace isoscope {

namespace {

namespace fs = std::filesystem;

/// Both ways to know which node reaches which, on the graph that saturation leaves.
struct Reachability {
  bool good = false;
  bool agree = true;
  std::size_t nodes = 0;
  std::size_t edges = 0;
  std::size_t chains = 0;
  double clock_seconds = 0;
  double matrix_seconds = 0;
  double clock_bytes = 0;
  double matrix_bytes = 0;
};

Reachability measure_reachability(const std::string& path) {
  Reachability result;
  const std::optional<History> history = read_history_at(path);
  if (!history) return result;
  const auto known = saturated_question(*history, {LevelId::serializable, true});
  if (!known || known->contradiction) return result;
  const std::size_t nodes = known->question.node_count();
  const Digraph graph(nodes, known->edges);
  const auto order = topological_order(graph);
  if (!order) return result;
  const auto sweep = [&](const auto& start, const auto& merge) {
    for (const std::uint32_t node : *order) {
      start(node);
      for (const std::uint32_t before : graph.predecessors(node)) merge(before, node);
    }
  };
  std::optional<VectorClocks> clocks;
  result.clock_seconds = seconds_of([&] {
    clocks.emplace(nodes, known->chains, nodes);
    sweep([&](std::uint32_t node) { clocks->start(node, known->chain_of[node]); },
          [&](std::uint32_t from, std::uint32_t to) { clocks->merge(from, to); });
  });
  std::optional<BitMatrix> matrix;
  result.matrix_seconds = seconds_of([&] {
    matrix.emplace(nodes);
    sweep([&](std::uint32_t node) { matrix->start(node); },
          [&](std::uint32_t from, std::uint32_t to) { matrix->merge(from, to); });
  });
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto from = static_cast<std::uint32_t>(1 + random.below(nodes - 1));
    const auto to = static_cast<std::uint32_t>(1 + random.below(nodes - 1));
    const bool by_clock = clocks->reaches(from, to);
    if (by_clock != matrix->reaches(from, to)) result.agree = false;
  }
  result.good = true;
  result.nodes = nodes;
  result.edges = graph.edge_count();
  result.chains = known->chains;
  result.clock_bytes = static_cast<double>(VectorClocks::memory(nodes, known->chains, nodes));
  result.matrix_bytes = static_cast<double>(nodes) * static_cast<double>(nodes) / 8;
  return result;
}

std::string megabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", bytes / 1e6);
  return text;
}

/// The files of one instance, and how large it is.
struct Instance {
  bool good = false;
  std::int32_t variables = 0;
  std::size_t clauses = 0;
  std::size_t arcs = 0;
  std::size_t plain_clauses = 0;
};

std::optional<AcyclicFormula> formula_of(const std::string& path, LevelId level, bool saturated) {
  const std::optional<History> history = read_history_at(path);
  if (!history) return std::nullopt;
  if (!saturated) {
    const auto question = order_question(*history, {level, true});
    if (!question) return std::nullopt;
    return encode(*question);
  }
  const auto known = saturated_question(*history, {level, true});
  if (!known || known->contradiction) return std::nullopt;
  return encode(known->question);
}

bool write_text(const std::string& text, const std::string& to) {
  Result<FileSink> sink = FileSink::create(to);
  return sink && sink->write(text) && sink->close();
}

Instance write_instance(const std::string& path, LevelId level, bool saturated,
                        const std::string& with_graph, const std::string& plain) {
  Instance result;
  const auto formula = formula_of(path, level, saturated);
  if (!formula) return result;
  const AcyclicFormula flat = without_graph(*formula);
  result.good =
      write_text(clasp_text(*formula), with_graph) && write_text(dimacs_text(flat), plain);
  result.variables = formula->variables;
  result.clauses = formula->clauses;
  result.arcs = formula->arcs.size();
  result.plain_clauses = flat.clauses;
  return result;
}

struct Solved {
  bool satisfiable = false;
  double seconds = 0;
};

std::string time_cell(const VeristrongBench& bench, const std::optional<Solved>& solved) {
  if (!solved) return "> " + std::to_string(bench.timeout) + " s";
  char text[32];  // some of them are far below a millisecond
  std::snprintf(text, sizeof text, solved->seconds < 0.01 ? "%.2f ms" : "%.0f ms",
                solved->seconds * 1e3);
  return text;
}

std::optional<Solved> solve_here(const VeristrongBench& bench, const std::string& path,
                                 LevelId level, bool saturated, bool plain) {
  return in_child(
      [&] {
        auto formula = formula_of(path, level, saturated);
        if (formula && plain) formula = without_graph(*formula);
        Solved solved;
        solved.seconds =
            thread_seconds_of([&] { solved.satisfiable = formula && solve(*formula); });
        return solved;
      },
      bench.timeout);
}

/// clasp and minisat both exit with 10 (clasp also with 30) for satisfiable and 20 for
/// unsatisfiable. minisat notices the limit itself, and exits with something else.
std::optional<Solved> solve_with(const VeristrongBench& bench, std::vector<std::string> command) {
  const ProgramUse use = run_program(command, {}, bench.timeout);
  const bool satisfiable = use.exit_code == 10 || use.exit_code == 30;
  if (use.timed_out || (!satisfiable && use.exit_code != 20)) return std::nullopt;
  return Solved{satisfiable, use.cpu_seconds};
}

}  // namespace

bool compare_reachability(VeristrongBench& bench) {
  bench.report.heading("Vector clocks and bit matrix");
  bench.report.text(
      "Reachability of the whole graph that saturation leaves, computed once in topological order, "
      "for generated histories of 8 operations\nper transaction, 25 sessions. Both are compared on "
      "100,000 random pairs first.");
  bench.report.header({"nodes", "edges", "chains", "clocks", "bit matrix", "clocks", "bit matrix"});
  const std::vector<std::size_t> sizes = bench.small()
                                             ? std::vector<std::size_t>{250}
                                             : std::vector<std::size_t>{2500, 10'000, 40'000};
  for (const std::size_t size : sizes) {
    const auto path = generate(
        bench, {.sessions = 25, .transactions = size / 25, .operations = 8, .keys = size / 2});
    if (!path) return false;
    const auto result = in_child([&] { return measure_reachability(*path); });
    if (!result || !result->good || !result->agree) {
      std::fprintf(stderr, "clocks and matrix disagree, or there is no graph\n");
      return false;
    }
    bench.report.row({std::to_string(result->nodes), std::to_string(result->edges),
                      std::to_string(result->chains), seconds_text(result->clock_seconds),
                      seconds_text(result->matrix_seconds), megabytes(result->clock_bytes),
                      megabytes(result->matrix_bytes)});
  }
  return true;
}

bool compare_solvers(VeristrongBench& bench) {
  bench.report.heading("Our solver, clasp and minisat on the same instances");
  if (!bench.has_clasp || !bench.has_minisat) {
    bench.report.text("Skipped: clasp or minisat is not installed.");
    return true;
  }
  bench.report.text(
      "All constraints of generated histories at once (of those marked P what saturation leaves "
      "open). First with a graph that must stay\nacyclic, then as clauses only, where each "
      "transaction has a number in binary. Solving only, but clasp's and minisat's times include\n"
      "reading their files.");
  bench.report.header({"committed", "level", "verdict", "variables", "arcs", "clauses", "ours",
                       "clasp", "clauses only", "ours", "clasp", "minisat"});
  struct Row {
    std::size_t transactions;
    LevelId level;
    bool saturated;
    bool holds;  // else with a lost update in its middle
  };
  std::vector<Row> rows = {
      {5, LevelId::serializable, false, true},         {5, LevelId::serializable, false, false},
      {5, LevelId::snapshot_isolation, false, true},   {10, LevelId::serializable, false, true},
      {10, LevelId::snapshot_isolation, false, false}, {10, LevelId::serializable, true, true},
      {25, LevelId::serializable, true, true},         {100, LevelId::serializable, true, true},
      {100, LevelId::snapshot_isolation, true, true}};
  if (bench.small()) rows.resize(2);
  for (const Row& row : rows) {
    auto path = generate(bench, {.transactions = row.transactions, .keys = 500});
    if (!path) return false;
    if (!row.holds) {
      const std::string violated = bench.folder.file("violated.dbcop");
      if (!plant_history(planted_violations[0].transactions, *path, violated)) return false;
      path = violated;
    }
    const std::string graph = bench.folder.file("graph.cnf");
    const std::string plain = bench.folder.file("plain.cnf");
    const auto instance =
        in_child([&] { return write_instance(*path, row.level, row.saturated, graph, plain); });
    if (!instance || !instance->good) return false;
    const std::vector<std::optional<Solved>> runs = {
        solve_here(bench, *path, row.level, row.saturated, false),
        solve_with(bench, {"clasp", "--parse-ext", "--quiet=2", graph}),
        solve_here(bench, *path, row.level, row.saturated, true),
        solve_with(bench, {"clasp", "--quiet=2", plain}),
        solve_with(bench, {"minisat", "-verb=0", plain})};
    for (const auto& run : runs) {
      if (!run || run->satisfiable == row.holds) continue;
      std::fprintf(stderr, "%s: a solver has the wrong answer\n", path->c_str());
      return false;
    }
    bench.report.row({std::to_string(committed_count(*path)) + (row.saturated ? " P" : ""),
                      std::string(name_of(row.level)), row.holds ? "holds" : "violated",
                      std::to_string(instance->variables), std::to_string(instance->arcs),
                      std::to_string(instance->clauses), time_cell(bench, runs[0]),
                      time_cell(bench, runs[1]), std::to_string(instance->plain_clauses),
                      time_cell(bench, runs[2]), time_cell(bench, runs[3]),
                      time_cell(bench, runs[4])});
    fs::remove(graph);
    fs::remove(plain);
  }
  return true;
}

}  // namespace isoscope
