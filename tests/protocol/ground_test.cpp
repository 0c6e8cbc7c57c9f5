#include "protocol/claims/ground.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isoscope/base/limits.h"
#include "isoscope/protocol/model_text.h"
#include "protocol/claims/claim.h"

namespace isoscope::protocol {
namespace {

const std::string letters = R"(constant wants(key, transaction) : bool
state rv(key, transaction) : transaction? = none
state free(transaction) : bool = true
event send(c: client, t: transaction) at c
  when owner(t) = c and free(t) and forall k: key. wants(k, t) => rv(k, t) != none
  then free(t) := false
event set(k: key, t: transaction, w: transaction) at k
  when rv(k, t) = none
  then rv(k, t) := w
event copy(k: key, t: transaction, u: transaction) at k
  then rv(k, t) := rv(k, u)
observe t: transaction { committed when not free(t) }
)";

Model model_of(const std::string& text) {
  Result<Model> model = read_model("t", text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model{};
}

// The formula with k, t and u, as an invariant reads it.
FormulaPtr formula_of(const std::string& text) {
  const Model model = model_of(letters +
                               "event e(k: key, t, u: transaction) at k begins t commits u "
                               "when " +
                               text);
  return model.events.back().guard;
}

bool is_proved(const Model& model, std::uint32_t event, const Claim& claim) {
  Circuit circuit;
  Ground ground(circuit, model, &model.events[event], constants_for(claim));
  const Bit opposite = opposite_of(claim, ground, circuit);
  const Limits limits;
  return circuit.solve(std::vector{opposite}, limits) == Satisfiability::unsatisfiable;
}

// There may be more keys than terms for transactions, and each key can have been sent another
// transaction.
TEST(Ground, WhatAReferenceRefersToNeedNotBeATerm) {
  const Model model = model_of(letters);
  const FormulaPtr is_none = formula_of("rv(k, t) = none");
  const FormulaPtr refers = formula_of("rv(k, t) = u");
  constexpr std::uint32_t keys = 6;
  Claim claim{"pigeons", "test", {Sort::transaction, Sort::transaction}, nothing()};
  const std::uint32_t t = 3, u = 4, k = 5;  // after the parameters of `set`
  for (std::uint32_t i = 0; i < keys; ++i) {
    claim.variables.push_back(Sort::key);
    claim.body = std::move(claim.body) || formula_is(is_none, {k + i, t, u}, When::before);
    for (std::uint32_t j = 0; j < i; ++j) {
      claim.body = std::move(claim.body) || is_equal(Sort::key, k + i, k + j);
      // All transactions that have a name are different answers.
      for (const std::uint32_t name : {t, u, 1u, 2u, initial_variable})
        claim.body = std::move(claim.body) || (formula_is(refers, {k + i, t, name}, When::before) &&
                                               formula_is(refers, {k + j, t, name}, When::before));
    }
  }
  EXPECT_FALSE(is_proved(model, 1, claim));
}

TEST(Ground, NoneIsNoTransaction) {
  const Model model = model_of(letters);
  const FormulaPtr is_none = formula_of("rv(k, t) = none");
  const FormulaPtr refers = formula_of("rv(k, t) = u");
  // The claim is about any k', t' and u', among them the event's own.
  const Claim not_both{
      "not both",
      "test",
      {Sort::key, Sort::transaction, Sort::transaction},
      !(formula_is(is_none, {3, 4, 5}, When::after) && formula_is(refers, {3, 4, 5}, When::after))};
  EXPECT_TRUE(is_proved(model, 1, not_both));
  EXPECT_TRUE(is_proved(model, 2, not_both));
  const Claim is_set{
      "is set",
      "test",
      {},
      !formula_is(is_none, {0, 1, 2}, When::after) && formula_is(refers, {0, 1, 2}, When::after)};
  EXPECT_TRUE(is_proved(model, 1, is_set));
  EXPECT_FALSE(is_proved(model, 2, is_set));
  const Claim is_copied{
      "is copied",
      "test",
      {},
      formula_is(is_none, {0, 1, 2}, When::after) == formula_is(is_none, {0, 2, 1}, When::before)};
  EXPECT_TRUE(is_proved(model, 2, is_copied));
}

// The guard says that the event's own references are not none. Where that matters, what they refer
// to is a term.
TEST(Ground, TheGuardsReferencesReferToTerms) {
  Model model = model_of(letters);
  const FormulaPtr wanted = formula_of("wants(k, t)");
  const FormulaPtr nobody = formula_of("no w: transaction. rv(k, t) = w");
  const Claim claim{
      "somebody",
      "test",
      {Sort::key},
      formula_is(wanted, {2, 1, 1}, When::before) >> !formula_is(nobody, {2, 1, 1}, When::before)};
  EXPECT_FALSE(is_proved(model, 0, claim));
  model.refines.emplace();
  EXPECT_TRUE(is_proved(model, 0, claim));
}

}  // namespace
}  // namespace isoscope::protocol
