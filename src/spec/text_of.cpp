#include <algorithm>
#include <array>

#include "isoscope/base/contract.h"
#include "isoscope/base/operators.h"
#include "isoscope/base/words.h"
#include "isoscope/spec/level_text.h"

// Nodes in the notation of level texts. Reading the text again gives a node of the same meaning.

namespace isoscope::spec {

namespace {

std::string_view base_name(Base base) {
  switch (base) {
    case Base::so:
      return "so";
    case Base::rt:
      return "rt";
    case Base::writes:
      return "writes";
    case Base::reads:
      return "reads";
    case Base::update:
      return "update";
    case Base::initial:
      return "initial";
    case Base::wr:
      return "wr";
    case Base::seen_before:
      return "seen-before";
    case Base::given_order:
      return "order";
  }
  return "";
}

std::string_view sort_name(Sort sort) { return sort == Sort::key ? "key" : "transaction"; }

/// The whole of an expression, as opposed to a formula.
constexpr Binding expression = Binding::unite;

bool is_any_key(const Node& node) { return node.kind == Node::Kind::any_key; }

class Printer {
 public:
  explicit Printer(const Definition& definition) : definition_(definition) {}

  std::string run(const Node& node) {
    // Variables bound outside of the node count, too.
    std::array<const Node*, 64> found{};
    find_free(node, node.free_variables, found);
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      if (found[i] != nullptr) bind(i, found[i]->type.left);
    }
    return print(node).text;
  }

 private:
  struct Variable {
    Sort sort = Sort::transaction;
    std::string name = {};  ///< empty: nothing mentions it
  };

  static void find_free(const Node& node, std::uint64_t wanted,
                        std::array<const Node*, 64>& found) {
    wanted &= node.free_variables;
    if (wanted == 0) return;
    if (node.kind == Node::Kind::variable) found[node.index] = &node;
    for (const NodePtr& child : node.children) find_free(*child, wanted, found);
  }

  void bind(std::uint32_t index, Sort sort) {
    variables_.resize(index);
    const auto same = std::count_if(
        variables_.begin(), variables_.end(),
        [&](const Variable& other) { return other.sort == sort && !other.name.empty(); });
    std::string name = (sort == Sort::key ? "x" : "t") + std::to_string(same + 1);
    while (std::any_of(definition_.witnesses.begin(), definition_.witnesses.end(),
                       [&](const Witness& witness) { return witness.name == name; })) {
      name += '\'';
    }
    variables_.push_back({sort, std::move(name)});
  }

  std::string at_least(Binding needed, const Node& node) { return print(node).at_least(needed); }

  BoundText binary(const Node& node, Operator::Kind kind) {
    const Operator& sign = operator_of(kind);
    const Node& left = *node.children[0];
    const Node& right = *node.children[1];
    // Two keyed relations would be taken key by key; with this, the first is not keyed.
    const bool both_any_key = is_any_key(left) && is_any_key(right);
    const Binding on_right = tighter_than(sign.binding);
    const Binding on_left = sign.chain == Chain::never ? on_right : sign.binding;
    return {(both_any_key ? at_least(Binding::compose, left) + " ; [transaction]"
                          : operand_of(sign, on_left, left)) +
                " " + std::string(sign.sign) + " " + operand_of(sign, on_right, right),
            sign.binding};
  }

  /// Brackets that are not needed help between `&` and `;`, where few know what binds tighter.
  std::string operand_of(const Operator& sign, Binding needed, const Node& node) {
    const BoundText inner = print(node);
    const bool unclear = sign.binding == Binding::intersect && inner.binding == Binding::compose;
    return inner.at_least(unclear ? tighter_than(Binding::compose) : needed);
  }

  BoundText prefix(std::string_view word, const Node& node, Binding binding, Binding inner) {
    return {std::string(word) + " " + at_least(inner, *node.children[0]), binding};
  }

  BoundText suffix(const Node& node, std::string_view sign) {
    return {at_least(Binding::postfix, *node.children[0]) + std::string(sign), Binding::postfix};
  }

  BoundText chain(const Node& node, Operator::Kind kind) {
    std::vector<BoundText> parts;
    for (const NodePtr& child : node.children) parts.push_back(print(*child));
    return chain_text(kind, parts);
  }

  BoundText negated(const Node& node) {
    const Node& inner = *node.children[0];
    if (inner.kind == Node::Kind::equal) return binary(inner, Operator::Kind::differ);
    if (inner.kind == Node::Kind::some)
      return prefix("no", inner, Binding::comparison, Binding::postfix);
    return prefix("not", node, Binding::negation, Binding::comparison);
  }

  std::string name_of(const Node& node) const {
    if (node.kind == Node::Kind::base) return std::string(base_name(node.base));
    ISOSCOPE_REQUIRE(node.index < definition_.witnesses.size());
    return definition_.witnesses[node.index].name;
  }

  // name(t, x, s), or what means the same where there is no name.
  BoundText holds(const Node& node) {
    const Node& named =
        is_any_key(*node.children[0]) ? *node.children[0]->children[0] : *node.children[0];
    if (named.kind == Node::Kind::base || named.kind == Node::Kind::witness) {
      const auto shown = [this](const auto& child) { return print(*child).text; };
      const auto arguments = std::span(node.children).subspan(1);
      return {name_of(named) + "(" + joined(arguments, shown) + ")", Binding::primary};
    }
    std::string tuple = print(*node.children[1]).text;
    if (node.children.size() > 2) tuple += " * " + print(*node.children.back()).text;
    std::string relation =
        at_least(node.children.size() == 4 ? Binding::postfix : expression, *node.children[0]);
    if (node.children.size() == 4) relation += "[" + print(*node.children[2]).text + "]";
    return {tuple + " in " + relation, Binding::comparison};
  }

