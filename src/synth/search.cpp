#include "synth/search.h"

#include <algorithm>

#include "isoscope/base/contract.h"
#include "synth/used_keys.h"

namespace isoscope::synth {
namespace {

using spec::Base;
using spec::Definition;
using spec::Witness;

std::optional<std::size_t> first_total_order(const Definition& level) {
  for (std::size_t i = 0; i < level.witnesses.size(); ++i)
    if (level.witnesses[i].kind == Witness::Kind::total_order) return i;
  return {};
}

// For a level without a total order: the relation that its last `acyclic` axiom says has no cycle.
// Some total order contains this relation.
const spec::Node* last_acyclic(const Definition& level) {
  const spec::Node* last = nullptr;
  for (const spec::Axiom& axiom : level.axioms)
    if (axiom.formula->kind == spec::Node::Kind::acyclic) last = axiom.formula->children[0].get();
  return last;
}

bool have_same_witnesses(const Definition& a, const Definition& b) {
  return std::ranges::equal(a.witnesses, b.witnesses, [](const Witness& x, const Witness& y) {
    return x.name == y.name && x.kind == y.kind;
  });
}

// The level whose order is the numbering of the transactions: one with an order of its own, if
// there is any.
std::optional<std::size_t> fixed_level(const Question& question, const Strategy& strategy) {
  if (!strategy.fixed_order) return {};
  for (std::size_t i = 0; i < question.allow.size(); ++i)
    if (first_total_order(*question.allow[i])) return i;
  for (std::size_t i = 0; i < question.allow.size(); ++i)
    if (last_acyclic(*question.allow[i])) return i;
  return {};
}

}  // namespace

Search::Search(const Question& question, const Scope& scope, const Strategy& strategy,
               std::size_t transactions, std::size_t keys)
    : question_(question),
      scope_(scope),
      strategy_(strategy),
      transactions_(transactions),
      keys_(keys) {
  build();
  effort_.first_clauses = circuit_->clause_count();
}

Search::~Search() = default;

void Search::build() {
  if (circuit_) clauses_before_ += circuit_->clause_count();
  allowing_.clear();
  orders_.clear();
  operation_count_.clear();
  circuit_ = std::make_unique<Circuit>();
  const HistorySpace::Needs needs{.real_time = mentions(question_, Base::rt),
                                  .seen_before = mentions(question_, Base::seen_before),
                                  .sessions_ascend = !fixed_level(question_, strategy_)};
  space_ = std::make_unique<HistorySpace>(*circuit_, scope_, transactions_, keys_, needs);
  add_allowing_levels();
  space_->order_keys();
  add_forbidding_levels();
  for (const Lemma& lemma : lemmas_) require_failure(lemma);
  for (const spec::Structure& history : std::exchange(excluded_, {})) exclude(history);
}

// The level with the fixed order first: what follows from it makes all else simpler.
void Search::add_allowing_levels() {
  const std::optional<std::size_t> fixed = fixed_level(question_, strategy_);
  std::vector<std::size_t> order;
  if (fixed) order.push_back(*fixed);
  for (std::size_t i = 0; i < question_.allow.size(); ++i)
    if (i != fixed) order.push_back(i);
  allowing_.resize(question_.allow.size());
  orders_.assign(question_.allow.size(), {});
  for (const std::size_t i : order) {
    const Definition& level = *question_.allow[i];
    allowing_[i] = std::make_unique<Encoder>(*circuit_, space_->history());
    add_free_execution(*circuit_, *allowing_[i], level, transactions_ + 1, keys_,
                       space_->history().writes,
                       i == fixed ? first_total_order(level) : std::nullopt);
    orders_[i] = order_of(i, i == fixed);
    circuit_->require(is_execution(*circuit_, *allowing_[i], level));
  }
}

// The level's own order, or one that it is allowed to have: a linear extension of what has no
// cycle, if nothing in that can come before the initial transaction.
std::optional<BitRelation> Search::order_of(std::size_t allow, bool is_fixed) {
  const Definition& level = *question_.allow[allow];
  Encoder& encoder = *allowing_[allow];
  if (const auto own = first_total_order(level)) return encoder.witnesses()[*own][0];
  const spec::Node* acyclic = last_acyclic(level);
  if (!acyclic || (!is_fixed && !strategy_.terms)) return {};
  const BitRelation& contained = encoder.value(*acyclic)[0];
  for (std::size_t t = 0; t < contained.rows(); ++t)
    if (contained.at(t, 0) != no) return {};
  BitRelation order =
      is_fixed ? numbering(transactions_ + 1) : free_order(*circuit_, transactions_ + 1);
  circuit_->require(is_subset(*circuit_, contained, order));
  return order;
}

void Search::add_forbidding_levels() {
  for (const Definition* level : question_.forbid) {
    if (level->witnesses.empty()) {
      Encoder encoder(*circuit_, space_->history());
      circuit_->require(!is_execution(*circuit_, encoder, *level));
    } else {
      forbid_expressions(*level);
    }
  }
}

void Search::forbid_expressions(const Definition& level) {
  for (std::size_t i = 0; i < question_.allow.size(); ++i) {
    const Definition& allowing = *question_.allow[i];
    if (strategy_.smart && have_same_witnesses(level, allowing)) {
      Encoder encoder(*circuit_, space_->history());
      for (const BitValue& witness : allowing_[i]->witnesses()) encoder.add_witness(witness);
      circuit_->require(!is_execution(*circuit_, encoder, level));
    }
    if (!strategy_.terms || !orders_[i]) continue;
    for (const spec::Canonical& canonical : level.canonical) {
      Encoder encoder(*circuit_, space_->history());
      encoder.set_given_order(*orders_[i]);
      for (const spec::NodePtr& value : canonical.values)
        encoder.add_witness(encoder.value(*value));
      const Bit is_valid = have_right_kinds(*circuit_, encoder, level, space_->history().writes);
      circuit_->require(!circuit_->both(is_valid, is_execution(*circuit_, encoder, level)));
    }
  }
}

void Search::require_failure(const Lemma& lemma) {
  const Definition& level = *question_.forbid[lemma.forbid];
  Encoder encoder(*circuit_, space_->history());
  add_constant_execution(*circuit_, encoder, level, lemma.execution, space_->history().writes);
  circuit_->require(!is_execution(*circuit_, encoder, level));
}

void Search::exclude(const spec::Structure& history) {
  std::vector<Bit> differs;
  for (const Bit fact : space_->facts(history)) differs.push_back(!fact);
  circuit_->require_any(differs);
  excluded_.push_back(history);
}

void Search::count_clauses() {
  effort_.clauses = clauses_before_ + circuit_->clause_count();
  effort_.variables = circuit_->variable_count();
}

Search::Outcome Search::find(std::optional<std::size_t> operations, const Limits& limits,
                             Progress& progress) {
  while (true) {
    std::vector<Bit> assumed;
    if (operations) {
      if (operation_count_.size() <= *operations)
        operation_count_ = counted(*circuit_, space_->operations(), *operations);
      assumed.push_back(!operation_count_[*operations]);
    }
    const Satisfiability answer = circuit_->solve(assumed, limits);
    count_clauses();
    if (answer == Satisfiability::stopped) return Outcome::stopped;
    if (answer == Satisfiability::unsatisfiable) return Outcome::none;
    progress.advance(++effort_.candidates);

    const spec::Structure whole = space_->structure();
    const std::vector<std::size_t> keys = used_keys(whole);
    found_.history = with_keys(whole, keys);
    found_.executions.clear();
    for (std::size_t i = 0; i < question_.allow.size(); ++i) {
      const Definition& level = *question_.allow[i];
      found_.executions.push_back(
          with_keys(execution_of(*circuit_, *allowing_[i], level), level, keys));
    }

    const std::size_t lemmas_before = lemmas_.size();
    bool is_rejected = false;
    for (std::size_t i = 0; i < question_.forbid.size(); ++i) {
      if (question_.forbid[i]->witnesses.empty()) continue;
      const Definition& level = *question_.forbid[i];
      const std::optional<Allowed> allowed = is_allowed(level, found_.history, limits);
      if (!allowed) return Outcome::stopped;
      if (!allowed->execution) continue;
      is_rejected = true;
      if (strategy_.learning)
        lemmas_.push_back({i, on_all_keys(*allowed->execution, level, keys, whole)});
    }
    if (!is_rejected) return Outcome::found;
    if (!strategy_.learning) {
      exclude(whole);
    } else if (strategy_.incremental) {
      for (std::size_t i = lemmas_before; i < lemmas_.size(); ++i) require_failure(lemmas_[i]);
    }
    if (!strategy_.incremental) build();
  }
}

}  // namespace isoscope::synth
