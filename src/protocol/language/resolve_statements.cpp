#include <algorithm>
#include <array>

#include "isoscope/base/suggestion.h"
#include "protocol/language/resolve.h"
#include "protocol/language/static_checks.h"

namespace isoscope::protocol {

namespace {

/// The levels of the abstract model, stronger ones before weaker ones.
constexpr std::array<std::string_view, 8> levels = {"SSER", "SER", "SI", "PC",
                                                    "PSI",  "TCC", "UA", "RA"};

}  // namespace

Result<Model> Resolver::run(const Syntax& syntax) {
  for (const Statement& statement : syntax.statements) {
    if (statement.kind == Statement::Kind::enumeration)
      ISOSCOPE_TRY_STATUS(declare_enumeration(statement));
  }
  for (const Statement& statement : syntax.statements) ISOSCOPE_TRY_STATUS(declare(statement));
  std::size_t event = 0;
  for (const Statement& statement : syntax.statements) {
    ISOSCOPE_TRY_STATUS(add(statement, event));
    if (statement.kind == Statement::Kind::event) ++event;
  }
  ISOSCOPE_TRY_STATUS(check_whole(syntax));
  ISOSCOPE_TRY_STATUS(check_refines());
  ISOSCOPE_TRY_STATUS(check_statically(result_, declared_, source_));
  return std::move(result_);
}

Status Resolver::add_name(const Name& name, Global global) {
  global.line = name.where.line;
  const auto [place, is_new] = globals_.emplace(name.text, global);
  if (is_new) return Done{};
  return error(name.where, "`" + name.text + "` is declared in line " +
                               std::to_string(place->second.line) + " already");
}

Status Resolver::declare(const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::constant:
    case Statement::Kind::state:
    case Statement::Kind::history:
      return declare_component(statement);
    case Statement::Kind::versions:
      return declare_versions(statement);
    case Statement::Kind::order: {
      Global order;
      order.kind = Global::Kind::order;
      order.number = static_cast<std::uint32_t>(result_.orders.size());
      result_.orders.push_back(statement.name.text);
      return add_name(statement.name, order);
    }
    case Statement::Kind::def:
      macros_to_come_.emplace(statement.name.text, statement.where.line);
      return Done{};
    case Statement::Kind::event:
      return declare_event(statement);
    default:
      return Done{};
  }
}

Status Resolver::declare_enumeration(const Statement& statement) {
  for (const Enumeration& other : result_.enumerations) {
    if (other.name == statement.name.text)
      return error(statement.name.where, "there is another enumeration `" + other.name + "`");
  }
  Enumeration result;
  result.name = statement.name.text;
  for (const Name& value : statement.names) {
    if (std::find(result.values.begin(), result.values.end(), value.text) != result.values.end())
      return error(value.where, "`" + value.text + "` stands twice");
    if (result.values.size() == max_values) {
      return error(value.where,
                   "more than " + std::to_string(max_values) + " values in one enumeration");
    }
    result.values.push_back(value.text);
  }
  result_.enumerations.push_back(std::move(result));
  return Done{};
}

Status Resolver::declare_component(const Statement& statement) {
  Component result;
  result.name = statement.name.text;
  if (statement.parameters.size() > max_parameters) {
    return error(statement.parameters[max_parameters].name.where,
                 "more than " + std::to_string(max_parameters) + " parameters");
  }
  for (const Binder& parameter : statement.parameters) result.parameters.push_back(parameter.sort);
  result.is_constant = statement.kind == Statement::Kind::constant;
  result.is_history = statement.kind == Statement::Kind::history;
  if (result.is_constant && statement.type.kind != TypeName::Kind::boolean)
    return error(statement.type.name.where, "expected `bool`: a constant is a relation");
  switch (statement.type.kind) {
    case TypeName::Kind::boolean:
      break;
    case TypeName::Kind::enumeration: {
      result.kind = Component::Kind::enumeration;
      const auto& all = result_.enumerations;
      const auto found = std::find_if(all.begin(), all.end(), [&](const Enumeration& e) {
        return e.name == statement.type.name.text;
      });
      if (found == all.end()) {
        std::vector<std::string> known = {"bool"};
        for (const Enumeration& other : all) known.push_back(other.name);
        return error(statement.type.name.where, "unknown type `" + statement.type.name.text + "`" +
                                                    did_you_mean(statement.type.name.text, known));
      }
      result.enumeration = static_cast<std::uint32_t>(found - all.begin());
      break;
    }
    case TypeName::Kind::reference:
      result.kind = Component::Kind::reference;
      break;
    case TypeName::Kind::total_reference:
      result.kind = Component::Kind::reference;
      result.is_total = true;
      break;
  }
  Global global;
  global.number = static_cast<std::uint32_t>(result_.components.size());
  ISOSCOPE_TRY_STATUS(add_name(statement.name, global));
  result_.components.push_back(std::move(result));
  declared_.push_back(statement.name.where);
  return Done{};
}

