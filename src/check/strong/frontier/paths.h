#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

/// How each configuration of a search came about: the events that happened, the last one first. A
/// path shares its beginning with those it was made from.
class FrontierPaths {
 public:
  static constexpr std::uint32_t start = 0;  ///< nothing has happened

  std::uint32_t with(std::uint32_t path, std::uint32_t event) {
    ISOSCOPE_REQUIRE(path <= nodes_.size());
    nodes_.push_back({path, event});
    return static_cast<std::uint32_t>(nodes_.size());
  }
  std::size_t size() const { return nodes_.size(); }

  /// The events of a path in the order in which they happened.
  std::vector<std::uint32_t> events(std::uint32_t path) const;

  /// Forgets all that no path among `kept` needs; these get new numbers.
  void keep_only(std::span<std::uint32_t> kept);

 private:
  struct Node {
    std::uint32_t before;  // a path
    std::uint32_t event;
  };
  std::vector<Node> nodes_;  // of path p at p - 1; what comes before has a lower number
};

}  // namespace isoscope::strong
