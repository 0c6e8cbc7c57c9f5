#include <cstdio>

#include "isoscope/check/check.h"
#include "phases.h"
#include "veristrong.h"

namespace isoscope {

namespace {

/// A cell, or nothing (with a message) if the answer is wrong: all of these histories hold.
std::optional<std::string> cell_of(const VeristrongBench& bench, const EngineRun& run,
                                   const std::string& name) {
  if (run.end == MethodRun::End::timeout) return "> " + std::to_string(bench.timeout) + " s";
  if (run.end == MethodRun::End::answer && run.holds) return seconds_text(run.seconds);
  std::fprintf(stderr, "%s: the answer is not that it holds\n", name.c_str());
  return std::nullopt;
}

struct Variant {
  std::string name;
  StrongTechniques techniques;
};

/// Does the solver have other work with `changed` than with `usual`, on any of the histories? If
/// not, times of the two say nothing about the difference: perhaps the engine does not look at the
/// switch at all. (Times alone do not tell; they are never quite the same.)
bool makes_a_difference(VeristrongBench& bench, const StrongTechniques& usual,
                        const StrongTechniques& changed) {
  for (const NamedHistory& history : duplicate_histories(bench)) {
    const EngineRun a = run_engine(bench, history.path, LevelId::serializable, usual);
    const EngineRun b = run_engine(bench, history.path, LevelId::serializable, changed);
    if (a.end != b.end || a.choices != b.choices || a.decisions != b.decisions ||
        a.conflicts != b.conflicts) {
      return true;
    }
  }
  return false;
}

void say_not_measured(VeristrongBench& bench, const std::string& what) {
  bench.report.text("Not measured: " + what +
                    ". On none of these histories does the solver make other choices, decisions or "
                    "conflicts then,\nso a time would say nothing.");
}

enum class AfterTimeout { go_on, skip_the_rest };

/// A row for each history and level, a column for each variant. Where each variant is harder than
/// the one before, those after a timeout can be skipped.
bool table_of_times(VeristrongBench& bench, const std::vector<Variant>& variants,
                    AfterTimeout after) {
  std::vector<std::string> header = {"history", "level"};
  for (const Variant& variant : variants) header.push_back(variant.name);
  bench.report.header(header);
  for (const NamedHistory& history : duplicate_histories(bench)) {
    for (const LevelId level : {LevelId::serializable, LevelId::snapshot_isolation}) {
      std::vector<std::string> cells = {history.name, std::string(name_of(level))};
      bool timed_out = false;
      for (const Variant& variant : variants) {
        if (timed_out && after == AfterTimeout::skip_the_rest) {
          cells.push_back("not tried");
          continue;
        }
        const EngineRun run = run_engine(bench, history.path, level, variant.techniques);
        timed_out = run.end == MethodRun::End::timeout;
        const auto cell = cell_of(bench, run, history.name);
        if (!cell) return false;
        cells.push_back(*cell);
      }
      bench.report.row(cells);
    }
  }
  return true;
}

}  // namespace

bool figure_13_phases(VeristrongBench& bench) {
  bench.report.heading("Figure 13: where the time goes");
  bool first = true;
  for (const NamedHistory& history : duplicate_histories(bench)) {
    for (const LevelId level : {LevelId::serializable, LevelId::snapshot_isolation}) {
      const auto statistics =
          measured_phases({.name = history.name, .path = history.path, .level = level});
      if (!statistics) return false;
      std::vector<std::string> header = {"history", "level"};
      std::vector<std::string> cells = {history.name, std::string(name_of(level))};
      for (const CheckStatistics::Phase& phase : statistics->phases) {
        header.push_back(phase.name);
        cells.push_back(seconds_text(phase.seconds));
      }
      if (first) bench.report.header(header);
      first = false;
      bench.report.row(cells);
    }
  }
  return true;
}

bool figure_14_ablation(VeristrongBench& bench) {
  bench.report.heading("Figure 14: what each technique is good for");
  bench.report.text(
      "The engine alone, without reading. Every column switches off one technique: saturation, the "
      "polarity that agrees with the guessed\norder, and making choices only when an order got "
      "them "
      "wrong (not lazy); the last one all of those that are shown.");
  std::vector<Variant> variants = {{"all", {}}};
  StrongTechniques without_all;
  const auto add = [&](const std::string& name, bool StrongTechniques::*technique) {
    StrongTechniques changed;
    changed.*technique = false;
    if (!makes_a_difference(bench, {}, changed)) return say_not_measured(bench, name);
    variants.push_back({name, changed});
    without_all.*technique = false;
  };
  add("no saturation", &StrongTechniques::saturation);
  add("no polarity", &StrongTechniques::order_guides_polarity);
  add("not lazy", &StrongTechniques::lazy_choices);
  if (variants.size() > 2) variants.push_back({"none of these", without_all});
  return table_of_times(bench, variants, AfterTimeout::go_on);
}

bool figure_15_eager_width(VeristrongBench& bench) {
  bench.report.heading("Figure 15: cycles given to the solver beforehand");
  bench.report.text(
      "As in the paper without the polarity that agrees with the order, and with all choices made "
      "beforehand. Width 1: no cycles.");
  std::vector<Variant> variants;
  const int widest = bench.small() ? 2 : 4;  // wide ones take long even on tiny histories
  for (int width = 1; width <= widest; ++width) {
    variants.push_back(
        {"width " + std::to_string(width),
         {.order_guides_polarity = false, .lazy_choices = false, .eager_width = width}});
  }
  if (!makes_a_difference(bench, variants[0].techniques, variants[1].techniques)) {
    say_not_measured(bench, "width 2 and more");
    return true;
  }
  return table_of_times(bench, variants, AfterTimeout::skip_the_rest);
}

bool table_1_conflicts(VeristrongBench& bench) {
  bench.report.heading("Table 1: conflicts with and without the order's polarity (H)");
  bench.report.text(
      "At serializable: conflicts, and the choices that were made. Lazy is the engine as it is, "
      "which "
      "leaves little to the solver; all choices\nmade beforehand (not lazy) is closer to what the "
      "paper "
      "counts.");
  std::vector<Variant> variants = {{"with H", {}}, {"without H", {.order_guides_polarity = false}}};
  if (makes_a_difference(bench, {}, {.lazy_choices = false})) {
    variants.push_back({"not lazy, with H", {.lazy_choices = false}});
    variants.push_back(
        {"not lazy, without H", {.order_guides_polarity = false, .lazy_choices = false}});
  } else {
    say_not_measured(bench, "not lazy");
  }
  std::vector<std::string> header = {"history"};
  for (const Variant& variant : variants) header.push_back(variant.name);
  bench.report.header(header);
  for (const NamedHistory& history : duplicate_histories(bench)) {
    std::vector<std::string> cells = {history.name};
    for (const Variant& variant : variants) {
      const EngineRun run =
          run_engine(bench, history.path, LevelId::serializable, variant.techniques);
      const auto cell = cell_of(bench, run, history.name);
      if (!cell) return false;
      cells.push_back(run.end == MethodRun::End::answer
                          ? std::to_string(run.conflicts) + " of " + std::to_string(run.choices)
                          : *cell);
    }
    bench.report.row(cells);
  }
  return true;
}

}  // namespace isoscope
