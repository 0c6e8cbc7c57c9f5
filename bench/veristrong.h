#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check_cases.h"
#include "child.h"
#include "isoscope/check/check.h"
#include "isoscope/history/history.h"

namespace isoscope {

/// The experiments of the VeriStrong paper (section 7), one function for each figure or table. Each
/// writes its part of a report and returns false when a verdict is wrong, with a message.

/// Markdown that is also shown while it is written.
class MarkdownReport {
 public:
  void heading(const std::string& text);
  void text(const std::string& text);
  void header(const std::vector<std::string>& cells);
  void row(const std::vector<std::string>& cells);
  const std::string& all() const { return all_; }

 private:
  void add(const std::string& lines);
  std::string all_;
};

struct VeristrongBench {
  std::string program;    ///< isoscope
  std::string histories;  ///< the folder of recorded ones; may be missing
  BenchSize size = BenchSize::full;
  unsigned timeout = 60;  ///< of a run, in seconds of processor time
  bool has_clasp = false;
  bool has_minisat = false;
  TemporaryFolder folder;
  MarkdownReport report;

  bool small() const { return size == BenchSize::small; }
};

bool figure_10_sweeps(VeristrongBench& bench);
bool figure_11_blind_writes(VeristrongBench& bench);
bool figure_12_large(VeristrongBench& bench);
bool figure_13_phases(VeristrongBench& bench);
bool figure_14_ablation(VeristrongBench& bench);
bool figure_15_eager_width(VeristrongBench& bench);
bool table_1_conflicts(VeristrongBench& bench);
bool table_2_anomalies(VeristrongBench& bench);
bool compare_reachability(VeristrongBench& bench);
bool compare_solvers(VeristrongBench& bench);

// What several of them need.

/// A history of the paper's generator, with its defaults.
struct SweepPoint {
  std::size_t sessions = 20;
  std::size_t transactions = 100;  ///< of each session
  std::size_t operations = 15;
  std::size_t keys = 5000;
  unsigned read_percent = 50;
  unsigned duplicate_percent = 50;
  std::string value_theta = "0.5";
};

/// Runs it on a serializable store and writes it into the bench's folder; the file's path, or
/// nothing with a message.
std::optional<std::string> generate(const VeristrongBench& bench, const SweepPoint& point);
/// How many of its transactions committed: a store aborts some.
std::size_t committed_count(const std::string& path);

/// Recorded histories with many repeated values, or generated ones like them in small or when there
/// are none.
struct NamedHistory {
  std::string name;
  std::string path;
};
std::vector<NamedHistory> duplicate_histories(VeristrongBench& bench);

/// How a run of some method ended.
struct MethodRun {
  enum class End { answer, timeout, failed };
  End end = End::failed;
  bool holds = false;
  double seconds = 0;  ///< of processor time, reading included
  std::size_t peak_bytes = 0;
};

MethodRun run_ours(const VeristrongBench& bench, const std::string& path, LevelId level);
/// Gives all constraints to clasp at once; with `saturated`, after our saturation.
MethodRun run_clasp(const VeristrongBench& bench, const std::string& path, LevelId level,
                    bool saturated);
/// False, with a message, if it has an answer and not this one. A timeout is no wrong answer.
bool is_right(const MethodRun& run, bool holds, const std::string& what);

/// Our engine with other switches, inside a process of its own; reading is not counted.
struct EngineRun {
  MethodRun::End end = MethodRun::End::failed;
  bool holds = false;
  double seconds = 0;
  std::uint64_t choices = 0;
  std::uint64_t decisions = 0;
  std::uint64_t conflicts = 0;
};
EngineRun run_engine(const VeristrongBench& bench, const std::string& path, LevelId level,
                     const StrongTechniques& techniques);

std::optional<History> read_history_at(const std::string& path);
std::string seconds_text(double seconds);
std::string megabytes_text(std::size_t bytes);
std::string text_of(const VeristrongBench& bench, const MethodRun& run);

}  // namespace isoscope
