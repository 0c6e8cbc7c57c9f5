#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "isolde_problems.h"
#include "isoscope/spec/level_text.h"
#include "isoscope/synth/synthesize.h"
#include "unit.h"
#include "wrapped.h"

/// The experiments of the Isolde paper: bench_isolde [--small] [--txns A:B] [--output FILE]
///
/// The 46 problems, each with exactly n transactions, 5 keys and 5 values: with the paper's
/// restrictions (no blind writes, any partial order as session order), then as our histories are
/// (both lifted), then the smallest histories of the satisfiable ones; and what becomes of the
/// first without each of the techniques. Every verdict is compared with the known one, every
/// history judged by the evaluator; a difference ends everything.
///
/// Seconds are processor time, scaled to a machine on which std::sort takes 0.08 s for a million
/// random integers.

namespace {

using namespace isoscope;
using namespace isoscope::synth;
using spec::Definition;

struct Measured {
  double seconds = 0;
  Synthesis answer;
};

struct Total {
  std::size_t solved = 0, of = 0;
  double seconds = 0, slowest = 0;
  std::uint64_t candidates = 0, clauses = 0;

  void add(const Measured& measured) {
    ++of;
    candidates += measured.answer.effort.candidates;
    clauses += measured.answer.effort.clauses;
    if (measured.answer.kind == Synthesis::Kind::stopped) return;
    ++solved;
    seconds += measured.seconds;
    slowest = std::max(slowest, measured.seconds);
  }
};

class IsoldeBench {
 public:
  IsoldeBench(bool small, std::size_t first, std::size_t last)
      : small_(small), first_(first), last_(last) {
    scale_ = 0.08 / seconds_of_a_unit(1'000'000);
  }

  bool run() {
    print(
        "Yardstick: std::sort of a million random integers takes %.4f s here; seconds below are "
        "multiplied by %.2f.\n\n",
        0.08 / scale_, scale_);
    Scope scope{
        .keys = 5, .values = 5, .exactly = true, .blind_writes = false, .any_session_order = true};
    problems("The 46 problems, as in the paper", scope, {}, last_);
    scope.blind_writes = true;
    scope.any_session_order = false;
    problems("With blind writes and real sessions", scope, {}, last_);
    smallest();
    ablations();
    return !is_wrong_;
  }

  const std::string& text() const { return text_; }

 private:
  template <class... Values>
  void print(const char* format, Values... values) {
    char line[1000];
    std::snprintf(line, sizeof line, format, values...);
    text_ += line;
    std::fputs(line, stdout);
    std::fflush(stdout);
  }

  const Definition& level(const std::string& name) {
    if (const auto it = levels_.find(name); it != levels_.end()) return it->second;
    const std::optional<spec::LevelText> text = spec::find_shipped(name, "");
    if (!text) return fail("no level text " + name);
    Result<Definition> definition = spec::read_definition(*text, spec::find_shipped);
    if (!definition) return fail(definition.error().text());
    return levels_.emplace(name, *std::move(definition)).first->second;
  }

  [[noreturn]] const Definition& fail(const std::string& why) {
    std::fprintf(stderr, "bench_isolde: %s\n", why.c_str());
    std::exit(1);
  }

  Question question_of(const IsoldeProblem& problem) {
    Question question;
    std::istringstream names{std::string(problem.allow)};
    for (std::string name; names >> name;) question.allow.push_back(&level(name));
    question.forbid.push_back(&level(std::string(problem.forbid)));
    return question;
  }

  // The evaluator's word on a history, without any solver: every allowing level's execution, and,
  // where that is feasible, that the forbidding level has none.
  void confirm(const IsoldeProblem& problem, const Question& question, const Found& found) {
    const auto complain = [&](const std::string& what) {
      fail(std::string(problem.allow) + " | " + std::string(problem.forbid) + ": " + what);
    };
    for (std::size_t i = 0; i < question.allow.size(); ++i)
      if (!spec::judge(*question.allow[i], found.history, found.executions[i]).allowed)
        complain("the evaluator refuses the execution of " + question.allow[i]->name);
    if (found.history.transactions > 6) return;
    for (const Definition* forbid : question.forbid)
      if (spec::find_execution(*forbid, found.history))
        complain("the evaluator finds an execution of " + forbid->name);
  }

