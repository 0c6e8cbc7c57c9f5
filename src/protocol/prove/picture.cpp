// Small pictures of what could not be proved: a state, a step, and what is wrong after it.
//
// The solver's own model of an open goal has a dozen things and a hundred facts, most of them by
// chance. So, one question after the other: can two things be the same one? Can a fact be left out?
// What remains is minimal: without any one of its facts there is no such state, unless another fact
// comes in. Facts about components that neither the event nor the claim mentions are true because
// of invariants only, and are not told.
//
// Cost: a question for every pair of things and every fact, some tens to a few hundred, each of
// them easy because nearly all is fixed.

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <string>

#include "isoscope/protocol/formula_text.h"
#include "protocol/prove/claim_values.h"
#include "protocol/prove/houdini_step.h"

namespace isoscope::protocol {
namespace {

using Kind = Formula::Kind;
using Element = Ground::Element;

/// A fact about some of the things. Worth telling if `bit`.
struct Fact {
  Bit bit;
  const Formula* formula = nullptr;
  std::vector<std::string> names = {};  ///< of its variables
  bool is_told = false;                 ///< the event or the claim mentions it
  bool is_true = false;
};

/// The atom without the reminder that the initial transaction has no owner.
const Formula& inner(const Formula& atom) {
  return atom.kind == Kind::conjunction ? *atom.children.back() : atom;
}

/// Is the atom something that is not true at the start, or not true of most things? What is usually
/// true is no news.
bool is_news(const Formula& formula, const Model& model) {
  switch (formula.kind) {
    case Kind::is_value:
      return formula.values != std::uint64_t{1} << model.components[formula.index].initial_value;
    case Kind::refers_to:  // whatever else it refers to has a name of its own here
      return formula.terms.back().kind != Term::Kind::reference;
    case Kind::relation:
    case Kind::session_order:
      return true;
    default:
      return false;
  }
}

std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

/// The picture of a claim that an event breaks.
class Picture {
 public:
  /// Can all of these be true, with the claim false and all the invariants true? Nothing: a limit
  /// was reached.
  using Ask = std::function<std::optional<bool>(const std::vector<Bit>&)>;

  Picture(const Model& model, const Atoms& atoms, const Claim& claim, Houdini::Step& step, Ask ask)
      : model_(model),
        atoms_(atoms),
        step_(step),
        ground_(*step.ground),
        ask_(std::move(ask)),
        values_(claim, model, step.event, ground_, step.circuit),
        names_(step.event, ground_),
        mentions_(model) {}

  /// False if a limit was reached.
  bool draw(OpenGoal& to) {
    for (const Sort sort : {Sort::transaction, Sort::key, Sort::client}) unite(sort);
    if (is_stopped_) return false;
    collect_mentions();
    collect_facts();
    collect_client_facts();
    collect_orders();
    drop_facts();
    if (is_stopped_) return false;
    tell(to);
    return true;
  }

 private:
  bool is_possible(const std::vector<Bit>& more) {
    if (is_stopped_) return false;
    std::vector<Bit> question = fixed_;
    question.insert(question.end(), more.begin(), more.end());
    const std::optional<bool> answer = ask_(question);
    is_stopped_ = !answer;
    return answer.value_or(false);
  }
  std::vector<Element>& kept(Sort sort) { return kept_[static_cast<std::size_t>(sort)]; }

  // Makes things the same until there are as few as possible. Those that the event and the claim
  // name come first, so that they keep their names.
  void unite(Sort sort) {
    std::vector<Element> all;
    const auto add = [&](Element element) {
      if (std::ranges::find(all, element) == all.end()) all.push_back(element);
    };
    if (sort == Sort::transaction) add(0);
    for (std::uint32_t i = 0; i < values_.variables().size(); ++i)
      if (values_.sort_of(i) == sort) add(values_.variables()[i]);
    for (Element element = 0; element < ground_.count(sort); ++element) add(element);
    for (const Element element : all) {
      const auto same = std::ranges::find_if(kept(sort), [&](Element other) {
        return is_possible({ground_.equal(sort, element, other)});
      });
      if (same == kept(sort).end()) {
        names_.at(sort, element);
        kept(sort).push_back(element);
      } else {
        names_.same(sort, element, *same);
        fixed_.push_back(ground_.equal(sort, element, *same));
      }
    }
  }

