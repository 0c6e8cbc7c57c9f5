#include "protocol/prove/claim_values.h"

#include <algorithm>
#include <utility>

#include "isoscope/base/words.h"
#include "isoscope/protocol/formula_text.h"
#include "protocol/model/make_formula.h"

namespace isoscope::protocol {

using Element = Ground::Element;

ClaimValues::ClaimValues(const Claim& claim, const Model& model, const Event* event, Ground& ground,
                         Circuit& circuit)
    : claim_(claim),
      model_(model),
      event_(event),
      circuit_(circuit),
      variables_(ground.parameters()) {
  Constants next;
  for (const Sort sort : claim.variables)
    variables_.push_back(ground.free_constants(sort)[next[sort]++]);
  build(claim.body, ground);
}

Sort ClaimValues::sort_of(std::uint32_t variable) const {
  if (variable == initial_variable) return Sort::transaction;
  const std::size_t own = event_ ? event_->parameters.size() : 0;
  return variable < own ? event_->parameters[variable].sort : claim_.variables[variable - own];
}

std::vector<std::string> ClaimValues::objections(Names& names) const {
  std::vector<std::string> result;
  explain(claim_.body, false, names, result);
  return result;
}

std::vector<std::string> ClaimValues::arguments(const Proposition& p, Names& names) const {
  std::vector<std::string> result;
  for (const std::uint32_t argument : p.arguments)
    result.push_back(names.at(sort_of(argument), element(argument)));
  return result;
}

void ClaimValues::mention(const Proposition& p, Names& names, Mentions& to) const {
  if (p.kind == Proposition::Kind::formula) to.add(*p.formula, arguments(p, names));
  if (p.kind == Proposition::Kind::session_order) to.add_sessions();
  for (const Proposition& part : p.parts) mention(part, names, to);
}

void ClaimValues::build(const Proposition& p, Ground& ground) {
  for (const Proposition& part : p.parts) build(part, ground);
  switch (p.kind) {
    case Proposition::Kind::formula: {
      std::vector<Element> arguments;
      for (const std::uint32_t argument : p.arguments) arguments.push_back(element(argument));
      leaves_[&p] = ground.holds(*p.formula, arguments, p.when);
      break;
    }
    case Proposition::Kind::equal:
      leaves_[&p] = ground.equal(p.sort, element(p.arguments[0]), element(p.arguments[1]));
      break;
    case Proposition::Kind::session_order:
      leaves_[&p] = ground.session_order(element(p.arguments[0]), element(p.arguments[1]));
      break;
    case Proposition::Kind::same_owner:
      leaves_[&p] = ground.same_owner(element(p.arguments[0]), element(p.arguments[1]));
      break;
    default:
      break;
  }
}

bool ClaimValues::value(const Proposition& p) const {
  const auto is_true = [this](const Proposition& part) { return value(part); };
  switch (p.kind) {
    case Proposition::Kind::negation:
      return !value(p.parts[0]);
    case Proposition::Kind::conjunction:
      return std::ranges::all_of(p.parts, is_true);
    case Proposition::Kind::disjunction:
      return std::ranges::any_of(p.parts, is_true);
    default:
      return circuit_.value(leaves_.at(&p));
  }
}

void ClaimValues::explain(const Proposition& p, bool is_true, Names& names,
                          std::vector<std::string>& to) const {
  switch (p.kind) {
    case Proposition::Kind::negation:
      return explain(p.parts[0], !is_true, names, to);
    case Proposition::Kind::conjunction:
    case Proposition::Kind::disjunction: {
      const bool needs_all = (p.kind == Proposition::Kind::conjunction) == is_true;
      for (const Proposition& part : p.parts) {
        if (!needs_all && value(part) != is_true) continue;
        explain(part, is_true, names, to);
        if (!needs_all) break;
      }
      return;
    }
    default:
      const std::string text = leaf_text(p, is_true, names);
      if (!text.empty() && std::ranges::find(to, text) == to.end()) to.push_back(text);
  }
}

// Whether two names are the same thing can be seen from the names.
std::string ClaimValues::leaf_text(const Proposition& p, bool is_true, Names& names) const {
  const auto transaction = [&](std::size_t i) {
    return names.at(Sort::transaction, element(p.arguments[i]));
  };
  const std::string no = is_true ? "" : "not ";
  switch (p.kind) {
    case Proposition::Kind::session_order:
      return no + "so(" + transaction(0) + ", " + transaction(1) + ")";
    case Proposition::Kind::same_owner:
      return "owner(" + transaction(0) + (is_true ? ") = owner(" : ") != owner(") + transaction(1) +
             ")";
    case Proposition::Kind::formula:
      break;
    default:
      return "";
  }
  const std::string after = event_ && p.when == When::after ? " afterwards" : "";
  return formula_text(p, is_true, names) + after;
}

std::string ClaimValues::formula_text(const Proposition& p, bool is_true, Names& names) const {
  const std::vector<std::string> words = arguments(p, names);
  const std::string all = joined(words);
  const std::string no = is_true ? "" : "not ";
  const Observation& seen = model_.observation;
  if (p.formula == seen.committed.formula)
    return all + (is_true ? " is committed" : " is not committed");
  if (p.formula == seen.reads.formula)
    return words[0] + (is_true ? " reads " : " does not read ") + words[1] + " from " + words[2];
  if (p.formula == seen.writes.formula)
    return words[0] + (is_true ? " writes " : " does not write ") + words[1];
  if (model_.refinement) {
    const Refinement& map = *model_.refinement;
    const std::pair<const char*, const Named*> maps[] = {{"installed", &map.installed},
                                                         {"before", &map.before},
                                                         {"reader", &map.reader},
                                                         {"sees", &map.sees}};
    for (const auto& [name, named] : maps)
      if (named->formula && p.formula == named->formula) return no + name + "(" + all + ")";
    const std::string last = words.empty() ? "" : words.back();
    for (const auto& [number, formula] : map.view)
      if (p.formula == formula) return last + (is_true ? " is in its view" : " is not in its view");
    for (const auto& [number, formula] : map.auxiliary)
      if (p.formula == formula) return last + (is_true ? " is auxiliary" : " is not auxiliary");
  }
  if (model_.witness) {
    const OrderWitness& witness = *model_.witness;
    if (p.formula == witness.before.formula) return no + "order(" + all + ")";
    if (p.formula == witness.sees.formula) return no + "sees(" + all + ")";
  }
  // Something that the prover adds.
  const FormulaPtr shown =
      is_true ? p.formula : formula_of({.kind = Formula::Kind::negation, .children = {p.formula}});
  return text_of(*shown, model_, words);
}

}  // namespace isoscope::protocol
