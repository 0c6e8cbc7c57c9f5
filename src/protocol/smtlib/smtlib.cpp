#include "protocol/smtlib/smtlib.h"

#include <algorithm>
#include <set>
#include <utility>

#include "isoscope/base/contract.h"
#include "protocol/smtlib/smtlib_terms.h"

namespace isoscope::protocol {
namespace {

using Strings = std::vector<std::string>;

class Certificate {
 public:
  Certificate(const Model& model, const Obligations& obligations,
              const std::vector<Invariant>& invariants)
      : model_(model), obligations_(obligations), invariants_(invariants) {
    ISOSCOPE_REQUIRE(obligations.events.size() == model.events.size());
    ISOSCOPE_REQUIRE(obligations.assumed.empty() ||
                     obligations.assumed.size() == model.events.size());
  }

  std::string run(SmtObligationCounts& counts) {
    heading();
    what_there_is();
    start();
    for (const auto& [name, formula] : kept_by(0, When::before)) {
      comment("invariant: " + name);
      assert_that(formula);
    }
    line("");
    for (std::size_t e = 0; e < model_.events.size(); ++e) event(e);
    counts = counts_;
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  void comment(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    std::ranges::replace(text, '\r', ' ');
    line("; " + text);
  }
  void assert_that(const std::string& formula) { line("(assert " + formula + ")"); }

  // What is true in every state: the invariants, and what the obligations assume before an event,
  // which is the same for all events. It says nothing of an event's parameters.
  std::vector<std::pair<std::string, std::string>> kept_by(std::size_t event, When when) const {
    std::vector<std::pair<std::string, std::string>> facts;
    const SmtTerms terms(model_, event < model_.events.size() ? &model_.events[event] : nullptr);
    for (const Invariant& invariant : invariants_)
      facts.emplace_back(invariant.name, terms.formula(*invariant.formula, {{}, 0, when}));
    if (obligations_.assumed.empty()) return facts;
    for (const Claim& claim : obligations_.assumed[event])
      facts.emplace_back(claim.name + " (" + claim.belongs_to + ")", terms.claim(claim, when));
    return facts;
  }

  // Is it true in every state that fits all that was said? Nothing is asked twice of an event.
  void ask(const std::string& about, const std::string& formula) {
    if (!asked_.insert(formula).second) return;
    comment(about);
    line("(push 1)");
    assert_that("(not " + formula + ")");
    line("(set-info :status unsat)");
    line("(check-sat)");
    line("(pop 1)");
    ++counts_.unsat;
  }

  // Is there a state that fits all that was said?
  void ask_whether_possible(const std::string& about) {
    comment(about);
    line("(set-info :status sat)");
    line("(check-sat)");
    ++counts_.sat;
  }

  void heading() {
    comment("A proof about the protocol " + model_.name + ", for any number of clients, keys and " +
            "transactions.");
    comment("Each (check-sat) must give what the :status before it says.");
    line("(set-logic ALL)");
    line("");
  }

  void what_there_is() {
    const SmtTerms terms(model_, nullptr);
    for (const Sort sort : {Sort::client, Sort::key, Sort::transaction})
      line("(declare-sort " + std::string(smt_sort(sort)) + " 0)");
    for (std::uint32_t i = 0; i < model_.enumerations.size(); ++i) {
      std::string values;
      for (std::uint32_t v = 0; v < model_.enumerations[i].values.size(); ++v)
        values += (v == 0 ? "(" : " (") + terms.value_name(i, v) + ")";
      line("(declare-datatypes ((" + terms.sort_of_values(i) + " 0)) ((" + values + ")))");
    }
    line("(declare-const initial Transaction)");
    line("(declare-fun owner (Transaction) Client)");
    line("");
    session_order();
    for (std::uint32_t i = 0; i < model_.orders.size(); ++i) total_order(terms.order_name(i));
    for (std::uint32_t c = 0; c < model_.components.size(); ++c) component(terms, c);
    line("");
  }

  void transitive(const std::string& name) {
    assert_that("(forall ((t1 Transaction) (t2 Transaction) (t3 Transaction)) (=> (and (" + name +
                " t1 t2) (" + name + " t2 t3)) (" + name + " t1 t3)))");
  }

  void session_order() {
    const std::string two = "(forall ((t1 Transaction) (t2 Transaction)) ";
    comment("The order of sessions: total for each client; the initial transaction is in none.");
    line("(declare-fun so (Transaction Transaction) Bool)");
    assert_that(two +
                "(=> (so t1 t2) (and (not (= t1 t2)) (not (= t1 initial)) (not (= t2 initial)) "
                "(= (owner t1) (owner t2)))))");
    assert_that(two +
                "(=> (and (not (= t1 t2)) (not (= t1 initial)) (not (= t2 initial)) "
                "(= (owner t1) (owner t2))) (or (so t1 t2) (so t2 t1))))");
    transitive("so");
  }

  void total_order(const std::string& name) {
    comment("A total order in which the initial transaction is first.");
    line("(declare-fun " + name + " (Transaction Transaction) Bool)");
    assert_that("(forall ((t1 Transaction)) (not (" + name + " t1 t1)))");
    assert_that("(forall ((t1 Transaction)) (not (" + name + " t1 initial)))");
    assert_that("(forall ((t1 Transaction) (t2 Transaction)) (or (= t1 t2) (" + name + " t1 t2) (" +
                name + " t2 t1)))");
    transitive(name);
  }

  void component(const SmtTerms& terms, std::uint32_t number) {
    const Component& what = model_.components[number];
    const std::string name = terms.name_of(number, When::before);
    std::string sorts;
    for (const Sort sort : SmtTerms::arguments_of(what))
      sorts += (sorts.empty() ? "" : " ") + std::string(smt_sort(sort));
    line("(declare-fun " + name + " (" + sorts + ") " + terms.result_sort(what) + ")");
    if (what.kind != Component::Kind::reference || what.is_total) return;
    comment("It refers to one transaction at most.");
    SmtScope scope;
    std::vector<Sort> bound = what.parameters;
    bound.insert(bound.end(), {Sort::transaction, Sort::transaction});
    const std::string variables = scope.bind(bound);
    const std::string second = std::move(scope.variables.back());
    scope.variables.pop_back();
    const std::string first = scope.variables.back();
    const std::string refers = smt_applied(name, scope.variables);
    scope.variables.back() = second;
    assert_that("(forall " + variables + " (=> (and " + refers + " " +
                smt_applied(name, scope.variables) + ") (= " + first + " " + second + ")))");
  }

  void start() {
    const SmtTerms terms(model_, nullptr);
    comment("The start.");
    line("(push 1)");
    asked_.clear();
    for (std::uint32_t c = 0; c < model_.components.size(); ++c)
      if (!model_.components[c].is_constant) assert_initial(terms, c);
    ask_whether_possible("start: there is one");
    for (const auto& [name, formula] : kept_by(0, When::before)) ask("start: " + name, formula);
    for (const Claim& claim : obligations_.start)
      ask("start: " + claim.name + " (" + claim.belongs_to + ")", terms.claim(claim));
    line("(pop 1)");
    line("");
  }

  void assert_initial(const SmtTerms& terms, std::uint32_t number) {
    const Component& what = model_.components[number];
    SmtScope scope;
    const std::string bound = scope.bind(SmtTerms::arguments_of(what));
    const std::string place = smt_applied(terms.name_of(number, When::before), scope.variables);
    std::string value;
    switch (what.kind) {
      case Component::Kind::relation:
        value = terms.formula(*what.initially, scope);
        break;
      case Component::Kind::enumeration:
        value = terms.value_name(what.enumeration, what.initial_value);
        break;
      case Component::Kind::reference:
        if (what.is_total) {
          ISOSCOPE_REQUIRE(what.initially_initial);
          value = "initial";
        } else {
          value = what.initially_initial ? "(= " + scope.variables.back() + " initial)" : "false";
        }
        break;
    }
    assert_that(smt_for_all(bound, smt_applied("=", {place, value})));
  }

  void event(std::size_t number) {
    const Event& event = model_.events[number];
    ISOSCOPE_REQUIRE(kept_by(number, When::before) == kept_by(0, When::before));
    const SmtTerms terms(model_, &event);
    comment("Event " + event.name + ".");
    line("(push 1)");
    asked_.clear();
    SmtScope scope;
    for (std::size_t i = 0; i < event.parameters.size(); ++i) {
      scope.variables.push_back(terms.parameter_name(i));
      line("(declare-const " + scope.variables.back() + " " +
           std::string(smt_sort(event.parameters[i].sort)) + ")");
    }
    assert_that(terms.formula(*event.guard, scope));
    ask_whether_possible(event.name + ": can happen");
    for (std::uint32_t c = 0; c < model_.components.size(); ++c)
      if (terms.is_changed(c)) define_after(terms, event, c, scope.variables);
    for (const auto& [name, formula] : kept_by(number, When::after))
      ask(event.name + " keeps: " + name, formula);
    for (const Claim& claim : obligations_.events[number])
      ask(event.name + ": " + claim.name + " (" + claim.belongs_to + ")", terms.claim(claim));
    line("(pop 1)");
    line("");
  }

  // What a component is after the event, at any place: the last update that is about the place and
  // of which a case applies; else what it was.
  void define_after(const SmtTerms& terms, const Event& event, std::uint32_t number,
                    const Strings& parameters) {
    const Component& what = model_.components[number];
    SmtScope place;
    const std::string bound = place.bind(SmtTerms::arguments_of(what));
    std::string result = smt_applied(terms.name_of(number, When::before), place.variables);
    for (const Update& update : event.updates)
      if (update.component == number)
        result = updated(terms, update, place, parameters, std::move(result));
    line("(define-fun " + terms.name_of(number, When::after) + " " + bound + " " +
         terms.result_sort(what) + " " + result + ")");
  }

  std::string updated(const SmtTerms& terms, const Update& update, const SmtScope& place,
                      const Strings& parameters, std::string otherwise) const {
    SmtScope scope{parameters, place.depth, When::before};
    scope.variables.resize(parameters.size() + update.bound.size());
    // Bound variables are what stands at their place; all else must be equal to it.
    Strings conditions;
    for (std::size_t i = 0; i < update.index.size(); ++i) {
      const Term& index = update.index[i];
      if (index.kind == Term::Kind::variable && scope.variables[index.index].empty())
        scope.variables[index.index] = place.variables[i];
      else
        conditions.push_back(smt_applied("=", {terms.term(index, scope), place.variables[i]}));
    }
    for (std::size_t i = update.cases.size(); i-- > 0;) {
      const Update::Case& one = update.cases[i];
      Strings all = conditions;
      if (one.condition) all.push_back(terms.formula(*one.condition, scope));
      otherwise = smt_applied(
          "ite", {smt_joined("and", all), value_of(terms, update, one, scope, place.variables),
                  std::move(otherwise)});
    }
    return otherwise;
  }

  std::string value_of(const SmtTerms& terms, const Update& update, const Update::Case& one,
                       const SmtScope& scope, const Strings& place) const {
    const Component& what = model_.components[update.component];
    switch (what.kind) {
      case Component::Kind::relation:
        return terms.formula(*one.formula, scope);
      case Component::Kind::enumeration:
        return terms.value_name(what.enumeration, one.value);
      case Component::Kind::reference:
        break;
    }
    const Update::Reference& to = one.reference;
    if (what.is_total) {
      ISOSCOPE_REQUIRE(to.kind == Update::Reference::Kind::term);
      return terms.term(to.term, scope);
    }
    const std::string& target = place.back();
    if (to.kind == Update::Reference::Kind::none) return "false";
    if (to.kind == Update::Reference::Kind::term)
      return smt_applied("=", {terms.term(to.term, scope), target});
    Strings from = terms.terms(to.at, scope);
    const std::string name = terms.name_of(to.component, When::before);
    if (model_.components[to.component].is_total)
      return smt_applied("=", {smt_applied(name, from), target});
    from.push_back(target);
    return smt_applied(name, from);
  }

  const Model& model_;
  const Obligations& obligations_;
  const std::vector<Invariant>& invariants_;
  std::string text_;
  std::set<std::string> asked_;  ///< of the start or the event at hand
  SmtObligationCounts counts_;
};

}  // namespace

std::string smtlib_text(const Model& model, const Obligations& obligations,
                        const std::vector<Invariant>& invariants, SmtObligationCounts& counts) {
  return Certificate(model, obligations, invariants).run(counts);
}

}  // namespace isoscope::protocol
