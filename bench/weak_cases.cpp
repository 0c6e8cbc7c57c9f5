#include <string>
#include <vector>

#include "check_cases.h"
#include "generated.h"
#include "planted_violation.h"

namespace isoscope {

namespace {

struct WeakBar {
  LevelId level;
  double text_units;
  double bincode_units;
};
constexpr WeakBar weak_bars[] = {{LevelId::read_committed, 2.4, 1.6},
                                 {LevelId::read_atomic, 2.6, 1.8},
                                 {LevelId::causal, 2.8, 2.0}};
constexpr double all_three_units = 3.8;
constexpr double megabytes = 60;
/// A million transactions may take this much more than a hundred thousand, in units.
constexpr double growth = 1.3;
constexpr double megabytes_of_a_million = 600;

/// Histories of the causal store with unique values: 20 operations, as many keys as the smaller
/// size has transactions.
class WeakCases {
 public:
  WeakCases(const std::string& program, const TemporaryFolder& folder, BenchSize size)
      : program_(program), folder_(folder), part_(size == BenchSize::full ? 1 : 200) {}

  std::vector<CheckCase> all() && {
    const bool good = as_text_and_binary("", 100'000, 1, megabytes) && other_sessions() &&
                      planted() &&
                      as_text_and_binary("-1M", 1'000'000, growth, megabytes_of_a_million);
    return good ? std::move(cases_) : std::vector<CheckCase>();
  }

 private:
  static std::string first_name(const std::string& format) { return "weak-" + format; }

  bool generate(const std::string& name, std::size_t transactions, std::size_t sessions,
                const std::string& format) const {
    const GenerateRecipe recipe{.name = name,
                                .sessions = sessions,
                                .transactions = transactions / part_,
                                .operations = 20,
                                .keys = 100'000 / part_,
                                .store = "causal",
                                .format = format};
    return generate_history(program_, recipe, folder_.file(name));
  }

  /// Each level, and all three in one run, from both formats.
  bool as_text_and_binary(const std::string& suffix, std::size_t transactions, double times_bar,
                          double most_megabytes) {
    for (const std::string format : {"plume", "dbcop"}) {
      const std::string name = first_name(format) + suffix;
      if (!generate(name, transactions, 50, format)) return false;
      const bool is_text = format == "plume";
      CheckCase made{.name = name, .path = folder_.file(name), .most_megabytes = most_megabytes};
      for (const WeakBar& bar : weak_bars) {
        made.level = bar.level;
        made.most_units = times_bar * (is_text ? bar.text_units : bar.bincode_units);
        cases_.push_back(made);
      }
      made.name += ", all three";
      made.further_levels = "read-atomic,read-committed";
      made.most_units = is_text ? times_bar * all_three_units : 0;
      cases_.push_back(made);
    }
    return true;
  }

  /// Fewer and more sessions take at most half as long again.
  bool other_sessions() {
    for (const std::size_t sessions : {10, 500}) {
      // There must be a transaction for each in the small mode, too.
      const std::string name = "weak-" + std::to_string(sessions) + "-sessions";
      if (!generate(name, 100'000, sessions, "plume")) return false;
      for (const WeakBar& bar : weak_bars) {
        cases_.push_back({.name = name,
                          .path = folder_.file(name),
                          .level = bar.level,
                          .compared_with = first_name("plume"),
                          .most_times = 1.5});
      }
    }
    return true;
  }

  bool planted() {
    for (const PlantedWeakViolation& violation : planted_weak_violations) {
      const std::string path = folder_.file("violates-" + std::string(name_of(violation.level)));
      if (!plant_history(violation.transactions, folder_.file(first_name("dbcop")), path,
                         Format::plume)) {
        return false;
      }
      cases_.push_back({.name = "weak planted",
                        .path = path,
                        .level = violation.level,
                        .holds = false,
                        .compared_with = first_name("plume"),
                        .most_times = 1.3});
    }
    return true;
  }

  const std::string& program_;
  const TemporaryFolder& folder_;
  std::size_t part_;
  std::vector<CheckCase> cases_;
};

}  // namespace

std::vector<CheckCase> weak_cases(const std::string& program, const TemporaryFolder& folder,
                                  BenchSize size) {
  return WeakCases(program, folder, size).all();
}

}  // namespace isoscope
