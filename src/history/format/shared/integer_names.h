#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "isoscope/history/small_integers.h"

namespace isoscope::format {

/// Which number something has here whose name in the file is an integer. Such names are mostly
/// 1, 2, 3, and so on: these are found with one look, the others by hashing.
class IntegerNames {
 public:
  std::optional<std::uint32_t> find(std::uint64_t name) const {
    if (const std::uint32_t known = small_.at(name); known != 0) return known - 1;
    if (others_.empty()) return std::nullopt;
    const auto found = others_.find(name);
    return found == others_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The number of the name, which is `next` if the name is new; and whether it is.
  std::pair<std::uint32_t, bool> try_add(std::uint64_t name, std::size_t next) {
    if (const auto known = find(name)) return {*known, false};
    const auto number = static_cast<std::uint32_t>(next);
    if (small_.count(name)) small_.widen_for(name);
    if (small_.covers(name)) {
      small_.set(name, number + 1);
    } else {
      others_.emplace(name, number);
    }
    return {number, true};
  }

 private:
  SmallIntegers small_;  // numbers from 1
  std::unordered_map<std::uint64_t, std::uint32_t> others_;
};

}  // namespace isoscope::format
