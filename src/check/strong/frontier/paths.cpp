#include "check/strong/frontier/paths.h"

#include <algorithm>

#include "isoscope/base/contract.h"

namespace isoscope::strong {

std::vector<std::uint32_t> FrontierPaths::events(std::uint32_t path) const {
  ISOSCOPE_REQUIRE(path <= nodes_.size());
  std::vector<std::uint32_t> found;
  for (; path != start; path = nodes_[path - 1].before) found.push_back(nodes_[path - 1].event);
  std::ranges::reverse(found);
  return found;
}

void FrontierPaths::keep_only(std::span<std::uint32_t> kept) {
  std::vector<std::uint32_t> renamed(nodes_.size() + 1, 0);  // first: 1 if it is needed
  for (const std::uint32_t path : kept) {
    ISOSCOPE_REQUIRE(path <= nodes_.size());
    renamed[path] = 1;
  }
  for (std::size_t p = nodes_.size(); p > 0; --p) {
    if (renamed[p] != 0) renamed[nodes_[p - 1].before] = 1;
  }
  renamed[start] = start;
  std::uint32_t count = 0;
  for (std::size_t p = 1; p <= nodes_.size(); ++p) {
    if (renamed[p] == 0) continue;
    ISOSCOPE_ENSURE(nodes_[p - 1].before < p);  // or it has its new number only later
    nodes_[count] = {renamed[nodes_[p - 1].before], nodes_[p - 1].event};
    renamed[p] = ++count;
  }
  nodes_.resize(count);
  for (std::uint32_t& path : kept) path = renamed[path];
}

}  // namespace isoscope::strong
