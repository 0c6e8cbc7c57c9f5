#include <utility>

#include "isoscope/base/contract.h"
#include "protocol/claims/obligations.h"

namespace isoscope::protocol {
namespace {

using V = std::uint32_t;

/// The axioms of abstract executions, of one state. (Source: Cerone, Bernardi, Gotsman: A framework
/// for transactional consistency models with atomic visibility, CONCUR 2015; EXT, SESSION,
/// TRANSVIS, PREFIX, NOCONFLICT and TOTALVIS are its names.)
class Axioms {
 public:
  /// `first`: the number of the claims' first variable.
  Axioms(const Model& model, AbstractLevel level, V first, When when)
      : model_(model), level_(level), first_(first), when_(when) {}

  std::vector<Claim> all() {
    using enum AbstractLevel;
    const V a = first_, b = a + 1, c = a + 2, k = a + 3;
    const Sort T = Sort::transaction, K = Sort::key;
    const std::vector<Sort> two = {T, T}, three = {T, T, T}, three_and_key = {T, T, T, K};
    const Proposition ab = is_known(a) && is_known(b), abc = ab && is_known(c);
    add("the order is strict", "order", {T}, is_known(a) >> !before(a, a));
    add("the order is transitive", "order", three,
        (abc && before(a, b) && before(b, c)) >> before(a, c));
    add("the order is total", "order", two, ab >> (same(a, b) || before(a, b) || before(b, a)));
    add("seeing goes with the order", "order", two, (ab && sees(a, b)) >> before(a, b));

    add("reads are of committed writes", "EXT", three_and_key,
        (is_committed(b) && reads(b, k, a)) >> (is_known(a) && writes(a, k) && sees(a, b)));
    add("reads are of the last visible write", "EXT", three_and_key,
        (is_committed(b) && reads(b, k, a) && is_known(c) && writes(c, k) && sees(c, b) &&
         !same(a, c)) >>
            before(c, a));
    const AbstractLevelEntry& entry = entry_of(level_);
    const bool has_sessions = entry.sessions;
    if (has_sessions)
      add("sessions see themselves", "SESSION", two,
          (ab && is_before_in_session(a, b)) >> sees(a, b));
    if (level_ == tcc || level_ == psi)
      add("seeing is transitive", "TRANSVIS", three,
          (abc && sees(a, b) && sees(b, c)) >> sees(a, c));
    if (level_ == pc || level_ == si)
      add("a transaction that sees one sees all before it", "PREFIX", three,
          (abc && before(a, b) && sees(b, c)) >> sees(a, c));
    if (level_ == ua || level_ == psi || level_ == si)
      add("writers of a key see each other", "NOCONFLICT", three_and_key,
          (ab && writes(a, k) && writes(b, k) && before(a, b)) >> sees(a, b));
    if (level_ == ser)
      add("every transaction sees all before it", "TOTALVIS", two,
          (ab && before(a, b)) >> sees(a, b));
    return std::move(claims_);
  }

 private:
  void add(std::string name, std::string of, std::vector<Sort> variables, Proposition body) {
    claims_.push_back({std::move(name), std::move(of), std::move(variables), std::move(body)});
  }
  static Proposition same(V a, V b) { return is_equal(Sort::transaction, a, b); }
  static Proposition is_initial(V a) { return same(a, initial_variable); }

  Proposition is_committed(V t) const {
    return !is_initial(t) && formula_is(model_.observation.committed.formula, {t}, when_);
  }
  Proposition is_known(V t) const {
    return is_initial(t) || formula_is(model_.observation.committed.formula, {t}, when_);
  }
  Proposition reads(V t, V k, V w) const {
    return formula_is(model_.observation.reads.formula, {t, k, w}, when_);
  }
  Proposition writes(V t, V k) const {
    return is_initial(t) || formula_is(model_.observation.writes.formula, {t, k}, when_);
  }
  // The initial transaction is before all others, and everybody sees it.
  Proposition from_initial(V a, V b, const FormulaPtr& formula) const {
    return (is_initial(a) && !is_initial(b)) ||
           (!is_initial(a) && !is_initial(b) && formula_is(formula, {a, b}, when_));
  }
  Proposition before(V a, V b) const { return from_initial(a, b, model_.witness->before.formula); }
  Proposition sees(V a, V b) const {
    const FormulaPtr& given = model_.witness->sees.formula;
    return from_initial(a, b, given ? given : model_.witness->before.formula);
  }

  const Model& model_;
  AbstractLevel level_;
  V first_;
  When when_;
  std::vector<Claim> claims_;
};

// Committed transactions stay committed, with their reads and writes, and clients see every
// transaction that commits as committed.
void add_observation(const Model& model, const Event& event, std::vector<Claim>& claims) {
  const auto first = static_cast<V>(event.parameters.size());
  const V t = first, k = t + 1, w = t + 2;
  const Observation& seen = model.observation;
  const auto of = [&](const Named& named, std::vector<V> arguments, When when) {
    return formula_is(named.formula, std::move(arguments), when);
  };
  const Proposition was = of(seen.committed, {t}, When::before);
  const Proposition commits_now =
      event.commits ? is_equal(Sort::transaction, t, *event.commits) : nothing();
  claims.push_back({"clients see commits, and committed transactions stay so",
                    "observation",
                    {Sort::transaction},
                    (was || commits_now) >> of(seen.committed, {t}, When::after)});
  claims.push_back(
      {"committed reads stay",
       "observation",
       {Sort::transaction, Sort::key, Sort::transaction},
       was >> (of(seen.reads, {t, k, w}, When::before) == of(seen.reads, {t, k, w}, When::after))});
  claims.push_back(
      {"committed writes stay",
       "observation",
       {Sort::transaction, Sort::key},
       was >> (of(seen.writes, {t, k}, When::before) == of(seen.writes, {t, k}, When::after))});
}

}  // namespace

Obligations witness_obligations(const Model& model, AbstractLevel level) {
  ISOSCOPE_REQUIRE(model.witness && level != AbstractLevel::sser);
  Obligations result;
  result.start = Axioms(model, level, 0, When::before).all();
  for (const Event& event : model.events) {
    const auto first = static_cast<V>(event.parameters.size());
    result.assumed.push_back(Axioms(model, level, first, When::before).all());
    result.events.push_back(Axioms(model, level, first, When::after).all());
    add_observation(model, event, result.events.back());
  }
  return result;
}

}  // namespace isoscope::protocol
