#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check_cases.h"
#include "child.h"
#include "isoscope/check/check.h"

namespace isoscope {

/// [--small] [--json FILE], behind what a bench needs besides.
struct TableOptions {
  BenchSize size = BenchSize::full;
  std::string json;  ///< a file for all rows; none if empty

  /// Reads the words from `first` on. It returns nothing if there are others.
  static std::optional<TableOptions> parse(int argc, char** argv, int first);
};

/// What checks cost, a row for each, and which of them are over their bars.
///
/// Every check is a run of `isoscope check` from start to end, reading included, best of five by
/// processor time. A wrong verdict ends everything. Units are those of unit.h for as many integers
/// as the history's committed transactions have operations. A bar of less than 60 ms counts as
/// 60 ms: below that the start of a process and the clock's grain are most of it. The phases come
/// from one more check, inside a process that has read the history already.
class CheckTable {
 public:
  CheckTable(std::string program, BenchSize size);

  /// Measures the case and prints its row. False, with a message, if the verdict is wrong.
  bool add(const CheckCase& what);
  /// Measures all of them; the slowest gets a row of that name.
  bool add_slowest(const std::vector<CheckCase>& cases, const std::string& name);
  /// Prints what is over its bar, and writes all rows as JSON to a file if it has a name. The
  /// program's exit code.
  int finish(const std::string& json) const;

 private:
  struct Row {
    CheckCase of;
    ProgramUse use;
    std::size_t operations = 0;
    double unit_seconds = 0;
    double times = 0;  ///< as long as the case it is compared with
    CheckStatistics statistics;
    std::vector<std::string> over;

    double units() const { return use.cpu_seconds / unit_seconds; }
    double megabytes() const { return static_cast<double>(use.peak_bytes) / 1e6; }
  };
  /// How many operations count, and how long a unit for this number of operations is.
  struct Yardstick {
    std::size_t operations = 0;
    double seconds = 0;
  };
  bool full() const { return size_ == BenchSize::full; }
  static Yardstick yardstick(const std::string& path);
  void judge(Row& row) const;
  void print(const Row& row) const;
  static std::string json_of(const std::vector<Row>& rows);

  std::string program_;
  BenchSize size_;
  std::vector<Row> rows_;
  std::map<std::string, Yardstick> yardsticks_;    // by path
  std::map<std::string, double> seconds_of_case_;  // by name and level
};

}  // namespace isoscope
