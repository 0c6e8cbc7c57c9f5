#include "check_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "isoscope/base/byte_sink.h"
#include "isoscope/base/json_writer.h"
#include "isoscope/history/format.h"
#include "phases.h"
#include "unit.h"

namespace isoscope {

namespace {

/// Repeating is for small times; a case is not repeated beyond this number of seconds.
constexpr double enough_seconds = 30;
constexpr double least_bar_seconds = 0.06;

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// The best of some runs; nothing if a verdict is wrong.
std::optional<ProgramUse> measure(const CheckCase& what, const std::string& program, int runs) {
  ProgramUse best;
  double total = 0;
  for (int run = 0; run < runs && total < enough_seconds; ++run) {
    const ProgramUse use = run_program({program, "check", what.path, "--level", what.level_names(),
                                        "--time", what.time, "--threads", "1"});
    if (use.exit_code != (what.holds ? 0 : 10)) {
      std::fprintf(stderr, "%s, %s: exit code %d, but it %s\n", what.name.c_str(),
                   std::string(name_of(what.level)).c_str(), use.exit_code,
                   what.holds ? "holds" : "is violated");
      return std::nullopt;
    }
    total += use.cpu_seconds;
    if (run == 0) {
      best = use;
      continue;
    }
    best.cpu_seconds = std::min(best.cpu_seconds, use.cpu_seconds);
    best.wall_seconds = std::min(best.wall_seconds, use.wall_seconds);
    best.peak_bytes = std::max(best.peak_bytes, use.peak_bytes);
  }
  return best;
}

std::optional<History> read(const std::string& path) {
  const Result<Source> source = Source::open(path);
  if (!source) return std::nullopt;
  Result<History> history = read_history(*source);
  if (!history) return std::nullopt;
  return std::move(*history);
}

std::string text_of(const CheckStatistics& statistics) {
  std::string text;
  for (const CheckStatistics::Phase& phase : statistics.phases) {
    text += phase.name + " " + decimal(phase.seconds, 3) + ", ";
  }
  return text + std::to_string(statistics.misfits) + " misfits, " +
         std::to_string(statistics.choices) + " choices, " + std::to_string(statistics.conflicts) +
         " conflicts";
}

/// What a case is compared with: another history, or another level of the same one.
std::string compared_text(const CheckCase& of) {
  return of.compared_level ? std::string(name_of(*of.compared_level)) : of.compared_with;
}

std::string bar_text(const CheckCase& bar) {
  std::string text;
  const auto add = [&](double value, int digits, const std::string& what) {
    if (value > 0) text += (text.empty() ? "" : ", ") + decimal(value, digits) + what;
  };
  add(bar.most_units, bar.most_units == std::round(bar.most_units) ? 0 : 2, " units");
  add(bar.most_megabytes, 0, " MB");
  add(bar.most_milliseconds, 0, " ms");
  add(bar.most_times, 1, "x " + compared_text(bar));
  return text.empty() ? "-" : text;
}

}  // namespace

std::optional<TableOptions> TableOptions::parse(int argc, char** argv, int first) {
  if (argc < first) return std::nullopt;
  TableOptions options;
  for (int i = first; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--small") {
      options.size = BenchSize::small;
    } else if (word == "--json" && i + 1 < argc) {
      options.json = argv[++i];
    } else {
      return std::nullopt;
    }
  }
  return options;
}

CheckTable::CheckTable(std::string program, BenchSize size)
    : program_(std::move(program)), size_(size) {
  std::printf("%-22s %-18s %-8s %9s %7s %8s %8s %7s  %-26s\n", "history", "level", "verdict",
              "operations", "units", "CPU s", "wall s", "peak MB", "bar");
}

/// The history is read in a process of its own.
CheckTable::Yardstick CheckTable::yardstick(const std::string& path) {
  Yardstick result;
  const std::optional<History> history = read(path);
  if (!history) return result;
  for (const TransactionId t : history->transactions()) {
    if (history->outcome(t) == Outcome::committed) {
      result.operations += history->operations(t).size();
    }
  }
  result.seconds = seconds_of_a_unit(result.operations);
  return result;
}

void CheckTable::judge(Row& row) const {
  const CheckCase& bar = row.of;
  if (bar.most_units > 0 &&
      row.use.cpu_seconds > std::max(least_bar_seconds, bar.most_units * row.unit_seconds)) {
    row.over.push_back(decimal(row.units(), 1) + " units, bar " + decimal(bar.most_units, 1));
  }
  if (bar.most_megabytes > 0 && row.megabytes() > bar.most_megabytes) {
    row.over.push_back(decimal(row.megabytes(), 0) + " MB, bar " + decimal(bar.most_megabytes, 0));
  }
  if (bar.most_milliseconds > 0 && row.use.wall_seconds * 1e3 > bar.most_milliseconds) {
    row.over.push_back(decimal(row.use.wall_seconds * 1e3, 1) + " ms, bar " +
                       decimal(bar.most_milliseconds, 0));
  }
  if (bar.compared_with.empty()) return;
  row.times =
      row.use.cpu_seconds / seconds_of_case_.at(bar.compared_with + " " +
                                                std::string(name_of(bar.level_compared_with())));
  if (row.times > bar.most_times) {
    row.over.push_back(decimal(row.times, 2) + "x " + compared_text(bar) + ", bar " +
                       decimal(bar.most_times, 1) + "x");
  }
}

