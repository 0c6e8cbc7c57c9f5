#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isoscope/base/json_reader.h"

namespace isoscope::format {

/// Walks the members of a JSON object in which only some may occur, each once, in any order: a
/// misspelt name is an error and not a member that silently does nothing. Names that start with
/// "x-" belong to the author of the file, and are skipped.
class KnownMembers {
 public:
  /// The object must have been entered. At most 32 names.
  KnownMembers(JsonReader& json, std::span<const std::string_view> names)
      : json_(json), names_(names) {}

  /// The next member's index among the names; nothing at the end of the object or on error.
  std::optional<std::size_t> next();

  /// To be asked at the end of the object: complains, and returns false, when the member did not
  /// occur.
  bool require(std::size_t index);

 private:
  bool has(std::size_t index) const { return (seen_ >> index & 1) != 0; }

  JsonReader& json_;
  std::span<const std::string_view> names_;
  std::uint32_t seen_ = 0;
};

}  // namespace isoscope::format
