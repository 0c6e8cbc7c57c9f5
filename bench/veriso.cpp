#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "child.h"
#include "confirm_certificate.h"
#include "isoscope/protocol/model_text.h"
#include "unit.h"
#include "wrapped.h"

/// The experiments of the VerIso paper: bench_veriso ISOSCOPE [--small] [--output FILE]
///
/// Strict two-phase locking proved, with a certificate that z3 and cvc5 confirm; its mutants and
/// TAPIR refuted; an exhaustive exploration; and the paper's Table 2 for every model that comes
/// with the program. Each row is a run of the program as a process of its own. A proof of
/// what is violated, or a known violation not found, ends everything; a bar that is missed, or a
/// proof that is not found, is reported.
///
/// Seconds are scaled to a machine on which std::sort takes 0.08 s for a million random integers.

namespace {

using namespace isoscope;

enum class Verdict { proved, refuted };

/// What is known of a model at a level, and how the program is asked.
struct Known {
  std::string_view model, level;
  Verdict verdict;
  /// Sizes and shapes where a violation does not show in what `prove` looks at by itself.
  std::vector<std::string> explore = {};
};

const std::vector<std::string> conference_run = {
    "--clients", "4", "--keys",   "2",
    "--txns",    "1", "--shapes", "r(x)r(y), w(x)w(y), w(x)w(y), w(y)"};
const std::vector<std::string> long_fork = {
    "--clients", "2", "--keys", "2", "--txns", "2", "--shapes", "w(x), r(x)r(y), w(y), r(x)r(y)"};

const Known known[] = {
    {"atomic", "SSER", Verdict::proved},
    {"atomic-steps", "SSER", Verdict::proved},
    {"s2pl", "SSER", Verdict::proved},
    {"s2pl-read-ignores-write", "SSER", Verdict::refuted},
    {"s2pl-write-ignores-read", "SSER", Verdict::refuted},
    {"s2pl-early-read-release", "SSER", Verdict::refuted},
    {"s2pl-abort-installs", "SSER", Verdict::refuted},
    {"s2pl-printed-guard", "SSER", Verdict::refuted},
    {"tapir-journal", "RA", Verdict::refuted},
    {"tapir-conference", "RA", Verdict::refuted, conference_run},
    {"tapir-conference", "SER", Verdict::refuted},
    {"tapir-repaired", "SER", Verdict::proved},
    {"tapir-repaired", "RA", Verdict::proved},
    {"mvcc-si", "SI", Verdict::proved},
    {"mvcc-si", "SER", Verdict::refuted},
    {"ssi", "SER", Verdict::proved},
    {"occ", "SSER", Verdict::proved},
    {"timestamp-ordering", "SER", Verdict::proved},
    {"ramp", "RA", Verdict::proved},
    {"ramp", "TCC", Verdict::refuted},
    {"causal", "TCC", Verdict::proved},
    {"causal", "PSI", Verdict::refuted},
    {"psi", "PSI", Verdict::proved},
    {"psi", "SI", Verdict::refuted, long_fork},
};

constexpr std::string_view mutants[] = {"s2pl-read-ignores-write", "s2pl-write-ignores-read",
                                        "s2pl-early-read-release", "s2pl-abort-installs",
                                        "s2pl-printed-guard"};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// A run of the program: what it used (seconds scaled) and what it printed.
struct Measured {
  double cpu = 0, wall = 0, megabytes = 0;
  bool is_open = false;  ///< neither proved nor refuted
  std::string output;

  /// The member of the JSON output that has this name.
  std::size_t number(const std::string& name) const {
    const std::string member = "\"" + name + "\":";
    const std::size_t at = output.find(member);
    return at == std::string::npos
               ? 0
               : std::strtoull(output.c_str() + at + member.size(), nullptr, 10);
  }
  /// How many strings that list has. A string here has no brackets but in pairs of (), {}.
  std::size_t length(const std::string& name) const {
    const std::string member = "\"" + name + "\":[";
    const std::size_t at = output.find(member);
    if (at == std::string::npos) return 0;
    const std::string list =
        output.substr(at + member.size(), output.find(']', at) - at - member.size());
    std::size_t count = list.empty() ? 0 : 1;
    for (std::size_t i = list.find("\",\""); i != std::string::npos; i = list.find("\",\"", i + 1))
      ++count;
    return count;
  }
};

class VerisoBench {
 public:
  VerisoBench(std::string program, bool small)
      : program_(std::move(program)), small_(small), scale_(0.08 / seconds_of_a_unit(1'000'000)) {}

  void run() {
    introduction();
    proof_of_s2pl();
    refutations();
    exhaustive();
    table_2();
    bars();
  }

  const std::string& text() const { return text_; }