Status Resolver::declare_event(const Statement& statement) {
  const auto number = static_cast<std::uint32_t>(result_.events.size());
  if (!event_numbers_.emplace(statement.name.text, number).second) {
    return error(statement.name.where, "there is another event `" + statement.name.text + "`");
  }
  Event result;
  result.name = statement.name.text;
  result.where = statement.name.where;
  if (statement.parameters.size() > max_parameters) {
    return error(statement.parameters[max_parameters].name.where,
                 "more than " + std::to_string(max_parameters) + " parameters");
  }
  for (const Binder& parameter : statement.parameters)
    result.parameters.push_back({parameter.name.text, parameter.sort});
  result_.events.push_back(std::move(result));
  commits_.push_back(statement.commits.has_value());
  return Done{};
}

Status Resolver::add(const Statement& statement, std::size_t event) {
  switch (statement.kind) {
    case Statement::Kind::title:
      return add_text(statement, result_.title, "title");
    case Statement::Kind::cite:
      return add_text(statement, result_.citation, "cite");
    case Statement::Kind::claims:
      return add_claims(statement);
    case Statement::Kind::state:
    case Statement::Kind::history:
      return add_initial_value(statement);
    case Statement::Kind::participants:
      return check_participants(statement);
    case Statement::Kind::def:
      return add_macro(statement);
    case Statement::Kind::event:
      return add_event(statement, result_.events[event]);
    case Statement::Kind::observe:
      return add_observe(statement);
    case Statement::Kind::map:
      return add_map(statement);
    case Statement::Kind::view:
    case Statement::Kind::auxiliary:
      return add_view(statement);
    case Statement::Kind::witness:
      return add_witness(statement);
    case Statement::Kind::refines:
      return add_refines(statement);
    case Statement::Kind::invariant:
      return add_invariant(statement);
    case Statement::Kind::enumeration:
    case Statement::Kind::order:
    case Statement::Kind::constant:
    case Statement::Kind::versions:
      break;
  }
  return Done{};
}

Status Resolver::add_text(const Statement& statement, std::string& place, std::string_view what) {
  if (statement.name.text.empty())
    return error(statement.name.where, "expected a text that is not empty");
  if (!place.empty())
    return error(statement.where, "expected one `" + std::string(what) + "`, found a second");
  place = statement.name.text;
  return Done{};
}

