#include "isoscope/certificate/version_assumption.h"

#include <array>
#include <utility>

#include "isoscope/base/contract.h"
#include "isoscope/base/suggestion.h"
#include "isoscope/base/words.h"

namespace isoscope {

namespace {

using enum VersionAssumption;

constexpr std::array<std::pair<VersionAssumption, std::string_view>, version_assumption_count>
    all_names = {{
        {sequential_keys, "sequential-keys"},
        {linearizable_keys, "linearizable-keys"},
        {wfr_keys, "wfr-keys"},
        {commit_stamps, "commit-stamps"},
    }};

}  // namespace

std::string_view name_of(VersionAssumption assumption) {
  ISOSCOPE_REQUIRE(static_cast<std::size_t>(assumption) < all_names.size());
  ISOSCOPE_ENSURE(all_names[static_cast<std::size_t>(assumption)].first == assumption);
  return all_names[static_cast<std::size_t>(assumption)].second;
}

Result<VersionAssumption> find_version_assumption(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [assumption, its_name] : all_names) {
    if (its_name == name) return assumption;
    known.emplace_back(its_name);
  }
  return Error{"unknown assumption '" + std::string(name) + "'" + did_you_mean(name, known) +
               "; there are " + listed(known, " and ")};
}

std::string names_of(std::span<const VersionAssumption> assumptions) {
  std::vector<std::string> names;
  for (const VersionAssumption one : assumptions) names.emplace_back(name_of(one));
  return listed(names, " and ");
}

}  // namespace isoscope
