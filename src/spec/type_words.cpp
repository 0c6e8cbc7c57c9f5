#include "spec/type_words.h"

#include <algorithm>

#include "isoscope/base/edit_distance.h"

namespace isoscope::spec {

namespace {

constexpr std::size_t longest_name_to_compare = 64;

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
