#include "protocol/prove/cube.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/model/make_formula.h"

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;

// The term or formula with its variables 0, 1, 2 (k, t, u) named anew.
Term renamed(Term term, const std::array<std::uint32_t, 3>& names) {
  if (term.kind == Term::Kind::variable) term.index = names[term.index];
  for (Term& argument : term.arguments) argument = renamed(std::move(argument), names);
  return term;
}

FormulaPtr renamed(const Formula& formula, const std::array<std::uint32_t, 3>& names) {
  Formula result = formula;
  for (Term& term : result.terms) term = renamed(std::move(term), names);
  for (FormulaPtr& child : result.children) child = renamed(*child, names);
  return formula_of(std::move(result));
}

FormulaPtr negated(FormulaPtr formula) {
  return formula_of({.kind = Kind::negation, .children = {std::move(formula)}});
}

// Chooses keys and transactions one by one; a literal is looked at when all it names is chosen.
class CubeSearch {
 public:
  CubeSearch(const Cube& cube, const Samples::Sampled& state) : cube_(cube), state_(state) {}

  bool choose(std::size_t i) {
    if (i == cube_.keys + cube_.transactions) return true;
    const bool is_key = i < cube_.keys;
    const std::size_t count = is_key ? state_.keys : state_.transactions;
    for (std::size_t choice = 0; choice < count; ++choice) {
      const auto first = chosen_.begin() + (is_key ? 0 : cube_.keys);
      if (std::find(first, chosen_.end(), choice) != chosen_.end()) continue;
      chosen_.push_back(choice);
      const bool found = fits(i) && choose(i + 1);
      chosen_.pop_back();
      if (found) return true;
    }
    return false;
  }

 private:
  bool fits(std::size_t last) const {
    for (const Cube::Literal& literal : cube_.literals) {
      const std::size_t t = cube_.keys + literal.t, u = cube_.keys + literal.u;
      if (std::max(t, u) != last) continue;
      if (has(state_.at(chosen_[literal.k], chosen_[t], chosen_[u]), literal.atom) !=
          literal.is_true)
        return false;
    }
    return true;
  }

  const Cube& cube_;
  const Samples::Sampled& state_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

FormulaPtr outside(const Cube& cube, const Atoms& atoms) {
  std::vector<FormulaPtr> any;
  const auto keys = static_cast<std::uint32_t>(cube.keys);
  const std::uint32_t all = keys + cube.transactions;
  const auto differ = [&](Sort sort, std::uint32_t a, std::uint32_t b) {
    any.push_back(
        formula_of({.kind = Kind::equal,
                    .terms = {{.kind = Term::Kind::variable, .sort = sort, .index = a},
                              {.kind = Term::Kind::variable, .sort = sort, .index = b}}}));
  };
  for (std::uint32_t a = 0; a < all; ++a)
    for (std::uint32_t b = a + 1; b < all; ++b)
      if ((a < keys) == (b < keys)) differ(a < keys ? Sort::key : Sort::transaction, a, b);
  for (const Cube::Literal& literal : cube.literals) {
    FormulaPtr atom =
        renamed(*atoms.list[literal.atom].formula, {literal.k, keys + literal.t, keys + literal.u});
    any.push_back(literal.is_true ? negated(std::move(atom)) : std::move(atom));
  }
  FormulaPtr result = formula_of({.kind = Kind::disjunction, .children = std::move(any)});
  for (std::uint32_t i = all; i-- > 0;)
    result = formula_of({.kind = Kind::for_all,
                         .index = i,
                         .sort = i < keys ? Sort::key : Sort::transaction,
                         .children = {std::move(result)}});
  return result;
}

bool is_in(const Cube& cube, const Samples::Sampled& state) {
  return CubeSearch(cube, state).choose(0);
}

bool is_sampled(const Cube& cube, const Samples& samples, const Limits& limits) {
  return std::ranges::any_of(samples.states, [&](const Samples::Sampled& state) {
    return limits.reached() || is_in(cube, state);
  });
}

FormulaPtr formula_of(const Clause& clause, const Atoms& atoms) {
  Cube cube{.keys = 1,
            .transactions = static_cast<std::uint8_t>(clause.is_of_two ? 2 : 1),
            .literals = {}};
  for (std::uint32_t i = 0; i < atoms.list.size(); ++i)
    if (has(clause.if_all, i) || has(clause.then_any, i))
      cube.literals.push_back({.atom = i,
                               .is_true = has(clause.if_all, i),
                               .u = static_cast<std::uint8_t>(clause.is_of_two ? 1 : 0)});
  return outside(cube, atoms);
}

bool is_covered(const Cube& cube, const Samples& samples) {
  return std::ranges::any_of(samples.states, [&](const Samples::Sampled& state) {
    return state.keys >= cube.keys && state.transactions >= cube.transactions;
  });
}

Cube without_unused(Cube cube) {
  std::vector<bool> is_used(cube.transactions), is_used_key(cube.keys);
  for (const Cube::Literal& literal : cube.literals) {
    is_used[literal.t] = is_used[literal.u] = true;
    is_used_key[literal.k] = true;
  }
  const auto renumber = [](const std::vector<bool>& used, std::uint8_t& count) {
    std::vector<std::uint8_t> names(used.size());
    count = 0;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i]) names[i] = count++;
    return names;
  };
  const std::vector<std::uint8_t> names = renumber(is_used, cube.transactions);
  const std::vector<std::uint8_t> key_names = renumber(is_used_key, cube.keys);
  for (Cube::Literal& literal : cube.literals) {
    literal.t = names[literal.t];
    literal.u = names[literal.u];
    literal.k = key_names[literal.k];
  }
  return cube;
}

