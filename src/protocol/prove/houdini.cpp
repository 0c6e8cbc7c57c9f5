#include "protocol/prove/houdini.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/contract.h"
#include "protocol/prove/houdini_step.h"

namespace isoscope::protocol {

using circuit::no;
using circuit::yes;

Houdini::Houdini(const Model& model, const Atoms& atoms, std::vector<Clause> clauses,
                 std::vector<Invariant> formulas, const Constants& for_goals, const Limits& limits)
    : model_(model), atoms_(atoms), clauses_(std::move(clauses)), formulas_(std::move(formulas)) {
  alive_.assign(size(), true);
  Constants constants = for_goals;
  constants[Sort::key] = std::max<std::size_t>(constants[Sort::key], 1);
  constants[Sort::transaction] = std::max<std::size_t>(constants[Sort::transaction], 2);
  for (const Invariant& invariant : formulas_) {
    const Constants own = constants_for(*invariant.formula, Ground::Use::denied);
    for (std::size_t i = 0; i < own.count.size(); ++i)
      constants.count[i] = std::max(constants.count[i], own.count[i]);
  }
  for (std::size_t e = 0; e <= model.events.size(); ++e) {
    auto step = std::make_unique<Step>();
    step->event = e < model.events.size() ? &model.events[e] : nullptr;
    step->ground = std::make_unique<Ground>(step->circuit, model, step->event, constants);
    Ground& ground = *step->ground;
    const When after = step->event ? When::after : When::before;
    const Ground::Element k = ground.free_constants(Sort::key)[0];
    const Ground::Element t = ground.free_constants(Sort::transaction)[0];
    const Ground::Element u = ground.free_constants(Sort::transaction)[1];
    step->same_after = ground.equal(Sort::transaction, t, u);
    for (const Atoms::Atom& atom : atoms.list)
      step->after.push_back(ground.holds(*atom.formula, std::vector{k, t, u}, after));
    for (Ground::Element key = 0; step->event && key < ground.count(Sort::key); ++key) {
      for (Ground::Element a = 0; a < ground.count(Sort::transaction); ++a) {
        for (Ground::Element b = 0; b < ground.count(Sort::transaction); ++b) {
          if (a == b || limits.reached_now()) continue;
          Step::Place place{key, a, b, ground.equal(Sort::transaction, a, b), {}};
          for (const Atoms::Atom& atom : atoms.list)
            place.atoms.push_back(
                ground.holds(*atom.formula, std::vector{key, a, b}, When::before));
          step->place_of.emplace(std::array{key, a, b}, step->places.size());
          step->places.push_back(std::move(place));
        }
      }
    }
    steps_.push_back(std::move(step));
  }
}

Houdini::~Houdini() = default;

void Houdini::assume(std::uint32_t event, const std::vector<Claim>& claims, const Limits& limits) {
  Step& step = *steps_[event];
  for (const Claim& claim : claims) protocol::assume(claim, *step.ground, step.circuit, limits);
}

// The bit under which a candidate's instances are assumed. The instances of a formula are added all
// at once.
Bit Houdini::activation(Step& step, std::size_t candidate) {
  const auto [it, is_new] = step.active.try_emplace(candidate, no);
  if (!is_new) return it->second;
  it->second = step.circuit.variable();
  if (candidate >= clauses_.size()) {
    Constants none_left;
    none_left.count.fill(1'000'000);
    const Formula& formula = *formulas_[candidate - clauses_.size()].formula;
    step.circuit.require(step.circuit.implies(
        it->second,
        step.ground->holds(formula, {}, When::before, Ground::Use::assumed, none_left)));
  }
  return it->second;
}

Bit Houdini::failure_after(Step& step, std::size_t candidate) {
  const auto [it, is_new] = step.failures.try_emplace(candidate, no);
  if (!is_new) return it->second;
  if (candidate >= clauses_.size()) {
    Constants next;
    const When when = step.event ? When::after : When::before;
    const Formula& formula = *formulas_[candidate - clauses_.size()].formula;
    return it->second = !step.ground->holds(formula, {}, when, Ground::Use::denied, next);
  }
  const Clause& clause = clauses_[candidate];
  std::vector<Bit> all;
  for (std::size_t i = 0; i < atoms_.list.size(); ++i) {
    if (has(clause.if_all, i)) all.push_back(step.after[i]);
    if (has(clause.then_any, i)) all.push_back(!step.after[i]);
  }
  if (clause.is_of_two) all.push_back(!step.same_after);
  return it->second = step.circuit.all_of(std::move(all));
}

AtomSet Houdini::facts_after(Step& step) {
  AtomSet facts = {};
  for (std::size_t i = 0; i < atoms_.list.size(); ++i)
    if (step.circuit.value(step.after[i])) add(facts, i);
  return facts;
}

// Adds instances that the solver's model contradicts, some for every place.
bool Houdini::add_contradicted(Step& step) {
  constexpr std::size_t most_at_once = 20;
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t p = 0; p < step.places.size(); ++p) {
    const Step::Place& place = step.places[p];
    AtomSet facts = {};
    for (std::size_t i = 0; i < atoms_.list.size(); ++i)
      if (step.circuit.value(place.atoms[i])) add(facts, i);
    const bool same = step.circuit.value(place.same);
    std::size_t here = 0;
    for (std::size_t c = 0; c < clauses_.size() && here < most_at_once; ++c) {
      if (!alive_[c] || !clauses_[c].fails(facts, same)) continue;
      found.emplace_back(c, p);
      ++here;
    }
  }
  for (const auto& [c, p] : found) {
    if (!step.instances.insert({c, p}).second) continue;
    const Step::Place& place = step.places[p];
    std::vector<Bit> any = {!activation(step, c)};
    if (clauses_[c].is_of_two) any.push_back(place.same);
    for (std::size_t i = 0; i < atoms_.list.size(); ++i) {
      if (has(clauses_[c].if_all, i)) any.push_back(!place.atoms[i]);
      if (has(clauses_[c].then_any, i)) any.push_back(place.atoms[i]);
    }
    step.circuit.require(step.circuit.any_of(std::move(any)));
  }
  return !found.empty();
}

