#include "protocol/suggestion.h"

#include <algorithm>
#include <numeric>

#include "isoscope/base/edit_distance.h"

namespace isoscope::protocol {

namespace {

constexpr std::size_t longest_name_to_compare = 64;

}  // namespace

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
  if (wrong.size() > longest_name_to_compare) return "";
  std::size_t nearest = 3 + wrong.size() / 4;  // as far as one would still see a misspelling
  const std::string* best = nullptr;
  for (const std::string& name : known) {
    if (name.size() > longest_name_to_compare) continue;
    const std::size_t distance = edit_distance(wrong, name);
    // A name of which less than half is left is no misspelling.
    if (distance >= nearest || 2 * distance > std::max(wrong.size(), name.size())) continue;
    nearest = distance;
    best = &name;
  }
  return best == nullptr ? "" : "; did you mean `" + *best + "`?";
}

}  // namespace isoscope::protocol