void CheckTable::print(const Row& row) const {
  const char* judgement = row.over.empty() ? "ok" : "OVER";
  if (!full() || bar_text(row.of) == "-") judgement = "";
  std::printf("%-22s %-18s %-8s %9zu %7.2f %8.3f %8.3f %7.1f  %-26s %s\n", row.of.name.c_str(),
              std::string(name_of(row.of.level)).c_str(), row.of.holds ? "holds" : "violated",
              row.operations, row.units(), row.use.cpu_seconds, row.use.wall_seconds,
              row.megabytes(), bar_text(row.of).c_str(), judgement);
  if (row.times > 0) {
    std::printf("%24s%.2f times as long as %s\n", "", row.times, compared_text(row.of).c_str());
  }
  if (!row.statistics.phases.empty()) {
    std::printf("%24s%s\n", "", text_of(row.statistics).c_str());
  }
  std::fflush(stdout);
}

std::string CheckTable::json_of(const std::vector<Row>& rows) {
  JsonWriter json(JsonWriter::Style::indented);
  json.begin_array();
  for (const Row& row : rows) {
    json.begin_object();
    json.member("history").string(row.of.name);
    json.member("level").string(name_of(row.of.level));
    json.member("verdict").string(row.of.holds ? "holds" : "violated");
    json.member("operations").integer(static_cast<std::int64_t>(row.operations));
    json.member("units").decimal(row.units(), 3);
    json.member("cpu_seconds").decimal(row.use.cpu_seconds, 6);
    json.member("wall_seconds").decimal(row.use.wall_seconds, 6);
    json.member("peak_megabytes").decimal(row.megabytes(), 3);
    if (row.times > 0) json.member("times").decimal(row.times, 3);
    json.member("bar").string(bar_text(row.of));
    json.member("over").begin_array();
    for (const std::string& over : row.over) json.string(over);
    json.end_array();
    json.member("phase_seconds").begin_object();
    for (const CheckStatistics::Phase& phase : row.statistics.phases) {
      json.member(phase.name).decimal(phase.seconds, 6);
    }
    json.end_object();
    json.member("misfits").integer(static_cast<std::int64_t>(row.statistics.misfits));
    json.member("choices").integer(static_cast<std::int64_t>(row.statistics.choices));
    json.member("conflicts").integer(static_cast<std::int64_t>(row.statistics.conflicts));
    json.end_object();
  }
  json.end_array();
  return json.take() + "\n";
}

bool CheckTable::add(const CheckCase& what) {
  const auto use = measure(what, program_, full() ? best_of : 1);
  if (!use) return false;
  if (!yardsticks_.contains(what.path)) {
    const auto made = in_child([&] { return yardstick(what.path); });
    if (!made || made->operations == 0) return false;
    yardsticks_[what.path] = *made;
  }
  const Yardstick& stick = yardsticks_[what.path];
  Row row{what, *use, stick.operations, stick.seconds, 0, {}, {}};
  row.statistics = measured_phases(what).value_or(CheckStatistics{});
  seconds_of_case_[what.name + " " + std::string(name_of(what.level))] = use->cpu_seconds;
  judge(row);
  if (!full()) row.over.clear();  // bars are for the full sizes
  print(row);
  rows_.push_back(std::move(row));
  return true;
}

bool CheckTable::add_slowest(const std::vector<CheckCase>& cases, const std::string& name) {
  if (cases.empty()) return true;
  Row slowest;
  double total = 0;
  for (const CheckCase& what : cases) {
    const auto use = measure(what, program_, full() ? best_of : 1);
    if (!use) return false;
    total += use->wall_seconds;
    if (use->wall_seconds > slowest.use.wall_seconds) slowest = {what, *use, 0, 0, 0, {}, {}};
  }
  const auto stick = in_child([&] { return yardstick(slowest.of.path); });
  if (!stick) return false;
  slowest.operations = stick->operations;
  slowest.unit_seconds = stick->seconds;
  slowest.of.name = name;
  judge(slowest);
  if (!full()) slowest.over.clear();
  print(slowest);
  std::printf("%24s%zu checks, %.1f ms on average\n", "", cases.size(),
              total * 1e3 / static_cast<double>(cases.size()));
  rows_.push_back(std::move(slowest));
  return true;
}

int CheckTable::finish(const std::string& json) const {
  std::size_t over = 0;
  for (const Row& row : rows_) {
    for (const std::string& what : row.over) {
      std::printf("over: %s, %s: %s\n", row.of.name.c_str(),
                  std::string(name_of(row.of.level)).c_str(), what.c_str());
      ++over;
    }
  }
  if (full()) std::printf("%zu checks, %zu bars over\n", rows_.size(), over);
  if (json.empty()) return 0;
  Result<FileSink> sink = FileSink::create(json);
  if (sink && sink->write(json_of(rows_)) && sink->close()) return 0;
  std::fprintf(stderr, "cannot write %s\n", json.c_str());
  return 1;
}

}  // namespace isoscope
