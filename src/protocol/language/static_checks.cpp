#include "protocol/language/static_checks.h"

#include <algorithm>

namespace isoscope::protocol {

namespace {

std::string quoted(const std::string& name) { return "`" + name + "`"; }

/// Which transactions a client is known to own, by what a guard says.
class Owners {
 public:
  explicit Owners(std::uint32_t client) : client_(client) {}

  /// `owner(t) = c` makes t one of them; `so(t, u)` if the other one is.
  void learn(const Formula& formula) {
    if (formula.kind == Formula::Kind::conjunction) {
      for (const FormulaPtr& child : formula.children) learn(*child);
    } else if (formula.kind == Formula::Kind::equal) {
      add_if_owner(formula.terms[0], formula.terms[1]);
      add_if_owner(formula.terms[1], formula.terms[0]);
      add_pair(formula);
    } else if (formula.kind == Formula::Kind::session_order) {
      add_pair(formula);
    }
  }

  bool owns(std::uint32_t transaction) const {
    std::vector<std::uint32_t> known = known_;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i] == transaction) return true;
      for (const auto& [a, b] : same_client_) {
        const bool is_first = a == known[i];
        if (!is_first && b != known[i]) continue;
        const std::uint32_t other = is_first ? b : a;
        if (std::find(known.begin(), known.end(), other) == known.end()) known.push_back(other);
      }
    }
    return false;
  }

 private:
  void add_if_owner(const Term& owner, const Term& client) {
    if (owner.kind == Term::Kind::owner && owner.arguments[0].kind == Term::Kind::variable &&
        client.kind == Term::Kind::variable && client.index == client_) {
      known_.push_back(owner.arguments[0].index);
    }
  }

  void add_pair(const Formula& formula) {
    const Term& a = formula.terms[0];
    const Term& b = formula.terms[1];
    if (a.kind == Term::Kind::variable && b.kind == Term::Kind::variable)
      same_client_.emplace_back(a.index, b.index);
  }

  std::uint32_t client_;
  std::vector<std::uint32_t> known_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> same_client_;
};

/// What is against the update's being a step of `at`, or "".
std::string foreign_update(const Model& model, const Event& event, const Update& update) {
  const Component& component = model.components[update.component];
  const Variable& at = event.parameters[*event.at];
  const std::string whose = quoted(event.name) + " is a step of the " +
                            (at.sort == Sort::key ? "key " : "client ") + quoted(at.name) +
                            ", but changes " + quoted(component.name);
  const Term& first = update.index[0];
  if (first.sort == at.sort) {
    if (first.index == *event.at) return "";
    return whose + " of another " + (at.sort == Sort::key ? "key" : "client");
  }
  if (at.sort == Sort::key || first.sort == Sort::key) {
    return whose + ", which belongs to " +
           (first.sort == Sort::key      ? "keys"
            : first.sort == Sort::client ? "clients"
                                         : "transactions and so to their clients");
  }
  const std::string name =
      first.index < event.parameters.size() ? event.parameters[first.index].name : "t";
  for (const Update::Case& next : update.cases) {
    Owners owners(*event.at);
    owners.learn(*event.guard);
    if (next.condition) owners.learn(*next.condition);
    if (!owners.owns(first.index)) {
      return whose + " of a transaction that need not be its own; add `owner(" + name +
             ") = " + at.name + "` to the " +
             (first.index < event.parameters.size() ? "guard" : "update's condition");
    }
  }
  return "";
}

using FindComponent = bool (*)(const Component&);

bool is_history(const Component& component) { return component.is_history; }
bool is_variable(const Component& component) { return !component.is_constant; }

/// The first component with the property that a formula reads: where, and which.
struct Read {
  Position where;
  const Component* component = nullptr;
};

const Component* find_read(const Model& model, const Term& term, FindComponent wanted) {
  if (term.kind == Term::Kind::reference && wanted(model.components[term.index]))
    return &model.components[term.index];
  for (const Term& argument : term.arguments) {
    if (const Component* found = find_read(model, argument, wanted)) return found;
  }
  return nullptr;
}

