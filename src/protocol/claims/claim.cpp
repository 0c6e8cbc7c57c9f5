#include "protocol/claims/claim.h"

#include <utility>

namespace isoscope::protocol {
namespace {

using Use = Ground::Use;

Use opposite(Use use) { return use == Use::assumed ? Use::denied : Use::assumed; }

struct Evaluation {
  Ground& ground;
  Circuit& circuit;
  std::vector<Ground::Element> variables;
  Constants next;

  Ground::Element at(std::uint32_t variable) const {
    return variable == initial_variable ? 0 : variables[variable];
  }

  Bit operator()(const Proposition& p, Use use) {
    switch (p.kind) {
      case Proposition::Kind::formula: {
        std::vector<Ground::Element> arguments;
        for (const std::uint32_t argument : p.arguments) arguments.push_back(at(argument));
        return ground.holds(*p.formula, arguments, p.when, use, next);
      }
      case Proposition::Kind::equal:
        return ground.equal(p.sort, at(p.arguments[0]), at(p.arguments[1]));
      case Proposition::Kind::session_order:
        return ground.session_order(at(p.arguments[0]), at(p.arguments[1]));
      case Proposition::Kind::same_owner:
        return ground.same_owner(at(p.arguments[0]), at(p.arguments[1]));
      case Proposition::Kind::negation:
        return !(*this)(p.parts[0], opposite(use));
      case Proposition::Kind::conjunction:
      case Proposition::Kind::disjunction:
        break;
    }
    std::vector<Bit> bits;
    for (const Proposition& part : p.parts) bits.push_back((*this)(part, use));
    return p.kind == Proposition::Kind::conjunction ? circuit.all_of(std::move(bits))
                                                    : circuit.any_of(std::move(bits));
  }
};

void count(const Proposition& p, Use use, Constants& total) {
  if (p.kind == Proposition::Kind::formula) {
    const Constants own = constants_for(*p.formula, use);
    for (std::size_t i = 0; i < total.count.size(); ++i) total.count[i] += own.count[i];
  }
  const Use below = p.kind == Proposition::Kind::negation ? opposite(use) : use;
  for (const Proposition& part : p.parts) count(part, below, total);
}

Proposition combined(Proposition::Kind kind, Proposition a, Proposition b) {
  Proposition result{.kind = kind};
  result.parts.push_back(std::move(a));
  result.parts.push_back(std::move(b));
  return result;
}

}  // namespace

Proposition formula_is(FormulaPtr formula, std::vector<std::uint32_t> arguments, When when) {
  return {.kind = Proposition::Kind::formula,
          .formula = std::move(formula),
          .when = when,
          .arguments = std::move(arguments)};
}

Proposition is_equal(Sort sort, std::uint32_t a, std::uint32_t b) {
  return {.kind = Proposition::Kind::equal, .sort = sort, .arguments = {a, b}};
}

Proposition is_before_in_session(std::uint32_t a, std::uint32_t b) {
  return {.kind = Proposition::Kind::session_order, .arguments = {a, b}};
}

Proposition has_same_owner(std::uint32_t a, std::uint32_t b) {
  return {.kind = Proposition::Kind::same_owner, .arguments = {a, b}};
}

Proposition operator!(Proposition p) {
  Proposition result{.kind = Proposition::Kind::negation};
  result.parts.push_back(std::move(p));
  return result;
}

Proposition operator&&(Proposition a, Proposition b) {
  return combined(Proposition::Kind::conjunction, std::move(a), std::move(b));
}

Proposition operator||(Proposition a, Proposition b) {
  return combined(Proposition::Kind::disjunction, std::move(a), std::move(b));
}

Proposition operator>>(Proposition a, Proposition b) { return !std::move(a) || std::move(b); }

Proposition operator==(Proposition a, Proposition b) { return (a >> b) && (b >> a); }

Proposition nothing() { return {.kind = Proposition::Kind::disjunction}; }

Bit opposite_of(const Claim& claim, Ground& ground, Circuit& circuit) {
  Evaluation evaluation{ground, circuit, ground.parameters(), {}};
  for (const Sort sort : claim.variables)
    evaluation.variables.push_back(ground.free_constants(sort)[evaluation.next[sort]++]);
  return !evaluation(claim.body, Use::denied);
}

void assume(const Claim& claim, Ground& ground, Circuit& circuit, const Limits& limits) {
  Evaluation evaluation{ground, circuit, ground.parameters(), {}};
  evaluation.next.count.fill(1'000'000);  // no constants are left for existential variables
  const auto choose = [&](const auto& self, std::size_t i) -> void {
    if (limits.reached()) return;
    if (i == claim.variables.size()) {
      circuit.require(evaluation(claim.body, Use::assumed));
      return;
    }
    for (Ground::Element e = 0; e < ground.count(claim.variables[i]); ++e) {
      evaluation.variables.push_back(e);
      self(self, i + 1);
      evaluation.variables.pop_back();
    }
  };
  choose(choose, 0);
}

Constants constants_for(const Claim& claim) {
  Constants total;
  for (const Sort sort : claim.variables) ++total[sort];
  count(claim.body, Use::denied, total);
  return total;
}

}  // namespace isoscope::protocol
