#pragma once  // Part of the API: docs/api.md.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"

namespace isoscope {

/// Something that a user knows of the database, and that a history does not show: in which order
/// the versions of a key replaced each other. docs/assumptions.md has the exact meaning of each.
enum class VersionAssumption : std::uint8_t {
  sequential_keys,    ///< each session sees the versions of a key in their order
  linearizable_keys,  ///< real time is the order of the versions of a key
  wfr_keys,           ///< what a transaction writes comes after what it read of the key
  commit_stamps,      ///< the database's own stamps of commits are the order of versions
};

inline constexpr std::size_t version_assumption_count =
    static_cast<std::size_t>(VersionAssumption::commit_stamps) + 1;

/// "linearizable-keys"
std::string_view name_of(VersionAssumption assumption);
/// An Error that proposes a name if there is no such assumption.
Result<VersionAssumption> find_version_assumption(std::string_view name);
/// "linearizable-keys and wfr-keys"
std::string names_of(std::span<const VersionAssumption> assumptions);

}  // namespace isoscope