// Asks the solver, with all candidates assumed that are still alive. False if a limit was reached.
bool Houdini::solve(Step& step, const std::vector<Bit>& question, bool remember,
                    bool& is_satisfiable, const Limits& limits) {
  if (step.event)
    for (std::size_t f = 0; f < formulas_.size(); ++f) activation(step, clauses_.size() + f);
  while (true) {
    std::vector<Bit> assumed = question;
    for (const auto& [candidate, bit] : step.active)
      if (is_assumed(candidate)) assumed.push_back(bit);
    ++calls_;
    const Satisfiability answer = step.circuit.solve(assumed, limits);
    if (answer == Satisfiability::stopped) return false;
    is_satisfiable = answer == Satisfiability::satisfiable;
    if (!is_satisfiable) {
      if (remember)
        for (const auto& [candidate, bit] : step.active)
          if (alive_[candidate] && step.circuit.mattered(bit)) used_.insert(candidate);
      return true;
    }
    if (!add_contradicted(step)) return true;
  }
}

bool Houdini::run(const Limits& limits, Progress& progress) {
  // The start first: it needs no assumptions, and what is false there is gone.
  bool is_changed = true;
  for (std::size_t round = 1; is_changed; ++round) {
    is_changed = false;
    progress.phase("invariants, round " + std::to_string(round), steps_.size());
    for (std::size_t s = steps_.size(); s-- > 0;) {
      Step& step = *steps_[s];
      while (true) {
        std::vector<Bit> failures;
        for (std::size_t c = 0; c < size(); ++c)
          if (alive_[c]) failures.push_back(failure_after(step, c));
        bool is_satisfiable = false;
        if (!solve(step, {step.circuit.any_of(std::move(failures))}, false, is_satisfiable, limits))
          return false;
        if (!is_satisfiable) break;
        const AtomSet facts = facts_after(step);
        const bool same = step.circuit.value(step.same_after);
        std::size_t dropped = 0;
        for (std::size_t c = 0; c < size(); ++c) {
          const bool fails = c < clauses_.size() ? clauses_[c].fails(facts, same)
                                                 : step.circuit.value(failure_after(step, c));
          if (!alive_[c] || !fails) continue;
          alive_[c] = false;
          ++dropped;
        }
        ISOSCOPE_REQUIRE(dropped > 0);
        is_changed = true;
      }
      progress.advance(steps_.size() - s);
    }
  }
  return true;
}