 private:
  template <class... Values>
  void print(const char* format, Values... values) {
    char line[4000];
    std::snprintf(line, sizeof line, format, values...);
    text_ += line;
    std::fputs(line, stdout);
    std::fflush(stdout);
  }

  [[noreturn]] void fail(const std::string& why) const {
    std::fprintf(stderr, "bench_veriso: %s\n", why.c_str());
    std::exit(1);
  }

  /// Best of three by each figure, unless that takes long. Any other exit code ends everything;
  /// but that something is unknown (20) can be allowed.
  Measured measure(const std::vector<std::string>& words, int exit_code,
                   bool may_be_open = false) const {
    constexpr double enough_seconds = 10;
    std::vector<std::string> command = {program_, "protocol"};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--format", "json"});
    Measured best;
    double total = 0;
    for (int run = 0; run < (small_ ? 1 : 3) && total < enough_seconds; ++run) {
      const std::string output = folder_.file("output");
      const ProgramUse use = run_program(command, output);
      best.is_open = may_be_open && use.exit_code == 20;
      if (use.exit_code != exit_code && !best.is_open) {
        std::string said;
        for (const std::string& word : command) said += word + " ";
        fail("exit code " + std::to_string(use.exit_code) + " instead of " +
             std::to_string(exit_code) + ": " + said);
      }
      total += use.cpu_seconds;
      const double cpu = scale_ * use.cpu_seconds, wall = scale_ * use.wall_seconds;
      best.cpu = run == 0 ? cpu : std::min(best.cpu, cpu);
      best.wall = run == 0 ? wall : std::min(best.wall, wall);
      best.megabytes = std::max(best.megabytes, static_cast<double>(use.peak_bytes) / 1e6);
      best.output = text_of(output);
    }
    return best;
  }

  /// "ok", or a note for the end.
  const char* judged(const std::string& what, double value, double bar, const char* unit) {
    if (value <= bar) return "ok";
    missed_.push_back(what + ": " + decimal(value, 2) + " " + unit + " instead of " +
                      decimal(bar, 0));
    return "missed";
  }

  void introduction() {
    print(
        "Protocols of S. Ghasemirad, S. Liu, C. Sprenger, L. Multazzu and D. Basin, VerIso: "
        "Verifiable Isolation\nGuarantees for Database Transactions (PVLDB 18(5), 2025), and those "
        "that come with Isoscope besides. Every row is a\nrun of `isoscope protocol` from start to "
        "end. A proof of what is violated, or a known violation not found, would have\nended the "
        "benchmark.\n\n");
    double load = 0;
    getloadavg(&load, 1);
    print(
        "Machine: %u cores, compiler %s. %s\nstd::sort of a million random integers takes %.4f s "
        "here; seconds below are multiplied by %.2f, as if it took 0.08 s.\nBest of three runs, "
        "while they take less than ten seconds together.\n\n",
        std::thread::hardware_concurrency(), compiler(),
        load < 0.7 ? "Nothing else ran on it."
                   : "It was busy with other things, too: wall clock times are too long.",
        0.08 / scale_, scale_);
  }

  static const char* compiler() {
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "g++ " __VERSION__;
#endif
  }

  // The paper's first case study. In the small run, of a model that is proved at once.
  void proof_of_s2pl() {
    const std::string model = small_ ? "atomic" : "s2pl";
    print(
        "## Strict two-phase locking is strictly serializable\n\n"
        "For any number of clients, keys and transactions: `isoscope protocol prove %s "
        "--certificate FILE`. Before the proof\nthe program looks for violations at two small "
        "sizes; that is part of the time. The paper's proof has 1,605 lines,\n70 lemmas and 13 "
        "invariants (its Table 2); such proofs take experts weeks to months (its Section 8).\n\n",
        model.c_str());
    const std::string certificate = folder_.file("certificate.smt2");
    const Measured run = measure({"prove", model, "--certificate", certificate}, 0);
    if (run.output.find("\"level\":\"SSER\",\"outcome\":\"proved\"") == std::string::npos)
      fail(model + ": SSER is not proved");
    const Confirmation confirmed = confirm_certificate(certificate);
    if (!confirmed.complaint.empty()) fail(model + ": " + confirmed.complaint);
    print("| | | bar | |\n|---|---|---|---|\n");
    print("| proof, CPU seconds | %.2f | 10 | %s |\n", run.cpu,
          judged("proof of " + model, run.cpu, 10, "s"));
    print("| peak memory, MB | %.0f | - | |\n", run.megabytes);
    const std::size_t given = model_of(model).invariants.size();
    print("| invariants given | %zu | 0 | %s |\n", given,
          judged("invariants given", static_cast<double>(given), 0, ""));
    print("| invariants found and needed | %zu | - | |\n", run.length("invariants"));
    print("| goals | %zu | - | |\n", run.number("goals"));
    print("| obligations in the certificate | %zu | - | |\n", run.number("obligations"));
    const auto prover = [&](const char* name, std::optional<double> seconds) {
      if (!seconds) {
        print("| %s is not installed: not asked | | all confirmed | |\n", name);
        return;
      }
      print("| %s confirms all, CPU seconds | %.2f | all confirmed | ok |\n", name,
            scale_ * *seconds);
    };
    prover("z3", confirmed.z3);
    prover("cvc5", confirmed.cvc5);
    print("\n");
    if (confirmed.z3 && confirmed.questions != run.number("obligations"))
      fail(model + ": the certificate has another number of questions than the program says");
  }

