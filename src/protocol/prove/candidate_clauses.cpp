#include "protocol/prove/candidate_clauses.h"

#include <algorithm>
#include <set>

#include "isoscope/protocol/formula_text.h"
#include "protocol/model/make_formula.h"

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;

Term key() { return {.kind = Term::Kind::variable, .sort = Sort::key, .index = 0}; }
Term transaction(std::uint32_t variable) {
  return {.kind = Term::Kind::variable, .sort = Sort::transaction, .index = variable};
}

FormulaPtr is_not_initial(std::uint32_t variable) {
  return formula_of({.kind = Kind::negation,
                     .children = {formula_of(
                         {.kind = Kind::equal,
                          .terms = {transaction(variable), {.kind = Term::Kind::initial}}})}});
}

/// Collects atoms: arguments of keys are k, of transactions t or u, of clients their owners.
class Collector {
 public:
  explicit Collector(const Model& model) : model_(model) {}

  Atoms run() {
    for (const bool of_history : {false, true})
      for (std::uint32_t c = 0; c < model_.components.size(); ++c)
        if (model_.components[c].is_history == of_history) component(c);
    const Term t = transaction(1), u = transaction(2), initial{.kind = Term::Kind::initial};
    for (const auto& [a, b] : {std::pair(t, u), std::pair(u, t)}) {
      add({.kind = Kind::session_order, .terms = {a, b}});
      for (std::uint32_t i = 0; i < model_.orders.size(); ++i)
        add({.kind = Kind::order, .index = i, .terms = {a, b}});
    }
    add({.kind = Kind::equal, .terms = {t, initial}});
    add({.kind = Kind::equal, .terms = {u, initial}});
    add({.kind = Kind::equal, .terms = {owner(1), owner(2)}});
    if (atoms_.list.size() > most_atoms) atoms_.list.resize(most_atoms);
    return std::move(atoms_);
  }

 private:
  static Term owner(std::uint32_t variable) {
    Term result{.kind = Term::Kind::owner, .sort = Sort::client};
    result.arguments = {transaction(variable)};
    return result;
  }

  void component(std::uint32_t number) {
    const Component& component = model_.components[number];
    std::vector<std::vector<Term>> places = {{}};
    for (const Sort sort : component.parameters) {
      std::vector<std::vector<Term>> longer;
      for (const std::vector<Term>& place : places) {
        for (const Term& argument : arguments(sort)) {
          longer.push_back(place);
          longer.back().push_back(argument);
        }
      }
      places = std::move(longer);
    }
    for (const std::vector<Term>& place : places) {
      switch (component.kind) {
        case Component::Kind::relation:
          add({.kind = Kind::relation, .index = number, .terms = place});
          break;
        case Component::Kind::enumeration: {
          const std::size_t values = model_.enumerations[component.enumeration].values.size();
          for (std::uint32_t value = 0; value < values; ++value)
            add({.kind = Kind::is_value,
                 .index = number,
                 .values = std::uint64_t{1} << value,
                 .terms = place},
                groups_);
          ++groups_;
          break;
        }
        case Component::Kind::reference: {
          if (!component.is_total)
            add({.kind = Kind::refers_to_none, .index = number, .terms = place});
          for (const Term& target : targets(component)) {
            Formula refers{.kind = Kind::refers_to, .index = number, .terms = place};
            refers.terms.push_back(target);
            add(std::move(refers));
          }
          break;
        }
      }
    }
  }

  static std::vector<Term> arguments(Sort sort) {
    if (sort == Sort::key) return {key()};
    if (sort == Sort::transaction) return {transaction(1), transaction(2)};
    return {owner(1), owner(2)};
  }

  // A transaction, or what a total reference of the key refers to.
  std::vector<Term> targets(const Component& of) const {
    std::vector<Term> result = {transaction(1), transaction(2)};
    if (of.is_total) return result;
    for (std::uint32_t c = 0; c < model_.components.size(); ++c) {
      const Component& other = model_.components[c];
      if (other.kind != Component::Kind::reference || !other.is_total) continue;
      Term term{.kind = Term::Kind::reference, .index = c};
      for (const Sort sort : other.parameters) {
        if (sort != Sort::key) return result;
        term.arguments.push_back(key());
      }
      result.push_back(std::move(term));
    }
    return result;
  }

  static bool mentions(const Term& term, std::uint32_t variable) {
    if (term.kind == Term::Kind::variable)
      return term.sort == Sort::transaction && term.index == variable;
    return std::ranges::any_of(term.arguments,
                               [=](const Term& part) { return mentions(part, variable); });
  }
  static bool has_owner_of(const Formula& formula, std::uint32_t variable) {
    return std::ranges::any_of(formula.terms, [=](const Term& term) {
      return term.kind == Term::Kind::owner && mentions(term, variable);
    });
  }

  // The initial transaction has no owner: an atom about its owner is false.
  void add(Formula formula, int group = -1) {
    Atoms::Atom atom{.formula = {}, .group = group};
    std::vector<FormulaPtr> parts;
    for (const std::uint32_t variable : {1u, 2u}) {
      const bool is_mentioned = std::ranges::any_of(
          formula.terms, [=](const Term& term) { return mentions(term, variable); });
      (variable == 1 ? atom.is_of_t : atom.is_of_u) = is_mentioned;
      if (has_owner_of(formula, variable)) parts.push_back(is_not_initial(variable));
    }
    atom.formula = formula_of(std::move(formula));
    if (!parts.empty()) {
      parts.push_back(atom.formula);
      atom.formula = formula_of({.kind = Kind::conjunction, .children = std::move(parts)});
    }
    atoms_.list.push_back(std::move(atom));
  }

