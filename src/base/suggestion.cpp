#include "isoscope/base/suggestion.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/edit_distance.h"

namespace isoscope {

namespace {

constexpr std::size_t longest_name_to_compare = 64;
constexpr std::size_t shortest_part = 3;

/// How far the word is from a name that it may stand for. Parts are further than misspellings.
struct Distance {
  bool is_part = false;
  std::size_t letters = 0;

  auto operator<=>(const Distance&) const = default;
};

std::optional<Distance> distance_of(const std::string& wrong, const std::string& spelling) {
  if (spelling.size() > longest_name_to_compare) return std::nullopt;
  const std::size_t letters = edit_distance(wrong, spelling);
  const std::size_t most = 2 + wrong.size() / 4;  // as far as one would still see a misspelling
  if (letters <= most && 2 * letters <= std::max(wrong.size(), spelling.size()))
    return Distance{false, letters};
  if (wrong.size() >= shortest_part && spelling.find(wrong) != std::string::npos)
    return Distance{true, spelling.size() - wrong.size()};
  return std::nullopt;
}

}  // namespace

std::string folded_name(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '_') c = '-';
  }
  return text;
}

std::vector<std::string> nearest_names(std::string_view wrong, const std::vector<KnownName>& known,
                                       std::size_t most) {
  if (wrong.size() > longest_name_to_compare) return {};
  const std::string word = folded_name(wrong);
  std::vector<std::pair<Distance, const KnownName*>> near;
  for (const KnownName& one : known) {
    if (const auto distance = distance_of(word, folded_name(one.spelling)))
      near.emplace_back(*distance, &one);
  }
  std::ranges::stable_sort(near, {}, [](const auto& one) { return one.first; });
  std::vector<std::string> result;
  for (const auto& [distance, one] : near) {
    if (result.size() == most) break;
    if (!distance.is_part && distance.letters > near.front().first.letters + 1) continue;
    if (std::ranges::find(result, one->name) == result.end()) result.push_back(one->name);
  }
  return result;
}

std::optional<std::string> nearest_name(std::string_view wrong,
                                        const std::vector<std::string>& known) {
  std::vector<KnownName> names;
  for (const std::string& name : known) names.push_back({name, name});
  std::vector<std::string> nearest = nearest_names(wrong, names, 1);
  return nearest.empty() ? std::nullopt : std::optional(std::move(nearest[0]));
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
  const auto name = nearest_name(wrong, known);
  return name ? "; did you mean `" + *name + "`?" : "";
}

}  // namespace isoscope
