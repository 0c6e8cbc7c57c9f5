#include <array>
#include <optional>

#include "protocol/claims/obligations.h"
#include "protocol/language/static_checks.h"

// Validity is decidable for formulas whose functions between sorts go round in no circle (EPR with
// stratified functions): from finitely many constants only finitely many terms can then be made,
// and it is enough to look at these. Functions are `owner`, total references, and those that stand
// for what an `exists` inside a `forall` promises.

namespace isoscope::protocol {

namespace {

constexpr std::size_t sort_count = 3;
constexpr std::array<Sort, sort_count> sorts = {Sort::client, Sort::key, Sort::transaction};
constexpr std::array<const char*, sort_count> sort_names = {"client", "key", "transaction"};

/// A set of sorts, a bit each.
using Sorts = unsigned;

constexpr Sorts bit(Sort sort) { return 1u << static_cast<unsigned>(sort); }

struct Edge {
  std::string name;  ///< "`newest`", "an `exists` in ..."
  Position where;    ///< line 0: built in
};

class FunctionGraph {
 public:
  void add(Sorts from, Sort to, const std::string& name, Position where) {
    for (const Sort sort : sorts) {
      if ((from & bit(sort)) == 0) continue;
      auto& edge = edges_[static_cast<std::size_t>(sort)][static_cast<std::size_t>(to)];
      if (!edge) edge = Edge{name, where};
    }
  }

  /// Adds the edges of a formula that is asserted (positive), or whose negation is. `parameters`
  /// variables are free in it: they stand for constants.
  void add(const Formula& formula, std::size_t parameters, bool positive,
           const std::string& where) {
    std::vector<Sorts> variables(parameters, 0);
    walk(formula, positive, variables, where);
  }

  /// Adds the edges of a claim. If the claim is to be shown, they are those of its opposite, where
  /// its variables are constants. If it is assumed, they are those of what it says about all
  /// values.
  void add(const Claim& claim, std::size_t parameters, bool assumed, const std::string& where) {
    std::vector<Sorts> variables(parameters, 0);
    for (const Sort sort : claim.variables) variables.push_back(assumed ? bit(sort) : 0);
    walk(claim.body, assumed, variables, where);
  }

  /// The edges of a shortest cycle, or nothing.
  std::vector<std::pair<std::size_t, const Edge*>> cycle() const {
    std::vector<std::pair<std::size_t, const Edge*>> best;
    for (std::size_t start = 0; start < sort_count; ++start) {
      std::vector<std::pair<std::size_t, const Edge*>> path;
      extend(start, start, path, best);
    }
    return best;
  }

 private:
  // By depth-first search: with three sorts there are few paths.
  void extend(std::size_t start, std::size_t at,
              std::vector<std::pair<std::size_t, const Edge*>>& path,
              std::vector<std::pair<std::size_t, const Edge*>>& best) const {
    if (path.size() == sort_count) return;
    for (std::size_t to = 0; to < sort_count; ++to) {
      if (!edges_[at][to]) continue;
      path.emplace_back(at, &*edges_[at][to]);
      if (to == start) {
        if (best.empty() || path.size() < best.size()) best = path;
      } else {
        extend(start, to, path, best);
      }
      path.pop_back();
    }
  }

  /// Sorts of the universal variables that the formula's free ones depend on. `variables` has, for
  /// every variable, these sorts; those bound inside the formula have none yet.
  static Sorts depends_on(const Term& term, const std::vector<Sorts>& variables) {
    Sorts result = 0;
    if (term.kind == Term::Kind::variable)
      return term.index < variables.size() ? variables[term.index] : 0;
    for (const Term& argument : term.arguments) result |= depends_on(argument, variables);
    return result;
  }

  static Sorts depends_on(const Formula& formula, const std::vector<Sorts>& variables) {
    Sorts result = 0;
    for (const Term& term : formula.terms) result |= depends_on(term, variables);
    for (const FormulaPtr& child : formula.children) result |= depends_on(*child, variables);
    return result;
  }

  void walk(const Proposition& p, bool positive, const std::vector<Sorts>& variables,
            const std::string& where) {
    if (p.kind == Proposition::Kind::formula) {
      std::vector<Sorts> own;
      for (const std::uint32_t argument : p.arguments)
        own.push_back(argument < variables.size() ? variables[argument] : 0);
      walk(*p.formula, positive, own, where);
    }
    const bool below = p.kind == Proposition::Kind::negation ? !positive : positive;
    for (const Proposition& part : p.parts) walk(part, below, variables, where);
  }