  Measured measure(const IsoldeProblem& problem, const Scope& scope, const Strategy& strategy,
                   double limit) {
    const Question question = question_of(problem);
    Measured measured;
    Limits limits;
    if (limit > 0) limits.set_time(std::chrono::milliseconds(static_cast<int>(1000 * limit)));
    Progress progress;
    measured.seconds = scale_ * seconds_of([&] {
                         measured.answer =
                             find_history(question, scope, strategy, limits, progress);
                       });
    if (measured.answer.kind == Synthesis::Kind::stopped) return measured;
    if (measured.answer.found.has_value() != problem.has_history(scope.transactions))
      fail("wrong verdict: " + std::string(problem.allow) + " | " + std::string(problem.forbid) +
           " with " + std::to_string(scope.transactions) + " transactions");
    if (measured.answer.found) confirm(problem, question, *measured.answer.found);
    return measured;
  }

  void problems(const char* title, Scope scope, const Strategy& strategy, std::size_t last) {
    print("## %s\n\nCandidates, clauses, seconds; 5 keys, 5 values.\n\n| allowed | forbidden |",
          title);
    for (std::size_t n = first_; n <= last; ++n) print(" n=%zu |", n);
    print("\n|---|---|");
    for (std::size_t n = first_; n <= last; ++n) print("---|");
    print("\n");
    std::map<std::size_t, Total> by_size;
    std::map<std::pair<IsoldeProblem::Class, std::size_t>, Total> by_class;
    for (const IsoldeProblem& problem : isolde_problems()) {
      print("| %s | %s |", std::string(problem.allow).c_str(), std::string(problem.forbid).c_str());
      for (std::size_t n = first_; n <= last; ++n) {
        scope.transactions = n;
        const Measured measured = measure(problem, scope, strategy, 0);
        print(" %llu, %lluk, %.2f |",
              static_cast<unsigned long long>(measured.answer.effort.candidates),
              static_cast<unsigned long long>(measured.answer.effort.clauses / 1000),
              measured.seconds);
        if (!problem.has_history(n) && problem.has_history(4) == false &&
            measured.answer.effort.candidates > 0)
          candidates_on_unsat_ += measured.answer.effort.candidates;
        by_size[n].add(measured);
        by_class[{problem.of, n}].add(measured);
      }
      print("\n");
    }
    print("\n| class: solved, seconds in all, slowest, candidates |");
    for (std::size_t n = first_; n <= last; ++n) print(" n=%zu |", n);
    print("\n|---|");
    for (std::size_t n = first_; n <= last; ++n) print("---|");
    print("\n");
    const auto row = [&](const char* name, const std::function<const Total&(std::size_t)>& total) {
      print("| %s |", name);
      for (std::size_t n = first_; n <= last; ++n)
        print(" %zu/%zu, %.2f, %.2f, %llu |", total(n).solved, total(n).of, total(n).seconds,
              total(n).slowest, static_cast<unsigned long long>(total(n).candidates));
      print("\n");
    };
    for (std::size_t c = 0; c < isolde_class_names.size(); ++c)
      row(std::string(isolde_class_names[c]).c_str(), [&](std::size_t n) -> const Total& {
        return by_class[{static_cast<IsoldeProblem::Class>(c), n}];
      });
    row("all 46", [&](std::size_t n) -> const Total& { return by_size[n]; });
    print("\nCandidates on the 21 problems without a history: %llu\n\n",
          static_cast<unsigned long long>(candidates_on_unsat_));
  }

  // The smallest history of each problem that has one; blind writes allowed.
  void smallest() {
    print(
        "## The smallest histories\n\nUp to 5 transactions, 3 keys; blind writes "
        "allowed, "
        "real sessions.\n\n| allowed | forbidden | transactions | keys | operations | seconds |\n"
        "|---|---|---|---|---|---|\n");
    Total total;
    for (const IsoldeProblem& problem : isolde_problems()) {
      if (!problem.has_history(5)) continue;
      if (small_ && problem.of != IsoldeProblem::Class::sat_single) continue;
      const Question question = question_of(problem);
      Measured measured;
      Limits limits;
      Progress progress;
      const Scope scope{.transactions = small_ ? 4u : 5u};
      measured.seconds = scale_ * seconds_of([&] {
                           measured.answer = find_smallest(question, scope, {}, limits, progress);
                         });
      if (!measured.answer.found) fail("no smallest history of " + std::string(problem.allow));
      const Found& found = *measured.answer.found;
      confirm(problem, question, found);
      const Size size = size_of(found.history);
      print("| %s | %s | %zu | %zu | %zu | %.2f |\n", std::string(problem.allow).c_str(),
            std::string(problem.forbid).c_str(), size.transactions, size.keys, size.operations,
            measured.seconds);
      total.add(measured);
    }
    print("\nIn all %.2f s.\n\n", total.seconds);
  }