Cube with_more(Cube cube, const Cube& everything, const Samples& samples, const Limits& limits) {
  std::vector<const Samples::Sampled*> left;
  for (const Samples::Sampled& state : samples.states)
    if (!limits.reached() && is_in(cube, state)) left.push_back(&state);
  std::vector<bool> is_added(everything.literals.size());
  while (!left.empty() && std::ranges::count(is_added, false) != 0) {
    // A few of those that are left tell well enough which literal is best.
    std::vector<const Samples::Sampled*> some;
    const std::size_t step = 1 + left.size() / 50;
    for (std::size_t i = 0; i < left.size(); i += step) some.push_back(left[i]);
    std::size_t best = 0;
    auto fewest = static_cast<std::ptrdiff_t>(some.size() + 1);
    for (std::size_t i = 0; i < everything.literals.size(); ++i) {
      if (limits.reached_now()) return cube;
      if (is_added[i]) continue;
      cube.literals.push_back(everything.literals[i]);
      const std::ptrdiff_t rest = std::ranges::count_if(
          some, [&](const Samples::Sampled* state) { return is_in(cube, *state); });
      cube.literals.pop_back();
      if (rest >= fewest) continue;
      fewest = rest;
      best = i;
    }
    cube.literals.push_back(everything.literals[best]);
    is_added[best] = true;
    std::erase_if(left, [&](const Samples::Sampled* state) { return !is_in(cube, *state); });
  }
  return cube;
}

Cube with_fewer(Cube cube, const Samples& samples, const Limits& limits) {
  for (std::size_t i = cube.literals.size(); i-- > 0;) {
    Cube wider = cube;
    wider.literals.erase(wider.literals.begin() + static_cast<std::ptrdiff_t>(i));
    if (!is_sampled(wider, samples, limits)) cube = std::move(wider);
  }
  return without_unused(std::move(cube));
}

std::vector<Cube> parts_of(const Cube& cube) {
  std::vector<Cube> result;
  for (std::uint8_t k = 0; k < cube.keys; ++k)
    for (std::uint8_t a = 0; a < cube.transactions; ++a)
      for (std::uint8_t b = 0; b < a; ++b)
        for (std::uint8_t c = 0; c < b; ++c) {
          const std::array<std::uint8_t, 3> chosen = {a, b, c};
          const auto place = [&](std::uint8_t t) {
            return static_cast<std::uint8_t>(std::ranges::find(chosen, t) - chosen.begin());
          };
          Cube part{.keys = 1, .transactions = 3, .literals = {}};
          for (const Cube::Literal& literal : cube.literals)
            if (literal.k == k && place(literal.t) < 3 && place(literal.u) < 3)
              part.literals.push_back(
                  {literal.atom, literal.is_true, 0, place(literal.t), place(literal.u)});
          result.push_back(std::move(part));
        }
  return result;
}

}  // namespace isoscope::protocol