  const Model& model_;
  Atoms atoms_;
  int groups_ = 0;
};

AtomSet all_atoms() {
  AtomSet set;
  set.fill(~std::uint64_t{0});
  return set;
}

void keep(AtomSet& set, const AtomSet& other) {
  for (std::size_t i = 0; i < set.size(); ++i) set[i] &= other[i];
}

void unite(AtomSet& set, const AtomSet& other) {
  for (std::size_t i = 0; i < set.size(); ++i) set[i] |= other[i];
}

// Collects clauses from short to long; one that is implied by a clause that was kept is left out.
class Candidates {
 public:
  Candidates(const Atoms& atoms, const Samples& samples, const Limits& limits)
      : atoms_(atoms), samples_(samples), limits_(limits) {}

  std::vector<Clause> run() {
    const std::size_t n = atoms_.list.size();
    consequences({});
    for (std::size_t a = 0; a < n; ++a) consequences({a});
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a + 1; b < n && !limits_.reached_now(); ++b) consequences({a, b});
    return std::move(clauses_);
  }

 private:
  // What is always, and what is never, true together with all of `given`.
  void consequences(const std::vector<std::size_t>& given) {
    AtomSet if_all = {};
    for (const std::size_t atom : given) add(if_all, atom);
    for (std::size_t i = 0; i < given.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (same_group(given[i], given[j])) return;
    AtomSet always = all_atoms(), ever = {};
    bool happens = false;
    for (const AtomSet& facts : samples_.facts) {
      if (!contains(facts, if_all)) continue;
      happens = true;
      keep(always, facts);
      unite(ever, facts);
    }
    if (!happens) return;  // said by a shorter one
    for (std::size_t atom = 0; atom < atoms_.list.size(); ++atom) {
      if (has(if_all, atom)) continue;
      if (has(always, atom)) try_clause(given, atom, true);
      if (!has(ever, atom) && (given.empty() || atom > given.back()))
        try_clause(given, atom, false);
    }
  }

  bool same_group(std::size_t a, std::size_t b) const {
    return atoms_.list[a].group >= 0 && atoms_.list[a].group == atoms_.list[b].group;
  }

  void try_clause(const std::vector<std::size_t>& given, std::size_t atom, bool is_consequence) {
    Clause clause;
    for (const std::size_t one : given) {
      if (same_group(one, atom)) return;  // true of every state
      add(clause.if_all, one);
    }
    add(is_consequence ? clause.then_any : clause.if_all, atom);
    // A part of it that was kept says more.
    const std::size_t parts = given.size();
    for (std::size_t left_out = 0; left_out < (std::size_t{1} << parts) - 1; ++left_out) {
      Clause part;
      for (std::size_t i = 0; i < parts; ++i)
        if ((left_out >> i & 1) != 0) add(part.if_all, given[i]);
      if (kept_.contains({part.if_all, {}})) return;
      add(is_consequence ? part.then_any : part.if_all, atom);
      if (kept_.contains({part.if_all, part.then_any})) return;
    }
    bool of_t = false, of_u = false;
    for (std::size_t i = 0; i < atoms_.list.size(); ++i) {
      if (!has(clause.if_all, i) && !has(clause.then_any, i)) continue;
      of_t = of_t || atoms_.list[i].is_of_t;
      of_u = of_u || atoms_.list[i].is_of_u;
    }
    if (of_u && !of_t) return;  // the same is said of t
    clause.is_of_two = of_t && of_u;
    kept_.insert({clause.if_all, clause.then_any});
    clauses_.push_back(clause);
  }

  const Atoms& atoms_;
  const Samples& samples_;
  const Limits& limits_;
  std::vector<Clause> clauses_;
  std::set<std::pair<AtomSet, AtomSet>> kept_;
};

}  // namespace

bool contains(const AtomSet& set, const AtomSet& part) {
  for (std::size_t i = 0; i < set.size(); ++i)
    if ((part[i] & ~set[i]) != 0) return false;
  return true;
}

bool meets(const AtomSet& a, const AtomSet& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] & b[i]) != 0) return true;
  return false;
}

Atoms atoms_of(const Model& model) { return Collector(model).run(); }

std::string text_of(const Clause& clause, const Atoms& atoms, const Model& model) {
  const std::vector<std::string> names = {"k", "t", "u"};
  std::string text;
  for (std::size_t i = 0; i < atoms.list.size(); ++i)
    if (has(clause.if_all, i))
      text += (text.empty() ? "" : " and ") + text_of(*atoms.list[i].formula, model, names);
  if (clause.is_of_two) text = text.empty() ? "t != u" : "t != u and " + text;
  std::string conclusion;
  for (std::size_t i = 0; i < atoms.list.size(); ++i)
    if (has(clause.then_any, i))
      conclusion +=
          (conclusion.empty() ? "" : " or ") + text_of(*atoms.list[i].formula, model, names);
  if (conclusion.empty()) return "not (" + text + ")";
  return text.empty() ? conclusion : text + " => " + conclusion;
}

std::vector<Clause> candidates(const Atoms& atoms, const Samples& samples, const Limits& limits) {
  return Candidates(atoms, samples, limits).run();
}

}  // namespace isoscope::protocol