  // Leaves out each technique in turn: the whole suite per n, each problem with its own limit.
  void ablations() {
    const double limit = small_ ? 0.2 : 2;
    const std::size_t last = std::min<std::size_t>(last_, small_ ? 3 : 6);
    print(
        "## Without each of the techniques\n\nAs in the paper; a problem is given up after %g s. "
        "Solved, seconds in all of those, candidates of all.\n\n| |",
        limit);
    for (std::size_t n = first_; n <= last; ++n) print(" n=%zu |", n);
    print("\n|---|");
    for (std::size_t n = first_; n <= last; ++n) print("---|");
    print("\n");
    const std::pair<const char*, Strategy> variants[] = {
        {"all techniques", {}},
        {"--no-smart", {.smart = false}},
        {"--no-fixed-order", {.fixed_order = false}},
        {"--no-terms", {.terms = false}},
        {"--no-incremental", {.incremental = false}},
        {"--no-terms --no-smart", {.smart = false, .terms = false}},
        {"--no-terms --no-smart --no-learning",
         {.smart = false, .terms = false, .learning = false}},
    };
    for (const auto& [name, strategy] : variants) {
      print("| %s |", name);
      std::vector<bool> given_up(isolde_problems().size());
      for (std::size_t n = first_; n <= last; ++n) {
        Total total;
        const Scope scope{.transactions = n,
                          .keys = 5,
                          .values = 5,
                          .exactly = true,
                          .blind_writes = false,
                          .any_session_order = true};
        for (std::size_t i = 0; i < isolde_problems().size(); ++i) {
          if (small_ && i % 9 != 0) continue;
          Measured measured;
          measured.answer.kind = Synthesis::Kind::stopped;
          if (!given_up[i]) measured = measure(isolde_problems()[i], scope, strategy, limit);
          given_up[i] = measured.answer.kind == Synthesis::Kind::stopped;
          total.add(measured);
        }
        print(" %zu/%zu, %.2f, %llu |", total.solved, total.of, total.seconds,
              static_cast<unsigned long long>(total.candidates));
      }
      print("\n");
    }
    sweep("keys", [](Scope& scope, std::size_t count) { scope.keys = count; });
    sweep("values", [](Scope& scope, std::size_t count) { scope.values = count; });
  }

  void sweep(const char* what, const std::function<void(Scope&, std::size_t)>& set) {
    const std::size_t last = small_ ? 3 : 10;
    print("\n## More %s\n\nFive transactions; seconds of each class.\n\n| %s |", what, what);
    for (const std::string_view name : isolde_class_names)
      print(" %s |", std::string(name).c_str());
    print("\n|---|---|---|---|---|\n");
    for (std::size_t count = 3; count <= last; ++count) {
      std::map<IsoldeProblem::Class, Total> by_class;
      Scope scope{.transactions = small_ ? 3u : 5u,
                  .keys = 5,
                  .values = 5,
                  .exactly = true,
                  .blind_writes = false,
                  .any_session_order = true};
      set(scope, count);
      for (const IsoldeProblem& problem : isolde_problems())
        by_class[problem.of].add(measure(problem, scope, {}, 0));
      print("| %zu |", count);
      for (std::size_t c = 0; c < isolde_class_names.size(); ++c)
        print(" %.2f |", by_class[static_cast<IsoldeProblem::Class>(c)].seconds);
      print("\n");
    }
  }

  bool small_;
  std::size_t first_, last_;
  double scale_ = 1;
  bool is_wrong_ = false;
  std::uint64_t candidates_on_unsat_ = 0;
  std::map<std::string, Definition> levels_;
  std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
  bool small = false;
  std::size_t first = 3, last = 10;
  std::string output;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--small") {
      small = true;
      last = 3;
    } else if (word == "--txns" && i + 1 < argc) {
      if (std::sscanf(argv[++i], "%zu:%zu", &first, &last) != 2) return 2;
    } else if (word == "--output" && i + 1 < argc) {
      output = argv[++i];
    } else {
      std::fputs("bench_isolde [--small] [--txns A:B] [--output FILE]\n", stderr);
      return 2;
    }
  }
  IsoldeBench bench(small, first, last);
  if (!bench.run()) return 1;
  if (!output.empty())
    std::ofstream(output) << wrapped(
        "# The experiments of the Isolde paper\n\nWritten by `bench/run isolde`; bench/isolde.cpp "
        "says what is measured.\n\n" +
        bench.text());
  return 0;
}