Read find_read(const Model& model, const Formula& formula, FindComponent wanted) {
  switch (formula.kind) {
    case Formula::Kind::relation:
    case Formula::Kind::is_value:
    case Formula::Kind::refers_to:
    case Formula::Kind::refers_to_none:
      if (wanted(model.components[formula.index]))
        return {formula.where, &model.components[formula.index]};
      break;
    default:
      break;
  }
  for (const Term& term : formula.terms) {
    if (const Component* found = find_read(model, term, wanted)) return {formula.where, found};
  }
  for (const FormulaPtr& child : formula.children) {
    if (const Read found = find_read(model, *child, wanted); found.component) return found;
  }
  return {};
}

Read find_read(const Model& model, const Update& update, FindComponent wanted) {
  for (const Update::Case& next : update.cases) {
    for (const FormulaPtr& formula : {next.condition, next.formula}) {
      if (!formula) continue;
      if (const Read found = find_read(model, *formula, wanted); found.component) return found;
    }
    const Update::Reference& value = next.reference;
    if (value.kind == Update::Reference::Kind::copy && wanted(model.components[value.component]))
      return {update.where, &model.components[value.component]};
    const Component* found = find_read(model, value.term, wanted);
    for (const Term& term : value.at) {
      if (found == nullptr) found = find_read(model, term, wanted);
    }
    if (found != nullptr) return {update.where, found};
  }
  return {};
}

}  // namespace

Status check_one_component(const Model& model, const std::string& source) {
  for (const Event& event : model.events) {
    for (const Update& update : event.updates) {
      if (model.components[update.component].is_history) continue;
      if (std::string what = foreign_update(model, event, update); !what.empty())
        return Error{std::move(what), source, update.where};
    }
  }
  return Done{};
}

Status check_answers(const Model& model, const std::string& source) {
  const Event* with_answer = nullptr;
  for (const Event& event : model.events) {
    if (event.answers && !event.commits) return Done{};
    if (event.answers && event.commits) with_answer = &event;
  }
  for (const Event& event : model.events) {
    if (with_answer == nullptr || !event.commits || event.answers) continue;
    return Error{quoted(event.name) +
                     " commits a transaction whose client is never answered, while " +
                     quoted(with_answer->name) + " `answers` what it commits; add `answers " +
                     event.parameters[*event.commits].name +
                     "` here or to the event by which the client learns of it",
                 source, event.where};
  }
  return Done{};
}

Status check_what_is_read(const Model& model, const std::string& source) {
  for (const Component& component : model.components) {
    if (!component.initially) continue;
    if (const Read read = find_read(model, *component.initially, is_variable); read.component) {
      return Error{"the value of " + quoted(component.name) + " at the start depends on " +
                       quoted(read.component->name) + "; it can depend on constants only",
                   source, read.where};
    }
  }
  const auto no_history = [&](const Read& read, const std::string& where) -> Status {
    if (read.component == nullptr) return Done{};
    return Error{where + " reads " + quoted(read.component->name) +
                     ", a history variable: these only record what happened, for views, maps "
                     "and invariants",
                 source, read.where};
  };
  for (const Event& event : model.events) {
    ISOSCOPE_TRY_STATUS(no_history(find_read(model, *event.guard, is_history),
                                   "the guard of " + quoted(event.name)));
    for (const Update& update : event.updates) {
      const Component& target = model.components[update.component];
      if (target.is_history) continue;
      ISOSCOPE_TRY_STATUS(
          no_history(find_read(model, update, is_history),
                     "the update of " + quoted(target.name) + " by " + quoted(event.name)));
    }
  }
  return Done{};
}

Status check_statically(const Model& model, const std::vector<Position>& declared,
                        const std::string& source) {
  ISOSCOPE_TRY_STATUS(check_what_is_read(model, source));
  ISOSCOPE_TRY_STATUS(check_one_component(model, source));
  ISOSCOPE_TRY_STATUS(check_answers(model, source));
  ISOSCOPE_TRY_STATUS(check_all_keys(model, source));
  return check_functions(model, declared, source);
}

}  // namespace isoscope::protocol