  void collect_mentions() {
    values_.mention(names_, mentions_);
    if (!step_.event) return;
    for (std::size_t i = 0; i < step_.event->parameters.size(); ++i)
      parameters_.push_back(names_.at(step_.event->parameters[i].sort, ground_.parameters()[i]));
    mentions_.add(*step_.event, parameters_);
  }

  void collect_facts() {
    const std::vector<Element>& transactions = kept(Sort::transaction);
    const Element another = ground_.count(Sort::transaction) > 1 ? 1 : 0;
    std::set<std::string> seen;
    for (const Element k : kept(Sort::key)) {
      for (const Element t : transactions) {
        for (const Element u : transactions)
          if (t != u) collect_facts(k, t, u, true, seen);
        if (transactions.size() == 1) collect_facts(k, t, another, false, seen);
      }
    }
    // This order makes sure that, where one of two facts is needed, the one that is not told
    // remains.
    std::ranges::stable_sort(facts_, std::greater{}, &Fact::is_told);
  }

  void collect_facts(Element k, Element t, Element u, bool of_both, std::set<std::string>& seen) {
    const auto place = step_.place_of.find({k, t, u});
    if (place == step_.place_of.end()) return;
    for (std::size_t i = 0; i < atoms_.list.size(); ++i) {
      const Formula& formula = inner(*atoms_.list[i].formula);
      if (!is_news(formula, model_) || (atoms_.list[i].is_of_u && !of_both)) continue;
      Fact fact{.bit = step_.places[place->second].atoms[i],
                .formula = &formula,
                .names = {names_.at(Sort::key, k), names_.at(Sort::transaction, t),
                          names_.at(Sort::transaction, u)}};
      fact.is_told = mentions_.has(formula, fact.names);
      if (seen.insert(text_of(formula, model_, fact.names)).second) facts_.push_back(fact);
    }
  }

  // Atoms name clients as owners only; here they have names of their own.
  void collect_client_facts() {
    for (std::uint32_t c = 0; c < model_.components.size(); ++c) {
      const Component& component = model_.components[c];
      if (std::ranges::find(component.parameters, Sort::client) == component.parameters.end())
        continue;
      if (component.kind == Component::Kind::relation) {
        collect_at_places(component, {.kind = Kind::relation, .index = c});
      } else if (component.kind == Component::Kind::enumeration) {
        const std::size_t values = model_.enumerations[component.enumeration].values.size();
        for (std::size_t value = 0; value < values; ++value)
          collect_at_places(
              component, {.kind = Kind::is_value, .index = c, .values = std::uint64_t{1} << value});
      }
    }
    std::ranges::stable_sort(facts_, std::greater{}, &Fact::is_told);
  }

  /// The formula lacks its terms: one for each parameter of the component.
  void collect_at_places(const Component& component, Formula formula) {
    for (std::uint32_t i = 0; i < component.parameters.size(); ++i)
      formula.terms.push_back(
          {.kind = Term::Kind::variable, .sort = component.parameters[i], .index = i});
    if (!is_news(formula, model_)) return;
    const Formula& kept_formula = own_formulas_.emplace_back(std::move(formula));
    std::vector<Element> place;
    const auto choose = [&](const auto& self) -> void {
      if (place.size() < component.parameters.size()) {
        for (const Element element : kept(component.parameters[place.size()])) {
          place.push_back(element);
          self(self);
          place.pop_back();
        }
        return;
      }
      Fact fact{.bit = ground_.holds(kept_formula, place, When::before), .formula = &kept_formula};
      for (std::size_t i = 0; i < place.size(); ++i)
        fact.names.push_back(names_.at(component.parameters[i], place[i]));
      fact.is_told = mentions_.has(kept_formula, fact.names);
      facts_.push_back(std::move(fact));
    };
    choose(choose);
  }