Houdini::Conclusion Houdini::prove(std::optional<std::uint32_t> event, const Claim& claim,
                                   const Limits& limits) {
  Step& step = *steps_[event.value_or(static_cast<std::uint32_t>(model_.events.size()))];
  bool is_satisfiable = false;
  const bool remember = supposed_ == 0;
  if (!solve(step, {opposite_of(claim, *step.ground, step.circuit)}, remember, is_satisfiable,
             limits))
    return Conclusion::stopped;
  return is_satisfiable ? Conclusion::open : Conclusion::proved;
}

Houdini::Conclusion Houdini::is_possible(std::uint32_t event, const Limits& limits) {
  bool is_satisfiable = false;
  if (!solve(*steps_[event], {}, false, is_satisfiable, limits)) return Conclusion::stopped;
  return is_satisfiable ? Conclusion::proved : Conclusion::open;
}

void Houdini::add_candidates(std::vector<Invariant> formulas) {
  for (Invariant& formula : formulas) formulas_.push_back(std::move(formula));
  alive_.assign(size(), true);
}

// Everything that the model says of the event's and the claim's keys and transactions, those that
// are the same there taken together.
Cube Houdini::cube_of_model(Step& step, const Constants& named_constants, std::vector<Bit>& bits,
                            std::vector<Bit>& which_are_the_same) const {
  Ground& ground = *step.ground;
  const auto different = [&](Sort sort, std::size_t most) {
    std::vector<Ground::Element> named, kept;
    for (std::size_t i = 0; i < step.event->parameters.size(); ++i)
      if (step.event->parameters[i].sort == sort) named.push_back(ground.parameters()[i]);
    for (std::size_t i = 0; i < named_constants[sort]; ++i)
      named.push_back(ground.free_constants(sort)[i]);
    for (const Ground::Element element : named) {
      bool is_new = true;
      for (const Ground::Element other : kept) {
        const Bit equal = ground.equal(sort, element, other);
        const bool is_equal = step.circuit.value(equal);
        which_are_the_same.push_back(is_equal ? equal : !equal);
        is_new = is_new && !is_equal;
      }
      if (is_new && kept.size() < most) kept.push_back(element);
    }
    return kept;
  };
  std::vector<Ground::Element> keys = different(Sort::key, 2);
  std::vector<Ground::Element> transactions = different(Sort::transaction, 5);
  if (keys.empty()) keys.push_back(0);
  if (transactions.size() < 2)
    transactions.push_back(transactions.empty() || transactions[0] != 0 ? 0 : 1);
  Cube cube{.keys = static_cast<std::uint8_t>(keys.size()),
            .transactions = static_cast<std::uint8_t>(transactions.size()),
            .literals = {}};
  for (std::uint8_t k = 0; k < keys.size(); ++k) {
    for (std::uint8_t t = 0; t < transactions.size(); ++t) {
      for (std::uint8_t u = 0; u < transactions.size(); ++u) {
        if (t == u) continue;
        const Step::Place& place =
            step.places[step.place_of.at({keys[k], transactions[t], transactions[u]})];
        for (std::uint32_t i = 0; i < atoms_.list.size(); ++i) {
          // What is of one transaction, once; what is of two, once.
          const Atoms::Atom& atom = atoms_.list[i];
          const bool is_first = u == (t == 0 ? 1 : 0);
          if (!atom.is_of_t || (!atom.is_of_u && !is_first)) continue;
          const bool is_true = step.circuit.value(place.atoms[i]);
          cube.literals.push_back({i, is_true, k, t, u});
          bits.push_back(is_true ? place.atoms[i] : !place.atoms[i]);
        }
      }
    }
  }
  return cube;
}

std::vector<Cube> Houdini::causes(std::optional<std::uint32_t> event, const Claim& claim,
                                  const Samples& samples, const Limits& limits) {
  if (!event) return {};
  Step& step = *steps_[*event];
  return causes(step, !opposite_of(claim, *step.ground, step.circuit), constants_for(claim),
                samples, limits);
}