  void walk(const Formula& formula, bool positive, std::vector<Sorts>& variables,
            const std::string& where) {
    switch (formula.kind) {
      case Formula::Kind::negation:
        walk(*formula.children[0], !positive, variables, where);
        return;
      case Formula::Kind::implication:
        walk(*formula.children[0], !positive, variables, where);
        walk(*formula.children[1], positive, variables, where);
        return;
      case Formula::Kind::equivalence:
        for (const FormulaPtr& child : formula.children) {
          walk(*child, positive, variables, where);
          walk(*child, !positive, variables, where);
        }
        return;
      case Formula::Kind::for_all:
      case Formula::Kind::exists: {
        const bool is_universal = (formula.kind == Formula::Kind::for_all) == positive;
        Sorts sorts_around = bit(formula.sort);
        if (!is_universal) {
          sorts_around = depends_on(formula, variables);
          const char* word =
              formula.kind == Formula::Kind::for_all ? "a negated `forall`" : "an `exists`";
          add(sorts_around, formula.sort, word + (" in " + where), formula.where);
        }
        variables.push_back(sorts_around);
        walk(*formula.children[0], positive, variables, where);
        variables.pop_back();
        return;
      }
      default:
        for (const FormulaPtr& child : formula.children) walk(*child, positive, variables, where);
    }
  }

  std::array<std::array<std::optional<Edge>, sort_count>, sort_count> edges_;
};

Status report(const std::vector<std::pair<std::size_t, const Edge*>>& cycle,
              const std::string& source) {
  if (cycle.empty()) return Done{};
  std::string shown;
  Position where;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto& [from, edge] = cycle[i];
    const std::size_t to = cycle[(i + 1) % cycle.size()].first;
    shown += (i == 0 ? "" : ", ") + std::string(sort_names[from]) + " -> " + sort_names[to] + " (" +
             edge->name;
    if (edge->where.line != 0) {
      shown += ", line " + std::to_string(edge->where.line);
      where = edge->where;
    }
    shown += ")";
  }
  return Error{"functions go in a circle, which makes proofs undecidable: " + shown +
                   "; a relation instead of a function, or a variable bound further out, breaks it",
               source, where};
}

}  // namespace

Status check_functions(const Model& model, const std::vector<Position>& declared,
                       const std::string& source) {
  FunctionGraph graph;
  graph.add(bit(Sort::transaction), Sort::client, "`owner`", {});
  for (std::size_t i = 0; i < model.components.size(); ++i) {
    const Component& component = model.components[i];
    if (component.kind != Component::Kind::reference || !component.is_total) continue;
    Sorts from = 0;
    for (const Sort sort : component.parameters) from |= bit(sort);
    graph.add(from, Sort::transaction, "`" + component.name + "`", declared[i]);
  }
  const auto add_both = [&](const FormulaPtr& formula, std::size_t parameters,
                            const std::string& where) {
    if (!formula) return;
    graph.add(*formula, parameters, true, where);
    graph.add(*formula, parameters, false, where);
  };
  for (const Event& event : model.events)
    graph.add(*event.guard, event.parameters.size(), true, "the guard of `" + event.name + "`");
  if (model.refinement) {
    const Refinement& refinement = *model.refinement;
    add_both(refinement.installed.formula, 2, "`map installed`");
    add_both(refinement.before.formula, 3, "`map before`");
    add_both(refinement.reader.formula, 3, "`map reader`");
    add_both(refinement.sees.formula, 2, "`map sees`");
    for (const auto& [event, formula] : refinement.view) {
      const Event& of = model.events[event];
      add_both(formula, of.parameters.size() + 1, "`view " + of.name + "`");
    }
    for (const auto& [event, formula] : refinement.auxiliary) {
      const Event& of = model.events[event];
      add_both(formula, of.parameters.size() + 1, "`auxiliary " + of.name + "`");
    }
  }
  if (model.witness) {
    add_both(model.witness->before.formula, 2, "`witness order`");
    add_both(model.witness->sees.formula, 2, "`witness sees`");
  }
  for (const Invariant& invariant : model.invariants)
    add_both(invariant.formula, 0, "the invariant `" + invariant.name + "`");
  ISOSCOPE_TRY_STATUS(report(graph.cycle(), source));
  if (!model.refines) return Done{};
  const Result<Obligations> made = refines_obligations(model);
  if (!made) return Error{made.error().what, source, made.error().position};
  const Obligations& obligations = *made;
  for (std::size_t e = 0; e < model.events.size(); ++e) {
    const Event& event = model.events[e];
    const std::string where = "what `refines` asks of `" + event.name + "`";
    for (const Claim& claim : obligations.events[e])
      graph.add(claim, event.parameters.size(), false, where);
    for (const Claim& claim : obligations.assumed[e])
      graph.add(claim, event.parameters.size(), true, where);
  }
  for (const Claim& claim : obligations.start)
    graph.add(claim, 0, false, "what `refines` asks of the start");
  return report(graph.cycle(), source);
}

}  // namespace isoscope::protocol