  void collect_orders() {
    const Term first{.kind = Term::Kind::variable, .index = 0};
    const Term second{.kind = Term::Kind::variable, .index = 1};
    for (std::uint32_t i = 0; i < model_.orders.size(); ++i) {
      if (!mentions_.has_order(i) || kept(Sort::transaction).size() < 2) continue;
      const Formula before{.kind = Kind::order, .index = i, .terms = {first, second}};
      Order order{model_.orders[i], {}};
      for (const Element t : kept(Sort::transaction)) {
        order.earlier.emplace_back();
        for (const Element u : kept(Sort::transaction))
          order.earlier.back().push_back(ground_.holds(before, std::vector{u, t}, When::before));
      }
      orders_.push_back(std::move(order));
    }
  }

  // Leaves out facts, one after the other, until there are as few as possible.
  void drop_facts() {
    std::vector<Bit> false_ones;
    const auto look = [&] {
      false_ones.clear();
      for (Fact& fact : facts_) {
        fact.is_true = step_.circuit.value(fact.bit);
        if (!fact.is_true) false_ones.push_back(!fact.bit);
      }
    };
    if (!is_possible({})) return;
    look();
    for (const Fact& fact : facts_) {
      if (!fact.is_true) continue;
      std::vector<Bit> fewer = false_ones;
      fewer.push_back(!fact.bit);
      if (is_possible(fewer)) look();
    }
    is_possible(false_ones);  // the last question may have had no model
  }

  void tell(OpenGoal& to) {
    to.things = counted(kept(Sort::client).size(), "client") + ", " +
                counted(kept(Sort::key).size(), "key") + ", " +
                counted(kept(Sort::transaction).size() - 1, "transaction") +
                " besides the initial one";
    for (const Fact& fact : facts_)
      if (fact.is_true && fact.is_told)
        to.picture.push_back(text_of(*fact.formula, model_, fact.names));
    for (const Order& order : orders_) to.picture.push_back(order.name + ": " + chain(order));
    if (step_.event) {
      for (const std::string& parameter : parameters_)
        to.step += (to.step.empty() ? "" : ", ") + parameter;
      to.step = step_.event->name + "(" + to.step + ")";
    }
    to.broken = values_.objections(names_);
  }

  struct Order {
    std::string name;
    std::vector<std::vector<Bit>> earlier;  ///< by transaction: which of the others
  };

  /// "initial < t < u"
  std::string chain(const Order& order) {
    std::vector<std::string> by_place(order.earlier.size());
    for (std::size_t t = 0; t < by_place.size(); ++t) {
      const auto place = std::ranges::count_if(
          order.earlier[t], [&](Bit earlier) { return step_.circuit.value(earlier); });
      by_place[static_cast<std::size_t>(place)] =
          names_.at(Sort::transaction, kept(Sort::transaction)[t]);
    }
    std::string text;
    for (const std::string& name : by_place) text += (text.empty() ? "" : " < ") + name;
    return text;
  }

  const Model& model_;
  const Atoms& atoms_;
  Houdini::Step& step_;
  Ground& ground_;
  Ask ask_;
  ClaimValues values_;
  Names names_;
  Mentions mentions_;
  std::vector<Element> kept_[3];
  std::vector<std::string> parameters_;
  std::vector<Fact> facts_;
  std::deque<Formula> own_formulas_;  ///< that facts refer to
  std::vector<Order> orders_;
  std::vector<Bit> fixed_;  ///< which things are the same
  bool is_stopped_ = false;
};

}  // namespace

bool Houdini::find_breaking_step(std::optional<std::uint32_t> event, const Claim& claim,
                                 const Limits& limits, OpenGoal& to) {
  Step& step = *steps_[event.value_or(static_cast<std::uint32_t>(model_.events.size()))];
  const Bit is_broken = opposite_of(claim, *step.ground, step.circuit);
  const auto ask = [&](std::vector<Bit> question) -> std::optional<bool> {
    question.push_back(is_broken);
    bool is_satisfiable = false;
    if (!solve(step, question, false, is_satisfiable, limits)) return std::nullopt;
    return is_satisfiable;
  };
  return Picture(model_, atoms_, claim, step, ask).draw(to);
}

}  // namespace isoscope::protocol
