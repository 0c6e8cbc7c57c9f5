#include "protocol/explore/system.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "protocol/explore/compile.h"

namespace isoscope::protocol {

namespace {

using Arguments = FormulaCompiler::Arguments;

/// Calls `visit` with every tuple of these sorts.
template <class Visit>
void for_each_tuple(const Cells& cells, std::span<const Sort> sorts, Arguments& values,
                    const Visit& visit) {
  if (sorts.empty()) {
    visit();
    return;
  }
  for (std::size_t i = 0; i < cells.count(sorts.front()); ++i) {
    values.push_back(static_cast<std::uint8_t>(i));
    for_each_tuple(cells, sorts.subspan(1), values, visit);
    values.pop_back();
  }
}

class ActionCompiler {
 public:
  ActionCompiler(const Cells& cells, FormulaCompiler& formulas, Action& action)
      : cells_(cells), formulas_(formulas), action_(action) {}

  void add(const Update& update) {
    Arguments variables = action_.parameters;
    for_each_tuple(cells_, update.bound, variables, [&] {
      for (const auto& where : formulas_.alternatives(update.index, variables)) {
        if (where.is_defined()) add_at(update, where, variables);
      }
    });
  }

 private:
  using Alternative = FormulaCompiler::Alternative;

  // A case counts where its condition holds and no earlier one does.
  void add_at(const Update& update, const Alternative& where, const Arguments& variables) {
    const std::uint32_t cell = cells_.place(update.component, where.values);
    for (std::size_t number = 0; number < update.cases.size(); ++number) {
      const auto chosen = [&](Diagram diagram) {
        for (std::size_t i = number + 1; i-- > 0;) {
          const FormulaPtr& condition = update.cases[i].condition;
          if (i == number) {
            if (condition) {
              diagram = formulas_.compile(*condition, variables, diagram, DecisionDiagrams::never);
            }
          } else if (!condition) {
            diagram = DecisionDiagrams::never;
          } else {
            diagram = formulas_.compile(*condition, variables, DecisionDiagrams::never, diagram);
          }
        }
        return formulas_.when(where, diagram, DecisionDiagrams::never);
      };
      add_case(update, update.cases[number], cell, variables, chosen);
    }
  }

  template <class Chosen>
  void add_case(const Update& update, const Update::Case& one, std::uint32_t cell,
                const Arguments& variables, const Chosen& chosen) {
    const auto assign = [&](Diagram condition, std::uint8_t value) {
      if (condition != DecisionDiagrams::never) {
        action_.assignments.push_back({cell, condition, std::nullopt, value});
      }
    };
    switch (cells_.model().components[update.component].kind) {
      case Component::Kind::relation:
        assign(chosen(formulas_.compile(*one.formula, variables)), 1);
        assign(chosen(formulas_.compile(*one.formula, variables, DecisionDiagrams::never,
                                        DecisionDiagrams::always)),
               0);
        break;
      case Component::Kind::enumeration:
        assign(chosen(DecisionDiagrams::always), static_cast<std::uint8_t>(one.value));
        break;
      case Component::Kind::reference:
        add_reference(one.reference, cell, variables, chosen);
        break;
    }
  }

  template <class Chosen>
  void add_reference(const Update::Reference& reference, std::uint32_t cell,
                     const Arguments& variables, const Chosen& chosen) {
    const auto assign = [&](Assignment assignment) {
      if (assignment.condition != DecisionDiagrams::never)
        action_.assignments.push_back(assignment);
    };
    switch (reference.kind) {
      case Update::Reference::Kind::none:
        assign({cell, chosen(DecisionDiagrams::always), std::nullopt, Cells::nobody});
        break;
      case Update::Reference::Kind::term:
        for (const Alternative& one : formulas_.alternatives({&reference.term, 1}, variables)) {
          assign({cell,
                  chosen(formulas_.when(one, DecisionDiagrams::always, DecisionDiagrams::never)),
                  std::nullopt, one.is_defined() ? one.values[0] : Cells::nobody});
        }
        break;
      case Update::Reference::Kind::copy:
        for (const Alternative& one : formulas_.alternatives(reference.at, variables)) {
          const Diagram condition =
              chosen(formulas_.when(one, DecisionDiagrams::always, DecisionDiagrams::never));
          if (one.is_defined()) {
            assign({cell, condition, cells_.place(reference.component, one.values), 0});
          } else {
            assign({cell, condition, std::nullopt, Cells::nobody});
          }
        }
        break;
    }
  }

  const Cells& cells_;
  FormulaCompiler& formulas_;
  Action& action_;
};

}  // namespace

System::System(const Model& model, Sizes sizes, RememberedTime time) : cells_(model, sizes, time) {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    possible_.push_back(cells_.is_fixed(cell) ? bit(cells_.value_count(cell)) - 1
                                              : bit(cells_.initial()[cell]));
  }
  // Much is known about an order: no transaction is before itself, and the initial one is the
  // first.
  for (std::uint32_t order = 0; order < model.orders.size(); ++order) {
    for (std::size_t t = 0; t < cells_.transactions(); ++t) {
      possible_[cells_.order(order, t, t)] = bit(0);
      if (t == 0) continue;
      possible_[cells_.order(order, 0, t)] = bit(1);
      possible_[cells_.order(order, t, 0)] = bit(0);
    }
  }
  find_sessions();
  close();
  compile_facts();
  compile_invariants();
  find_used();
}

