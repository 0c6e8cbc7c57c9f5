#include "spec/type_words.h"

#include <algorithm>

namespace isoscope::spec {

namespace {

constexpr std::size_t longest_name_to_compare = 64;

// Letters to insert, delete, change or swap with their neighbour. O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const std::size_t change = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string in_words(const Type& type) {
  const auto plural = [](Sort sort) { return sort == Sort::key ? "keys" : "transactions"; };
  switch (type.kind) {
    case Type::Kind::formula:
      return "a formula";
    case Type::Kind::set:
      return std::string("a set of ") + plural(type.left);
    case Type::Kind::keyed:
      return "a keyed relation";
    case Type::Kind::relation:
      break;
  }
  if (type.left == type.right) return std::string("a relation between ") + plural(type.left);
  return std::string("a relation from ") + plural(type.left) + " to " + plural(type.right);
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
  if (wrong.size() > longest_name_to_compare) return "";
  std::size_t nearest = 2 + wrong.size() / 4;  // as far as one would still see a misspelling
  const std::string* best = nullptr;
  for (const std::string& name : known) {
    if (name.size() > longest_name_to_compare) continue;
    const std::size_t distance = edit_distance(wrong, name);
    // A name of which nothing is left is no misspelling.
    if (distance >= nearest || distance >= std::max(wrong.size(), name.size())) continue;
    nearest = distance;
    best = &name;
  }
  return best == nullptr ? "" : "; did you mean `" + *best + "`?";
}

}  // namespace isoscope::spec
