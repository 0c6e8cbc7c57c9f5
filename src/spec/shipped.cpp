#include "spec/shipped.h"

#include <algorithm>

namespace isoscope::spec {

const std::vector<ShippedLevel>& shipped_levels() {
  static const std::vector<ShippedLevel> levels = [] {
    std::vector<ShippedLevel> all = embedded_levels();
    std::sort(all.begin(), all.end(),
              [](const ShippedLevel& a, const ShippedLevel& b) { return a.name < b.name; });
    return all;
  }();
  return levels;
}

std::optional<LevelText> find_shipped(std::string_view name, std::string_view from) {
  const std::vector<ShippedLevel>& levels = shipped_levels();
  const auto find = [&](std::string_view wanted) -> std::optional<LevelText> {
    const auto found = std::find_if(levels.begin(), levels.end(), [&](const ShippedLevel& level) {
      return level.name == wanted;
    });
    if (found == levels.end()) return std::nullopt;
    return LevelText{std::string(found->name), std::string(found->text)};
  };
  if (const std::size_t slash = from.rfind('/'); slash != from.npos) {
    if (auto neighbour = find(std::string(from.substr(0, slash + 1)) + std::string(name)))
      return neighbour;
  }
  return find(name);
}

}  // namespace isoscope::spec