Status Resolver::add_claims(const Statement& statement) {
  if (!result_.claims.empty())
    return error(statement.where, "expected one `claims`, found a second");
  for (const Name& claim : statement.names) {
    const auto level = std::find(levels.begin(), levels.end(), claim.text);
    if (level == levels.end()) {
      return error(
          claim.where,
          "expected a level (RA, UA, TCC, PSI, PC, SI, SER or SSER), found `" + claim.text + "`");
    }
    auto& claims = result_.claims;
    if (std::find(claims.begin(), claims.end(), claim.text) != claims.end())
      return error(claim.where, "`" + claim.text + "` stands twice");
    claims.push_back(claim.text);
  }
  const auto place = [](const std::string& name) {
    return std::find(levels.begin(), levels.end(), name);
  };
  std::sort(result_.claims.begin(), result_.claims.end(),
            [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return Done{};
}

Status Resolver::add_initial_value(const Statement& statement) {
  const auto global = globals_.find(statement.name.text);
  Component& component = result_.components[global->second.number];
  const Expr& value = *statement.body;
  if (component.kind == Component::Kind::enumeration) {
    if (value.kind != Expr::Kind::name) {
      return error(value.where, "expected a value of `" +
                                    result_.enumerations[component.enumeration].name + "`");
    }
    ISOSCOPE_TRY(number, value_of({value.name, value.where}, component.enumeration));
    component.initial_value = number;
    return Done{};
  }
  if (component.kind == Component::Kind::reference) {
    if (component.is_total && value.kind != Expr::Kind::initial) {
      return error(value.where,
                   "expected `initial`: a reference of type `transaction` always "
                   "refers to one; `transaction?` may start as `none`");
    }
    if (value.kind != Expr::Kind::initial && value.kind != Expr::Kind::none)
      return error(value.where, "expected `none` or `initial`");
    component.initially_initial = value.kind == Expr::Kind::initial;
    return Done{};
  }
  Scope scope;
  for (const Binder& parameter : statement.parameters) {
    // No name is the empty one here, so it is never found.
    if (parameter.name.text.empty()) {
      ++scope.depth;
    } else {
      ISOSCOPE_TRY_STATUS(bind(parameter.name, parameter.sort, scope));
    }
  }
  ISOSCOPE_TRY(initially, formula(value, scope));
  component.initially = std::move(initially);
  return Done{};
}

Status Resolver::add_macro(const Statement& statement) {
  Global macro;
  macro.kind = Global::Kind::macro;
  macro.statement = &statement;
  Scope scope;
  for (const Binder& parameter : statement.parameters)
    ISOSCOPE_TRY_STATUS(bind(parameter.name, parameter.sort, scope));
  // So that mistakes are found where they are made, and in definitions that are not used, too.
  ISOSCOPE_TRY_STATUS(formula(*statement.body, scope));
  macros_to_come_.erase(statement.name.text);
  return add_name(statement.name, macro);
}

Status Resolver::add_invariant(const Statement& statement) {
  for (const Invariant& other : result_.invariants) {
    if (other.name == statement.name.text)
      return error(statement.name.where, "there is another invariant `" + other.name + "`");
  }
  ISOSCOPE_TRY(body, formula(*statement.body, {}));
  result_.invariants.push_back({statement.name.text, std::move(body)});
  return Done{};
}

Status Resolver::check_participants(const Statement& statement) {
  ISOSCOPE_TRY(number, component_named(statement.name, {}));
  const Component& component = result_.components[number];
  const auto& sorts = component.parameters;
  if (component.kind == Component::Kind::relation &&
      std::find(sorts.begin(), sorts.end(), Sort::key) != sorts.end() &&
      std::find(sorts.begin(), sorts.end(), Sort::transaction) != sorts.end()) {
    return Done{};
  }
  return error(statement.name.where, "expected a relation between keys and transactions");
}

Status Resolver::check_whole(const Syntax& syntax) const {
  const Position end = syntax.tokens.tokens.back().where;
  if (result_.events.empty()) return error(end, "expected an `event` in the protocol");
  if (!result_.observation.committed.formula) {
    return error(end,
                 "expected `observe t: transaction { committed when ... }` in the protocol, "
                 "to say what clients see");
  }
  if (result_.refinement && result_.witness)
    return error(end, "expected either `map` or `witness`, found both");
  if (!result_.refinement) return Done{};
  const std::array<std::pair<const char*, const Named*>, 3> needed = {
      {{"installed", &result_.refinement->installed},
       {"before", &result_.refinement->before},
       {"reader", &result_.refinement->reader}}};
  for (const auto& [what, named] : needed) {
    if (!named->formula) {
      return error(end, "expected `map " + std::string(what) +
                            "`, for there are other statements of a refinement");
    }
  }
  return Done{};
}

}  // namespace isoscope::protocol
