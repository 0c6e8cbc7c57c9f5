#include "isoscope/spec/definition.h"

#include <algorithm>
#include <unordered_set>

namespace isoscope::spec {

namespace {

/// Looks at every node once, shared or not.
class Search {
 public:
  explicit Search(Base base) : base_(base) {}

  bool finds(const NodePtr& node) {
    if (!node || !seen_.insert(node.get()).second) return false;
    if (node->kind == Node::Kind::base && node->base == base_) return true;
    return std::any_of(node->children.begin(), node->children.end(),
                       [this](const NodePtr& child) { return finds(child); });
  }

 private:
  Base base_;
  std::unordered_set<const Node*> seen_;
};

}  // namespace

bool mentions(const Definition& definition, Base base) {
  Search search(base);
  return std::any_of(definition.witnesses.begin(), definition.witnesses.end(),
                     [&](const Witness& witness) {
                       return search.finds(witness.at_least) || search.finds(witness.at_most);
                     }) ||
         std::any_of(definition.axioms.begin(), definition.axioms.end(),
                     [&](const Axiom& axiom) { return search.finds(axiom.formula); });
}

}  // namespace isoscope::spec