  BoundText comprehension(const Node& node) {
    std::string shown = "{ ";
    for (std::size_t i = 0; i < node.sorts.size(); ++i) {
      bind(node.index + static_cast<std::uint32_t>(i), node.sorts[i]);
      shown += variables_.back().name;
      const bool last = i + 1 == node.sorts.size();
      if (last || node.sorts[i + 1] != node.sorts[i])
        shown += ": " + std::string(sort_name(node.sorts[i]));
      if (!last) shown += ", ";
    }
    return {shown + " | " + print(*node.children[0]).text + " }", Binding::primary};
  }

  /// The E of `forall t in E. F`, if the node is that; F is the other child.
  static const Node* bound_of(const Node& quantifier) {
    const Node& body = *quantifier.children[0];
    const bool guarded = quantifier.kind == Node::Kind::for_all
                             ? body.kind == Node::Kind::implication
                             : body.kind == Node::Kind::conjunction && body.children.size() == 2;
    if (!guarded || body.children[0]->kind != Node::Kind::subset) return nullptr;
    const Node& guard = *body.children[0];
    const Node& left = *guard.children[0];
    const Node& right = *guard.children[1];
    if (left.kind != Node::Kind::variable || left.index != quantifier.index) return nullptr;
    return (right.free_variables >> quantifier.index & 1) == 0 ? &right : nullptr;
  }

  // A run of the same quantifier is one list of variables.
  BoundText quantifier(const Node& first) {
    std::string shown = first.kind == Node::Kind::for_all ? "forall " : "exists ";
    const Node* node = &first;
    while (true) {
      const Node* bound = bound_of(*node);
      const Node* body = node->children[0].get();
      if (bound != nullptr) {
        body = body->children[1].get();
        const std::string elements = at_least(expression, *bound);
        bind(node->index, node->sorts[0]);
        shown += variables_.back().name + " in " + elements;
      } else {
        bind(node->index, node->sorts[0]);
        shown += variables_.back().name;
        const bool goes_on =
            body->kind == node->kind && bound_of(*body) == nullptr && body->sorts == node->sorts;
        if (!goes_on) shown += ": " + std::string(sort_name(node->sorts[0]));
      }
      if (body->kind != node->kind) return {shown + ". " + print(*body).text, loosest_binding};
      shown += ", ";
      node = body;
    }
  }

  BoundText print(const Node& node) {
    const auto child = [&](std::size_t i) -> const Node& { return *node.children[i]; };
    switch (node.kind) {
      case Node::Kind::base:
      case Node::Kind::witness:
        return {name_of(node), Binding::primary};
      case Node::Kind::variable:
        return {variables_[node.index].name, Binding::primary};
      case Node::Kind::universe:
        return {std::string(sort_name(node.type.left)), Binding::primary};
      case Node::Kind::identity:
        return {"[" + at_least(expression, child(0)) + "]", Binding::primary};
      case Node::Kind::unite:
        return binary(node, Operator::Kind::unite);
      case Node::Kind::intersect:
        return binary(node, Operator::Kind::intersect);
      case Node::Kind::subtract:
        return binary(node, Operator::Kind::subtract);
      case Node::Kind::compose:
        return {at_least(Binding::compose, child(0)) + " ; " +
                    at_least(tighter_than(Binding::compose), child(1)),
                Binding::compose};
      case Node::Kind::product:
        return binary(node, Operator::Kind::product);
      case Node::Kind::transpose:
        return suffix(node, "^-1");
      case Node::Kind::closure:
        return suffix(node, "+");
      case Node::Kind::optional:
        return suffix(node, "?");
      case Node::Kind::star:
        return suffix(node, "*");
      case Node::Kind::slice:
        return suffix(node, "[" + print(child(1)).text + "]");
      case Node::Kind::any_key:
        return print(child(0));
      case Node::Kind::comprehension:
        return comprehension(node);
      case Node::Kind::truth:
        return {node.index != 0 ? "true" : "false", Binding::primary};
      case Node::Kind::holds:
        return holds(node);
      case Node::Kind::subset:
        return binary(node, Operator::Kind::in);
      case Node::Kind::equal:
        return binary(node, Operator::Kind::equal);
      case Node::Kind::some:
        return prefix("some", node, Binding::comparison, Binding::postfix);
      case Node::Kind::acyclic:
        return prefix("acyclic", node, Binding::comparison, Binding::postfix);
      case Node::Kind::irreflexive:
        return prefix("irreflexive", node, Binding::comparison, Binding::postfix);
      case Node::Kind::total_order:
        return {"total order " + at_least(expression, child(0)) + " on " +
                    at_least(expression, child(1)),
                Binding::comparison};
      case Node::Kind::negation:
        return negated(node);
      case Node::Kind::conjunction:
        return chain(node, Operator::Kind::conjunction);
      case Node::Kind::disjunction:
        return chain(node, Operator::Kind::disjunction);
      case Node::Kind::implication:
        return implication_text(
            print(child(0)), print(child(1)),
            child(1).kind == Node::Kind::for_all || child(1).kind == Node::Kind::exists);
      case Node::Kind::equivalence:
        return equivalence_text(print(child(0)), print(child(1)));
      case Node::Kind::for_all:
      case Node::Kind::exists:
        return quantifier(node);
      case Node::Kind::within:
        return {
            "within " + at_least(Binding::postfix, child(0)) + " { " + print(child(1)).text + " }",
            Binding::primary};
    }
    return {};
  }

  const Definition& definition_;
  std::vector<Variable> variables_;
};

}  // namespace

std::string text_of(const Node& node, const Definition& definition) {
  return Printer(definition).run(node);
}

}  // namespace isoscope::spec
