#include <optional>
#include <utility>

#include "protocol/language/static_checks.h"

// Checks guards that ask something of every key. There are any number of keys and an event changes
// one, so after any finite run nearly all keys are as they were at the start. If a guard asks for
// something that these do not fulfil, it is false for ever: VerIso's model of two-phase locking has
// a commit event that waits for locks on all natural numbers, so its correctness theorem is about
// runs without any commit.
//
// There are two rules. `forall k: key. F` must say which keys are meant (F is an implication whose
// condition speaks of k), so that nobody writes this by accident. And what a guard asks of all
// keys, in whatever form, must not be false for all keys that are as they were at the start.

namespace isoscope::protocol {

namespace {

bool mentions(const Term& term, std::uint32_t variable) {
  if (term.kind == Term::Kind::variable) return term.index == variable;
  for (const Term& argument : term.arguments) {
    if (mentions(argument, variable)) return true;
  }
  return false;
}

bool mentions(const Formula& formula, std::uint32_t variable) {
  for (const Term& term : formula.terms) {
    if (mentions(term, variable)) return true;
  }
  for (const FormulaPtr& child : formula.children) {
    if (mentions(*child, variable)) return true;
  }
  return false;
}

/// A truth value, or none: it depends.
using Maybe = std::optional<bool>;

Maybe negation(Maybe value) { return value ? Maybe(!*value) : std::nullopt; }

/// The value of formulas where a key is as it was at the start.
class Untouched {
 public:
  Untouched(const Model& model, std::uint32_t key) : model_(model), key_(key) {
    changed_everywhere_.resize(model.components.size());
    for (const Event& event : model.events) {
      for (const Update& update : event.updates) {
        if (update.index[0].index >= event.parameters.size())
          changed_everywhere_[update.component] = true;
      }
    }
  }

  Maybe value(const Formula& formula) const {
    const auto child = [&](std::size_t i) { return value(*formula.children[i]); };
    switch (formula.kind) {
      case Formula::Kind::truth:
        return formula.index != 0;
      case Formula::Kind::relation:
      case Formula::Kind::is_value:
      case Formula::Kind::refers_to:
      case Formula::Kind::refers_to_none:
        return atom(formula);
      case Formula::Kind::equal:
        return formula.terms[0] == formula.terms[1] ? Maybe(true) : std::nullopt;
      case Formula::Kind::session_order:
      case Formula::Kind::order:
        return std::nullopt;
      case Formula::Kind::negation:
        return negation(child(0));
      case Formula::Kind::conjunction:
        return any(formula, false);
      case Formula::Kind::disjunction:
        return any(formula, true);
      case Formula::Kind::implication: {
        const Maybe condition = child(0);
        const Maybe conclusion = child(1);
        if (condition == false || conclusion == true) return true;
        return condition == true ? conclusion : std::nullopt;
      }
      case Formula::Kind::equivalence: {
        const Maybe left = child(0);
        const Maybe right = child(1);
        return left && right ? Maybe(*left == *right) : std::nullopt;
      }
      case Formula::Kind::for_all:
      case Formula::Kind::exists:
        return child(0);  // no sort is empty
    }
    return std::nullopt;
  }

 private:
  /// `dominant` if one child is that, its opposite if all are that.
  Maybe any(const Formula& formula, bool dominant) const {
    Maybe result = !dominant;
    for (const FormulaPtr& child : formula.children) {
      const Maybe next = value(*child);
      if (next == dominant) return dominant;
      if (!next) result = std::nullopt;
    }
    return result;
  }

  Maybe atom(const Formula& formula) const {
    const Component& component = model_.components[formula.index];
    const bool is_at_start = formula.terms[0].kind == Term::Kind::variable &&
                             formula.terms[0].index == key_ && !component.is_constant &&
                             !component.is_history && !changed_everywhere_[formula.index];
    if (!is_at_start) return std::nullopt;
    switch (formula.kind) {
      case Formula::Kind::relation:
        if (component.initially->kind != Formula::Kind::truth) return std::nullopt;
        return component.initially->index != 0;
      case Formula::Kind::is_value:
        return (formula.values >> component.initial_value & 1) != 0;
      case Formula::Kind::refers_to_none:
        return !component.initially_initial;
      case Formula::Kind::refers_to:
        return component.initially_initial ? std::nullopt : Maybe(false);
      default:
        return std::nullopt;
    }
  }

  const Model& model_;
  std::uint32_t key_;
  std::vector<bool> changed_everywhere_;
};

bool says_which_keys(const Formula& quantifier) {
  const Formula* body = quantifier.children[0].get();
  while (body->kind == Formula::Kind::for_all) body = body->children[0].get();
  return body->kind == Formula::Kind::implication && mentions(*body->children[0], quantifier.index);
}

class AllKeys {
 public:
  AllKeys(const Model& model, const std::string& source, const std::string& event)
      : model_(model), source_(source), event_(event) {}

  /// `positive`: the formula must be true for the event to happen; otherwise false.
  Status check(const Formula& formula, bool positive) const {
    switch (formula.kind) {
      case Formula::Kind::negation:
        return check(*formula.children[0], !positive);
      case Formula::Kind::implication:
        ISOSCOPE_TRY_STATUS(check(*formula.children[0], !positive));
        return check(*formula.children[1], positive);
      case Formula::Kind::equivalence:
        for (const FormulaPtr& child : formula.children) {
          ISOSCOPE_TRY_STATUS(check(*child, positive));
          ISOSCOPE_TRY_STATUS(check(*child, !positive));
        }
        return Done{};
      case Formula::Kind::for_all:
      case Formula::Kind::exists:
        ISOSCOPE_TRY_STATUS(quantifier(formula, positive));
        break;
      default:
        break;
    }
    for (const FormulaPtr& child : formula.children) ISOSCOPE_TRY_STATUS(check(*child, positive));
    return Done{};
  }

 private:
  Status quantifier(const Formula& formula, bool positive) const {
    const bool is_universal = (formula.kind == Formula::Kind::for_all) == positive;
    if (formula.sort != Sort::key || !is_universal) return Done{};
    if (positive && !says_which_keys(formula)) {
      return error(formula,
                   "asks every key there is; of any number of keys some are always untouched, so "
                   "such an event may never happen and the model say nothing; say which keys: "
                   "`forall k: key. participant(k, t) => ...`");
    }
    const Maybe at_start = Untouched(model_, formula.index).value(*formula.children[0]);
    if (at_start == !positive) {
      return error(formula,
                   "can never be true: of any number of keys some are always as they were at the "
                   "start, and these are against it; say which keys: `forall k: key. "
                   "participant(k, t) => ...`");
    }
    return Done{};
  }

  Status error(const Formula& formula, const std::string& what) const {
    return Error{"this part of the guard of `" + event_ + "` " + what, source_, formula.where};
  }

  const Model& model_;
  const std::string& source_;
  const std::string& event_;
};

}  // namespace

Status check_all_keys(const Model& model, const std::string& source) {
  for (const Event& event : model.events)
    ISOSCOPE_TRY_STATUS(AllKeys(model, source, event.name).check(*event.guard, true));
  return Done{};
}

}  // namespace isoscope::protocol
