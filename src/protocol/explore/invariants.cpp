// Invariants of the model in the states that a search comes to.
//
// Each is looked at once in every state up to renaming, which is enough: an invariant is closed, so
// it cannot tell a state from its renamings. Steps that are done in haste change no invariant
// (local.h).

#include "isoscope/base/contract.h"
#include "isoscope/protocol/export.h"
#include "isoscope/protocol/formula_text.h"
#include "protocol/explore/search.h"

namespace isoscope::protocol {

namespace {

std::string name_of(Sort sort, std::uint8_t number) {
  return sort == Sort::client ? client_name(number)
         : sort == Sort::key  ? key_name(number)
                              : transaction_name(number);
}

/// A false instance of a false formula: what stands after its first "for all"s, with definite
/// things for their variables. "lock(x) = T1, but not: phase(T1) = active"
class FalseInstance {
 public:
  FalseInstance(const Formula& formula, const Instance& instance, const State& state)
      : instance_(instance), state_(state) {
    find(formula);
  }

  std::string text() const {
    const auto words = [&](const FormulaPtr& part) {
      return text_of(*part, instance_.model(), names_);
    };
    if (inner_->kind == Formula::Kind::implication)
      return words(inner_->children[0]) + ", but not: " + words(inner_->children[1]);
    return "it is not so that " + text_of(*inner_, instance_.model(), names_);
  }

 private:
  bool find(const Formula& formula) {
    if (formula.kind != Formula::Kind::for_all) {
      inner_ = &formula;
      return !instance_.evaluate(formula, state_, values_);
    }
    for (std::size_t i = 0; i < instance_.count(formula.sort); ++i) {
      values_.push_back(static_cast<std::uint8_t>(i));
      names_.push_back(name_of(formula.sort, values_.back()));
      if (find(*formula.children[0])) return true;
      values_.pop_back();
      names_.pop_back();
    }
    return false;
  }

  const Instance& instance_;
  const State& state_;
  const Formula* inner_ = nullptr;
  std::vector<std::uint8_t> values_;
  std::vector<std::string> names_;
};

}  // namespace

void Search::look_for_broken_invariants(std::size_t action, StateId from, Part& part) const {
  for (const std::uint32_t i : watchlist_.of(action).invariants) {
    if (result_.invariants[i].counterexample) continue;
    if (system_.diagrams().holds(system_.invariants()[i], part.next.data())) continue;
    part.broken_invariants.push_back({i, from, static_cast<std::uint32_t>(action)});
  }
}

void Search::note(const BrokenInvariant& broken) {
  if (result_.invariants[broken.number].counterexample) return;
  Suspect last;
  last.from = broken.from;
  last.action = broken.action;
  note(broken.number, replay(last));
}

void Search::note(std::uint32_t invariant, const Replayed& run) {
  const Model& model = system_.model();
  const Formula& formula = *model.invariants[invariant].formula;
  const Instance instance(model, run.trace.sizes, run.trace.orders);
  const State last = system_.cells().state(run.last.data());
  ISOSCOPE_ENSURE(!instance.evaluate(formula, last, {}));  // by two ways of evaluation
  result_.invariants[invariant].counterexample = result_.counterexamples.size();
  result_.counterexamples.push_back(
      {run.trace, history_of(model, run.trace), FalseInstance(formula, instance, last).text()});
}

}  // namespace isoscope::protocol