System::System(const Model& model, Sizes sizes,
               const std::vector<std::vector<std::uint8_t>>& orders, const State& state)
    : cells_(model, sizes, RememberedTime::nothing) {
  std::vector<std::uint8_t> values = cells_.values(state);
  for (std::uint32_t order = 0; order < model.orders.size(); ++order) {
    for (std::size_t t = 0; t < cells_.transactions(); ++t) {
      for (std::size_t u = 0; u < cells_.transactions(); ++u) {
        const bool before = orders.empty() ? t < u : orders[order][t] < orders[order][u];
        values[cells_.order(order, t, u)] = before ? 1 : 0;
      }
    }
  }
  for (const std::uint8_t value : values) possible_.push_back(bit(value));
  find_sessions();
  close();
  compile_facts();
  find_used();
}

void System::find_sessions() {
  const std::size_t per_client = cells_.instance().sizes().transactions;
  earlier_in_session_.assign(cells_.transactions(), 0);
  for (std::size_t t = 1; t < cells_.transactions(); ++t) {
    for (std::size_t i = 1; i <= (t - 1) % per_client; ++i) earlier_in_session_[t] |= bit(t - i);
  }
}

void System::close() {
  do {
    compile();
  } while (widen());
}

void System::compile() {
  diagrams_ = DecisionDiagrams();
  actions_.clear();
  FormulaCompiler formulas(cells_, possible_, diagrams_);
  for (std::uint32_t number = 0; number < model().events.size(); ++number) {
    const Event& event = model().events[number];
    std::vector<Sort> sorts;
    for (const Variable& parameter : event.parameters) sorts.push_back(parameter.sort);
    Arguments parameters;
    for_each_tuple(cells_, sorts, parameters, [&] {
      Action action{.event = number, .parameters = parameters, .assignments = {}};
      action.guard =
          event.guard ? formulas.compile(*event.guard, parameters) : DecisionDiagrams::always;
      if (action.guard == DecisionDiagrams::never) return;
      ActionCompiler compiler(cells_, formulas, action);
      for (const Update& update : event.updates) compiler.add(update);
      if (event.commits) action.commits = parameters[*event.commits];
      if (cells_.remembers_time()) add_times(event, action);
      actions_.push_back(std::move(action));
    });
  }
}

void System::add_times(const Event& event, Action& action) const {
  if (event.begins) {
    const std::uint8_t t = action.parameters[*event.begins];
    action.assignments.push_back({.cell = cells_.begun(t), .value = 1});
    for (std::size_t u = 0;
         cells_.remembered_time() == RememberedTime::order && u < cells_.transactions(); ++u) {
      action.assignments.push_back({.cell = cells_.preceded(u, t), .source = cells_.answered(u)});
    }
  }
  if (event.answers) {
    action.assignments.push_back(
        {.cell = cells_.answered(action.parameters[*event.answers]), .value = 1});
  }
}

bool System::widen() {
  bool changed = false;
  for (const Action& action : actions_) {
    for (const Assignment& one : action.assignments) {
      const Bits more = one.source ? possible_[*one.source] : bit(one.value);
      if ((more & ~possible_[one.cell]) != 0) {
        possible_[one.cell] |= more;
        changed = true;
      }
    }
  }
  return changed;
}

void System::compile_facts() {
  FormulaCompiler formulas(cells_, possible_, diagrams_);
  const auto add = [&](const Named& named, std::initializer_list<Sort> sorts,
                       std::vector<Fact>& facts) {
    if (!named.formula) return;
    Arguments values;
    for_each_tuple(cells_, std::vector<Sort>(sorts), values, [&] {
      const Diagram diagram = formulas.compile(*named.formula, values);
      if (diagram == DecisionDiagrams::never) return;
      Fact fact{.diagram = diagram};
      if (!values.empty()) fact.a = values[0];
      if (values.size() > 1) fact.b = values[1];
      if (values.size() > 2) fact.c = values[2];
      facts.push_back(fact);
    });
  };
  using enum Sort;
  if (const auto& map = model().refinement) {
    add(map->installed, {key, transaction}, installed_);
    add(map->before, {key, transaction, transaction}, later_);
    add(map->reader, {key, transaction, transaction}, readers_);
    add(map->sees, {client, transaction}, views_);
    maps_views_ = map->sees.formula != nullptr;
  }
  if (const auto& witness = model().witness) {
    add(witness->before, {transaction, transaction}, before_);
    add(witness->sees.formula ? witness->sees : witness->before, {transaction, transaction}, sees_);
  }
  const Observation& seen = model().observation;
  add(seen.committed, {transaction}, committed_);
  add(seen.reads, {transaction, key, transaction}, reads_);
  add(seen.writes, {transaction, key}, writes_);
}

void System::compile_invariants() {
  FormulaCompiler formulas(cells_, possible_, diagrams_);
  for (const Invariant& invariant : model().invariants) {
    invariants_.push_back(formulas.compile(*invariant.formula, {}));
  }
}

void System::find_used() {
  used_.assign(cells_.size(), false);
  // The monitor looks at these.
  for (std::size_t t = 0; cells_.remembers_time() && t < cells_.transactions(); ++t) {
    used_[cells_.begun(t)] = used_[cells_.answered(t)] = true;
    for (std::size_t u = 0;
         cells_.remembered_time() == RememberedTime::order && u < cells_.transactions(); ++u) {
      used_[cells_.preceded(t, u)] = true;
    }
  }
  const auto use = [&](Diagram diagram) {
    diagrams_.for_each_cell(diagram, [&](std::uint32_t cell) { used_[cell] = true; });
  };
  for (const Action& action : actions_) {
    use(action.guard);
    for (const Assignment& one : action.assignments) {
      use(one.condition);
      if (one.source) used_[*one.source] = true;
    }
  }
  for (const auto* facts : {&installed_, &later_, &readers_, &views_, &committed_, &reads_,
                            &writes_, &before_, &sees_}) {
    for (const Fact& fact : *facts) use(fact.diagram);
  }
  for (const Diagram invariant : invariants_) use(invariant);
}

}  // namespace isoscope::protocol
