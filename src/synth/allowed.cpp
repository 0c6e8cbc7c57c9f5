#include "isoscope/base/contract.h"
#include "isoscope/synth/synthesize.h"
#include "synth/execution_bits.h"

namespace isoscope::synth {

std::optional<Allowed> is_allowed(const spec::Definition& definition,
                                  const spec::Structure& structure, const Limits& limits) {
  Circuit circuit;
  const BitHistory history = constant_history(structure);
  Encoder encoder(circuit, history);
  add_free_execution(circuit, encoder, definition, history.transactions, history.keys,
                     history.writes, {});
  circuit.require(is_execution(circuit, encoder, definition));
  switch (circuit.solve({}, limits)) {
    case Satisfiability::stopped:
      return {};
    case Satisfiability::unsatisfiable:
      return Allowed{};
    case Satisfiability::satisfiable:
      break;
  }
  return Allowed{execution_of(circuit, encoder, definition)};
}

namespace {

struct Instance {
  Demand demand;
  Bit bit;
};

// Every demand on an execution, one by one: each pair of a bound, each instance of an axiom.
std::vector<Instance> instances_of(Circuit& circuit, Encoder& encoder,
                                   const spec::Definition& definition) {
  std::vector<Instance> result;
  const auto add_bound = [&](const std::string& name, const BitValue& smaller,
                             const BitValue& larger) {
    for (std::size_t x = 0; x < smaller.size(); ++x) {
      const BitRelation& pairs = smaller[x];
      for (std::uint32_t i = 0; i < pairs.rows(); ++i) {
        for (std::uint32_t j = 0; j < pairs.columns(); ++j) {
          const Bit bit = circuit.implies(pairs.at(i, j), larger[x].at(i, j));
          if (bit == yes) continue;
          Demand demand{.axiom = name, .bound = {}};
          if (smaller.size() > 1)
            demand.bound.emplace_back(spec::Sort::key, static_cast<std::uint32_t>(x));
          if (pairs.rows() > 1) demand.bound.emplace_back(spec::Sort::transaction, i);
          demand.bound.emplace_back(spec::Sort::transaction, j);
          result.push_back({std::move(demand), bit});
        }
      }
    }
  };
  for (std::size_t i = 0; i < definition.witnesses.size(); ++i) {
    const spec::Witness& witness = definition.witnesses[i];
    const BitValue& value = encoder.witnesses()[i];
    if (witness.at_least)
      add_bound(witness.name + " contains", encoder.value(*witness.at_least), value);
    if (witness.at_most)
      add_bound(witness.name + " is contained in", value, encoder.value(*witness.at_most));
  }
  for (const spec::Axiom& axiom : definition.axioms)
    encoder.for_each_instance(*axiom.formula, [&](const auto& bound, Bit bit) {
      if (bit != yes) result.push_back({{.axiom = axiom.name, .bound = bound}, bit});
    });
  return result;
}

}  // namespace

std::vector<Demand> why_forbidden(const spec::Definition& definition,
                                  const spec::Structure& structure, const Limits& limits) {
  Circuit circuit;
  const BitHistory history = constant_history(structure);
  Encoder encoder(circuit, history);
  // Bounds are demands like all others here, not what witnesses are made from.
  spec::Definition unbounded = definition;
  for (spec::Witness& witness : unbounded.witnesses) witness.at_least = witness.at_most = {};
  add_free_execution(circuit, encoder, unbounded, history.transactions, history.keys,
                     history.writes, {});
  std::vector<Instance> needed = instances_of(circuit, encoder, definition);

  const auto cannot_hold = [&](const std::vector<Instance>& tried) {
    std::vector<Bit> assumed;
    for (const Instance& instance : tried) assumed.push_back(instance.bit);
    return circuit.solve(assumed, limits) == Satisfiability::unsatisfiable;
  };
  const auto keep_what_mattered = [&](std::vector<Instance>& tried) {
    std::erase_if(tried, [&](const Instance& i) { return !circuit.mattered(i.bit); });
  };
  if (!cannot_hold(needed)) return {};
  keep_what_mattered(needed);
  // Each of the rest is left out in turn; it stays out if it is not needed.
  for (std::size_t i = needed.size(); i-- > 0;) {
    std::vector<Instance> without = needed;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (!cannot_hold(without)) continue;
    keep_what_mattered(without);
    i = std::min(i, without.size());
    needed = std::move(without);
  }
  std::vector<Demand> result;
  for (Instance& instance : needed) result.push_back(std::move(instance.demand));
  return result;
}

}  // namespace isoscope::synth
