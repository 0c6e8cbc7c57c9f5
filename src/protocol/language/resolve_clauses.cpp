#include <algorithm>

#include "isoscope/base/suggestion.h"
#include "protocol/language/resolve.h"

// Formulas with headings: what clients see, the refinement, the witness.

namespace isoscope::protocol {

Result<std::vector<Variable>> Resolver::variables_of(const Clause& clause,
                                                     const std::vector<Sort>& sorts) const {
  if (clause.variables.size() != sorts.size()) {
    return error(clause.name.where, wrong_count(clause.name.text, sorts, clause.variables.size()));
  }
  std::vector<Variable> result;
  for (std::size_t i = 0; i < sorts.size(); ++i)
    result.push_back({clause.variables[i].text, sorts[i]});
  return result;
}

Result<Named> Resolver::named_formula(const Clause& clause, std::vector<Variable> variables) {
  Named result;
  Scope scope;
  const std::size_t given = variables.size() - clause.variables.size();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Position where = i < given ? clause.name.where : clause.variables[i - given].where;
    ISOSCOPE_TRY_STATUS(bind({variables[i].name, where}, variables[i].sort, scope));
  }
  ISOSCOPE_TRY(body, formula(*clause.body, scope));
  result.variables = std::move(variables);
  result.formula = std::move(body);
  return result;
}

Status Resolver::add_observe(const Statement& statement) {
  Observation& observation = result_.observation;
  if (observation.committed.formula)
    return error(statement.where, "expected one `observe`, found a second");
  if (statement.parameters.size() != 1 || statement.parameters[0].sort != Sort::transaction) {
    return error(statement.parameters[0].name.where,
                 "expected one variable of `observe`, a transaction");
  }
  const Variable transaction{statement.parameters[0].name.text, Sort::transaction};
  for (const Clause& clause : statement.clauses) {
    Named* place = &observation.committed;
    std::vector<Sort> sorts;
    if (clause.name.text == "reads") {
      place = &observation.reads;
      sorts = {Sort::key, Sort::transaction};
    } else if (clause.name.text == "writes") {
      place = &observation.writes;
      sorts = {Sort::key};
    }
    if (place->formula) {
      return error(clause.name.where,
                   "expected one `" + clause.name.text + "`, found a second; join them by `or`");
    }
    ISOSCOPE_TRY(variables, variables_of(clause, sorts));
    variables.insert(variables.begin(), transaction);
    ISOSCOPE_TRY(named, named_formula(clause, std::move(variables)));
    *place = std::move(named);
  }
  if (!observation.committed.formula)
    return error(statement.where, "expected `committed when ...` in `observe`");
  const auto never = [&](Named& place, std::vector<Variable> variables) -> Status {
    if (place.formula) return Done{};
    Formula no;
    no.where = statement.where;
    ISOSCOPE_TRY(made, make(std::move(no)));
    place = {std::move(variables), std::move(made)};
    return Done{};
  };
  ISOSCOPE_TRY_STATUS(
      never(observation.reads, {transaction, {"k", Sort::key}, {"w", Sort::transaction}}));
  return never(observation.writes, {transaction, {"k", Sort::key}});
}

Status Resolver::add_map(const Statement& statement) {
  if (!result_.refinement) result_.refinement.emplace();
  Refinement& refinement = *result_.refinement;
  const Clause& clause = statement.clauses[0];
  const std::string& what = clause.name.text;
  Named* place = nullptr;
  std::vector<Sort> sorts = {Sort::key, Sort::transaction};
  if (what == "installed") {
    place = &refinement.installed;
  } else if (what == "before" || what == "reader") {
    place = what == "before" ? &refinement.before : &refinement.reader;
    sorts.push_back(Sort::transaction);
  } else if (what == "sees") {
    place = &refinement.sees;
    sorts[0] = Sort::client;
  } else {
    return error(clause.name.where,
                 "expected `installed`, `before`, `reader` or `sees` after "
                 "`map`, found `" +
                     what + "`");
  }
  if (place->formula)
    return error(statement.where, "expected one `map " + what + "`, found a second");
  ISOSCOPE_TRY(variables, variables_of(clause, sorts));
  ISOSCOPE_TRY(named, named_formula(clause, std::move(variables)));
  *place = std::move(named);
  return Done{};
}

Status Resolver::add_view(const Statement& statement) {
  if (!result_.refinement) result_.refinement.emplace();
  const Clause& clause = statement.clauses[0];
  const auto found = event_numbers_.find(clause.name.text);
  if (found == event_numbers_.end()) {
    std::vector<std::string> known;
    for (const Event& event : result_.events) known.push_back(event.name);
    return error(clause.name.where, "unknown event `" + clause.name.text + "`" +
                                        did_you_mean(clause.name.text, known));
  }
  if (!commits_[found->second]) {
    return error(clause.name.where, "expected an event that `commits` a transaction, found `" +
                                        clause.name.text + "`");
  }
  const bool is_view = statement.kind == Statement::Kind::view;
  auto& places = is_view ? result_.refinement->view : result_.refinement->auxiliary;
  for (const auto& [event, formula] : places) {
    if (event != found->second) continue;
    return error(statement.where, "expected one `" + std::string(is_view ? "view" : "auxiliary") +
                                      " " + clause.name.text + "`, found a second");
  }
  ISOSCOPE_TRY(last, variables_of(clause, {Sort::transaction}));
  std::vector<Variable> variables = result_.events[found->second].parameters;
  variables.push_back(last[0]);
  ISOSCOPE_TRY(named, named_formula(clause, std::move(variables)));
  places.emplace_back(found->second, std::move(named.formula));
  return Done{};
}

Status Resolver::add_witness(const Statement& statement) {
  if (result_.witness) return error(statement.where, "expected one `witness`, found a second");
  OrderWitness result;
  for (const Clause& clause : statement.clauses) {
    const std::string& what = clause.name.text;
    if (what != "order" && what != "sees") {
      return error(clause.name.where,
                   "expected `order` or `sees` after `witness`, found `" + what + "`");
    }
    Named& place = what == "order" ? result.before : result.sees;
    if (place.formula)
      return error(clause.name.where, "expected one `" + what + "`, found a second");
    ISOSCOPE_TRY(variables, variables_of(clause, {Sort::transaction, Sort::transaction}));
    ISOSCOPE_TRY(named, named_formula(clause, std::move(variables)));
    place = std::move(named);
  }
  if (!result.before.formula)
    return error(statement.where, "expected `order(t, u) = ...` in `witness`");
  result_.witness = std::move(result);
  return Done{};
}

}  // namespace isoscope::protocol
