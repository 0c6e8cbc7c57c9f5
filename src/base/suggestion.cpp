#include "isoscope/base/suggestion.h"

#include <algorithm>

#include "isoscope/base/edit_distance.h"

namespace isoscope {

namespace {

constexpr std::size_t longest_name_to_compare = 64;

}  // namespace

std::optional<std::string> nearest_name(std::string_view wrong,
                                        const std::vector<std::string>& known) {
  if (wrong.size() > longest_name_to_compare) return std::nullopt;
  std::size_t nearest = 3 + wrong.size() / 4;  // as far as one would still see a misspelling
  std::optional<std::string> best;
  for (const std::string& name : known) {
    if (name.size() > longest_name_to_compare) continue;
    const std::size_t distance = edit_distance(wrong, name);
    // A name of which less than half is left is no misspelling.
    if (distance >= nearest || 2 * distance > std::max(wrong.size(), name.size())) continue;
    nearest = distance;
    best = name;
  }
  return best;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
  const auto name = nearest_name(wrong, known);
  return name ? "; did you mean `" + *name + "`?" : "";
}

}  // namespace isoscope