  void refutations() {
    print(
        "## What is wrong is refuted\n\n"
        "`isoscope protocol explore`: the shortest run that breaks the level, confirmed on the "
        "history that clients saw. The\nfive mistakes in two-phase locking with 2 clients, 2 "
        "keys and 1 transaction each, like TAPIR with the check of the\njournal article; with "
        "that of the conference article there are four clients, and the shapes `r(x)r(y), "
        "w(x)w(y),\nw(x)w(y), w(y)`. The paper found the two runs of TAPIR by hand, where a "
        "proof did not go through (its Section 6.3).\n\n"
        "| protocol | level | states | again | CPU s | wall s | peak MB | bar | |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    const auto row = [&](std::string_view model, const char* level,
                         const std::vector<std::string>& more, double bar, double most_states) {
      std::vector<std::string> words = {"explore", std::string(model), "--level", level};
      words.insert(words.end(), more.begin(), more.end());
      const Measured run = measure(words, 10);
      const std::string what = std::string(model) + " at " + level;
      const std::size_t states = run.number("states") + run.number("states-again");
      std::string verdict = judged(what, run.wall, bar, "s");
      std::string limit = decimal(bar, 0) + " s";
      if (most_states > 0) {
        limit += ", " + decimal(most_states, 0) + " states";
        if (std::string(judged(what, static_cast<double>(states), most_states, "states")) != "ok")
          verdict = "missed";
      }
      print("| %s | %s | %zu | %zu | %.2f | %.2f | %.0f | %s | %s |\n", std::string(model).c_str(),
            level, run.number("states"), run.number("states-again"), run.cpu, run.wall,
            run.megabytes, limit.c_str(), verdict.c_str());
    };
    for (const std::string_view mutant : mutants)
      if (!small_ || mutant == mutants[0]) row(mutant, "SSER", {}, 2, 0);
    row("tapir-journal", "RA", {}, 1, 50'000);
    if (!small_) row("tapir-conference", "RA", conference_run, 20, 0);
    print(
        "\n\"Again\" are states that were looked at once more, without eager steps, to find the "
        "shortest run.\n\n");
  }

  void exhaustive() {
    const char* keys = small_ ? "1" : "3";
    print(
        "## All states\n\n"
        "`isoscope protocol explore s2pl --clients 2 --keys %s --txns 1`, all levels at once, "
        "with all cores. Bytes are those of\nthe packed states with their index and "
        "predecessors.\n\n"
        "| options | states | wall s | CPU s | bytes per state | peak MB | bar | |\n"
        "|---|---|---|---|---|---|---|---|\n",
        keys);
    const std::vector<std::vector<std::string>> variants = {
        {}, {"--no-eager"}, {"--no-symmetry"}, {"--no-symmetry", "--no-eager"}};
    for (const std::vector<std::string>& options : variants) {
      std::vector<std::string> words = {"explore", "s2pl", "--clients", "2",
                                        "--keys",  keys,   "--txns",    "1"};
      words.insert(words.end(), options.begin(), options.end());
      // With one key some events never happen, which the exit code says.
      const Measured run = measure(words, 0);
      if (run.output.find("\"complete\":true") == std::string::npos ||
          run.output.find("violated") != std::string::npos)
        fail("s2pl: not all states were seen, or a level is violated");
      std::string name;
      for (const std::string& option : options) name += (name.empty() ? "`" : " `") + option + "`";
      if (name.empty()) name = "none";
      const double bytes = static_cast<double>(run.number("memory")) /
                           static_cast<double>(std::max<std::size_t>(run.number("states"), 1));
      std::string verdict = judged("s2pl, all states, " + name, run.wall, 2, "s");
      if (!small_ &&
          std::string(judged("s2pl, all states, " + name, bytes, 64, "bytes per state")) != "ok")
        verdict = "missed";
      print("| %s | %zu | %.2f | %.2f | %.1f | %.0f | 2 s, 64 bytes | %s |\n", name.c_str(),
            run.number("states"), run.wall, run.cpu, bytes, run.megabytes, verdict.c_str());
    }
    print("\n");
  }

  void table_2() {
    print(
        "## Table 2 of ours\n\n"
        "Lines without comments and blank ones. Invariants given are the author's, in the model; "
        "those found are what the proof\nneeds, the given ones among them. A proof is a run of "
        "`isoscope protocol prove NAME --level LEVEL`, a refutation, too;\nonly where a "
        "violation needs more clients or transactions than that looks at by itself it is one of "
        "`explore`.\n\n"
        "| model | lines | level | verdict | invariants given | found | goals | obligations | CPU "
        "s | peak MB |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (const protocol::ShippedModel& shipped : protocol::shipped_models()) {
      if (std::ranges::count(known, shipped.name, &Known::model) == 0)
        fail("what is expected of " + std::string(shipped.name) +
             "? Its verdict is to be added to bench/veriso.cpp");
    }
    double total = 0;
    for (const Known& one : known) {
      if (small_ && one.model != "atomic" && one.model != "s2pl-abort-installs") continue;
      total += table_row(one);
    }
    print("\nIn all %.1f s.\n\n", total);
    print(
        "The paper's Table 2, of the Isabelle/HOL formalization (lines of model and of proof, "
        "lemmas, invariants):\n\n"
        "| | model | proof | lemmas | invariants |\n|---|---|---|---|---|\n"
        "| S2PL with 2PC (SSER) | 285 | 1605 | 70 | 13 |\n"
        "| TAPIR (not proved: it is wrong) | 386 | 565 | 14 | 12 |\n"
        "| the framework itself | 3093 in all | | 275 | 11 |\n\n");
  }

  double table_row(const Known& one) {
    const protocol::Model model = model_of(std::string(one.model));
    const bool is_proved = one.verdict == Verdict::proved;
    std::vector<std::string> words = {one.explore.empty() ? "prove" : "explore",
                                      std::string(one.model), "--level", std::string(one.level)};
    words.insert(words.end(), one.explore.begin(), one.explore.end());
    const Measured run = measure(words, is_proved ? 0 : 10, is_proved);
    if (run.is_open)
      missed_.push_back(std::string(one.model) + " at " + std::string(one.level) +
                        ": open, but a proof is expected");
    print("| %s | %zu | %s | %s | %zu |", std::string(one.model).c_str(), lines_of(one.model),
          std::string(one.level).c_str(),
          run.is_open ? "open"
          : is_proved ? "proved"
                      : "refuted",
          model.invariants.size());
    if (is_proved)
      print(" %zu | %zu | %zu |", run.length("invariants"), run.number("goals"),
            run.number("obligations"));
    else
      print(" - | - | %zu states |", run.number("states"));
    print(" %.2f | %.0f |\n", run.cpu, run.megabytes);
    return run.cpu;
  }

  void bars() {
    if (missed_.empty()) {
      print("No bar was missed.\n");
      return;
    }
    print("Missed:\n\n");
    for (const std::string& one : missed_) print("- %s\n", one.c_str());
  }

  protocol::ShippedModel shipped(std::string_view name) const {
    for (const protocol::ShippedModel& one : protocol::shipped_models())
      if (one.name == name) return one;
    fail("there is no model " + std::string(name));
  }
  protocol::Model model_of(const std::string& name) const {
    Result<protocol::Model> model = protocol::read_model(name, shipped(name).text);
    if (!model) fail(model.error().text());
    return *std::move(model);
  }
  std::size_t lines_of(std::string_view name) const {
    std::istringstream text{std::string(shipped(name).text)};
    std::size_t count = 0;
    for (std::string line; std::getline(text, line);) {
      const std::size_t first = line.find_first_not_of(' ');
      if (first != std::string::npos && line[first] != '#') ++count;
    }
    return count;
  }

  std::string program_;
  bool small_;
  double scale_;
  TemporaryFolder folder_;
  std::vector<std::string> missed_;
  std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
  bool small = false;
  std::string output;
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--small") {
      small = true;
    } else if (word == "--output" && i + 1 < argc) {
      output = argv[++i];
    } else {
      argc = 0;
    }
  }
  if (argc < 2) {
    std::fputs("bench_veriso ISOSCOPE [--small] [--output FILE]\n", stderr);
    return 2;
  }
  VerisoBench bench(argv[1], small);
  bench.run();
  if (!output.empty())
    std::ofstream(output) << wrapped(
        "# The experiments of the VerIso paper\n\nWritten by `bench/run veriso`; bench/veriso.cpp "
        "says what is measured.\n\n" +
        bench.text());
  return 0;
}