std::vector<Cube> Houdini::causes(Step& step, Bit wanted, const Constants& named,
                                  const Samples& samples, const Limits& limits) {
  std::vector<Bit> bits, fixed;
  const Cube everything = cube_of_model(step, named, bits, fixed);
  fixed.push_back(wanted);
  for (const auto& [candidate, bit] : step.active)
    if (is_assumed(candidate)) fixed.push_back(bit);
  if (is_covered(everything, samples) && is_sampled(everything, samples, limits)) return {};

  std::vector<Cube> result;
  if (std::optional<Cube> cube = enough(step, fixed, everything, bits, limits)) {
    // These facts matter only where the event can happen. If a sample has them all, the event
    // cannot happen there, and more of what was true is needed to say so.
    if (is_covered(everything, samples)) {
      const Cube core = without_unused(with_more(*std::move(cube), everything, samples, limits));
      result.push_back(with_fewer(core, samples, limits));
      result.push_back(core);
    }
  }
  // Something may be wrong already with one key and three of the transactions.
  for (const Cube& part : parts_of(everything)) {
    if (is_sampled(part, samples, limits)) continue;
    Cube nothing_yet = part;
    nothing_yet.literals.clear();
    result.push_back(without_unused(with_more(nothing_yet, part, samples, limits)));
  }
  if (limits.reached_now()) return {};  // what was not finished may have samples in it
  std::erase_if(result, [](const Cube& cube) {
    return cube.transactions > most_transactions_of_a_cube || cube.literals.empty();
  });
  return result;
}

// Which of the facts are enough to make false what is wanted? As few as possible.
std::optional<Cube> Houdini::enough(Step& step, const std::vector<Bit>& fixed,
                                    const Cube& everything, std::vector<Bit> bits,
                                    const Limits& limits) {
  Cube cube = everything;
  const auto are_enough = [&](const std::vector<Bit>& some) {
    std::vector<Bit> assumed = fixed;
    assumed.insert(assumed.end(), some.begin(), some.end());
    ++calls_;
    return step.circuit.solve(assumed, limits) == Satisfiability::unsatisfiable;
  };
  const auto keep_what_mattered = [&](Cube& of, std::vector<Bit>& its_bits) {
    Cube kept = of;
    kept.literals.clear();
    std::vector<Bit> kept_bits;
    for (std::size_t i = 0; i < its_bits.size(); ++i) {
      if (!step.circuit.mattered(its_bits[i])) continue;
      kept.literals.push_back(of.literals[i]);
      kept_bits.push_back(its_bits[i]);
    }
    of = std::move(kept);
    its_bits = std::move(kept_bits);
  };
  if (!are_enough(bits)) return {};
  keep_what_mattered(cube, bits);
  for (std::size_t i = bits.size(); i-- > 0;) {
    std::vector<Bit> fewer = bits;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (!are_enough(fewer)) continue;
    Cube smaller = cube;
    smaller.literals.erase(smaller.literals.begin() + static_cast<std::ptrdiff_t>(i));
    keep_what_mattered(smaller, fewer);
    cube = std::move(smaller);
    bits = std::move(fewer);
    i = std::min(i, bits.size());
  }
  return cube;
}

std::optional<std::set<std::size_t>> Houdini::needed(const Limits& limits) {
  std::set<std::size_t> done;
  while (done.size() < used_.size()) {
    const std::vector<std::size_t> all(used_.begin(), used_.end());
    for (const std::size_t candidate : all) {
      if (!done.insert(candidate).second) continue;
      for (const std::unique_ptr<Step>& step : steps_) {
        bool is_satisfiable = false;
        if (!solve(*step, {failure_after(*step, candidate)}, true, is_satisfiable, limits))
          return {};
        ISOSCOPE_REQUIRE(!is_satisfiable);
      }
    }
  }
  return used_;
}

std::vector<Clause> Houdini::alive_clauses() const {
  std::vector<Clause> result;
  for (std::size_t c = 0; c < clauses_.size(); ++c)
    if (alive_[c]) result.push_back(clauses_[c]);
  return result;
}

std::size_t Houdini::alive_count() const {
  return static_cast<std::size_t>(std::ranges::count(alive_, true));
}

}  // namespace isoscope::protocol
