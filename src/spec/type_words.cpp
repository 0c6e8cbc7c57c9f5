#include "spec/type_words.h"

namespace isoscope::spec {

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

}  // namespace isoscope::spec
