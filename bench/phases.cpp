#include "phases.h"

#include <sstream>

#include "child.h"
#include "isoscope/history/format.h"
#include "unit.h"

namespace isoscope {

namespace {

CheckStatistics measure(const CheckCase& what) {
  CheckStatistics statistics;
  const Result<Source> source = Source::open(what.path);
  if (!source) return statistics;
  Result<History> history = Error{"not read"};
  const double reading = seconds_of([&] { history = read_history(*source); });
  if (!history) return statistics;
  const Limits limits;  // as the program has them, also when none is set
  CheckOptions options;
  options.limits = limits;
  options.statistics = &statistics;
  options.clocks_guide = what.time != "ignore";
  const LevelId level =
      what.time == "trust" ? with_real_time(what.level).value_or(what.level) : what.level;
  double rest = seconds_of([&] { check(*history, {level, true}, options); });
  for (const CheckStatistics::Phase& phase : statistics.phases) rest -= phase.seconds;
  statistics.phases.insert(statistics.phases.begin(), {"reading", reading});
  statistics.phases.push_back({"the rest", rest});
  return statistics;
}

/// What one process tells the other: the counts in one line, then a line for each phase.
std::string to_text(const CheckStatistics& statistics) {
  std::ostringstream text;
  text << statistics.derived_edges << ' ' << statistics.open_reads << ' ' << statistics.misfits
       << ' ' << statistics.rounds << ' ' << statistics.choices << ' ' << statistics.decisions
       << ' ' << statistics.conflicts << ' ' << statistics.writer_pairs << ' '
       << statistics.open_writer_pairs << '\n';
  for (const CheckStatistics::Phase& phase : statistics.phases) {
    text << phase.seconds << ' ' << phase.name << '\n';
  }
  return text.str();
}

CheckStatistics from_text(const std::string& text) {
  CheckStatistics statistics;
  std::istringstream in(text);
  in >> statistics.derived_edges >> statistics.open_reads >> statistics.misfits >>
      statistics.rounds >> statistics.choices >> statistics.decisions >> statistics.conflicts >>
      statistics.writer_pairs >> statistics.open_writer_pairs;
  CheckStatistics::Phase phase;
  while (in >> phase.seconds && in.ignore() && std::getline(in, phase.name)) {
    statistics.phases.push_back(phase);
  }
  return statistics;
}

}  // namespace

std::optional<CheckStatistics> measured_phases(const CheckCase& what) {
  const auto text = text_in_child([&] { return to_text(measure(what)); });
  if (!text) return std::nullopt;
  CheckStatistics statistics = from_text(*text);
  if (statistics.phases.empty()) return std::nullopt;
  return statistics;
}

}  // namespace isoscope
