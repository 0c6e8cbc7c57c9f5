#include "check_cases.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "generated.h"
#include "planted_violation.h"

namespace isoscope {

namespace {

namespace fs = std::filesystem;

constexpr LevelId serializable = LevelId::serializable;
constexpr LevelId snapshot_isolation = LevelId::snapshot_isolation;

/// Adds the levels of the same engine that ask for less than snapshot isolation, or of predicates
/// for less than serializability, to a case at snapshot isolation. All of them hold where that one
/// and serializable do.
void add_weaker_rows(const CheckCase& snapshots, std::vector<CheckCase>& cases) {
  for (const LevelId level : {LevelId::prefix_consistency, LevelId::repeatable_read}) {
    cases.push_back({.name = snapshots.name,
                     .path = snapshots.path,
                     .level = level,
                     .compared_with = snapshots.name,
                     .compared_level = snapshots.level,
                     .most_times = 1.5});
  }
}

}  // namespace

std::vector<CheckCase> recorded_cases(const std::string& histories) {
  struct Bar {
    const char* file;
    double serializable_units;
    double snapshot_units;  // 0: not looked at
    double megabytes;
  };
  static constexpr Bar bars[] = {
      {"blindw-rw/blindw-rw-16000.bincode", 12, 0, 40},
      {"duplicates-10k/RH-10k.bincode", 10, 12, 60},
      {"duplicates-10k/BL-10k.bincode", 20, 30, 60},
      {"duplicates-10k/WH-10k.bincode", 20, 30, 60},
      {"duplicates-10k/HD-10k.bincode", 60, 120, 80},
      {"duplicates-10k/rubis-10k", 20, 30, 0},
      {"duplicates-10k/tpcc-10k", 20, 30, 0},
      {"duplicates-10k/twitter-10k", 20, 30, 0},
  };
  std::vector<CheckCase> cases;
  for (const Bar& bar : bars) {
    const fs::path path = fs::path(histories) / "veristrong" / bar.file;
    if (!fs::exists(path)) continue;
    CheckCase made{.name = path.stem().string(), .path = path.string()};
    made.most_units = bar.serializable_units;
    made.most_megabytes = bar.megabytes;
    cases.push_back(made);
    if (bar.snapshot_units == 0) continue;
    made.level = snapshot_isolation;
    made.most_units = bar.snapshot_units;
    cases.push_back(made);
    add_weaker_rows(made, cases);
  }
  return cases;
}

std::vector<CheckCase> dbcop_cases(const std::string& histories) {
  std::vector<CheckCase> cases;
  std::ifstream table(fs::path(histories) / "dbcop-verdicts.tsv");
  std::string line;
  std::getline(table, line);  // the columns' names
  while (std::getline(table, line)) {
    std::vector<std::string> fields;
    std::stringstream rest(line);
    for (std::string field; std::getline(rest, field, '\t');) fields.push_back(field);
    if (fields.size() < 9) continue;
    const fs::path path = fs::path(histories) / fields[0];
    for (const LevelId level : {snapshot_isolation, serializable}) {
      cases.push_back({.name = path.stem().string(),
                       .path = path.string(),
                       .level = level,
                       .holds = fields[level == serializable ? 8 : 7] == "holds",
                       .most_milliseconds = 20});
    }
  }
  return cases;
}

std::vector<CheckCase> generated_cases(const std::string& program, const TemporaryFolder& folder,
                                       BenchSize size) {
  // In small, everything is a hundredth or less: nobody looks at the figures.
  const std::size_t part = size == BenchSize::full ? 1 : 200;
  using Recipe = GenerateRecipe;
  const Recipe like_recorded{"recorded-like", 25, 100'000 / part, 8, 10'000 / part, 0};
  const Recipe with_duplicates{"recorded-like-dup", 25, 100'000 / part, 8, 10'000 / part, 50};
  const Recipe wide{"wide-dup", 20, 100'000 / part, 20, 50'000 / part, 50};
  const Recipe tenth{"uniform-100k", 50, 100'000 / part, 8, 100'000 / part, 0};
  const Recipe million{"uniform-1M", 50, 1'000'000 / part, 8, 100'000 / part, 0};
  std::vector<CheckCase> cases;
  const auto add = [&](const Recipe& recipe, LevelId level, double units, double megabytes) {
    const std::string path = folder.file(recipe.name + ".dbcop");
    if (!fs::exists(path) && !generate_history(program, recipe, path)) return false;
    cases.push_back({.name = recipe.name,
                     .path = path,
                     .level = level,
                     .most_units = units,
                     .most_megabytes = megabytes});
    return true;
  };
  bool good = true;
  for (const Recipe& recipe : {like_recorded, with_duplicates}) {
    for (const LevelId level : {serializable, snapshot_isolation}) {
      good = good && add(recipe, level, 20, 200);
    }
    if (good) add_weaker_rows(CheckCase(cases.back()), cases);
  }
  good = good && add(wide, serializable, 30, 400) && add(wide, snapshot_isolation, 45, 450) &&
         add(tenth, serializable, 0, 0) && add(million, serializable, 0, 4000);
  if (!good) return {};
  cases.back().compared_with = tenth.name;
  cases.back().most_times = 12;

  for (const PlantedViolation& violation : planted_violations) {
    const std::string path = folder.file(std::string(violation.name) + ".dbcop");
    const std::string plain = folder.file(like_recorded.name + ".dbcop");
    if (!plant_history(violation.transactions, plain, path)) return {};
    for (const LevelId level : {serializable, snapshot_isolation}) {
      if (level == snapshot_isolation && !violation.violates_snapshot_isolation) continue;
      cases.push_back({.name = std::string(violation.name) + " planted",
                       .path = path,
                       .level = level,
                       .holds = false,
                       .compared_with = like_recorded.name,
                       .most_times = 1.2});
    }
  }
  return cases;
}

}  // namespace isoscope
