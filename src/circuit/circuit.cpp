#include "isoscope/circuit/circuit.h"

#include <algorithm>
#include <cadical.hpp>

#include "isoscope/base/contract.h"

namespace isoscope::circuit {
namespace {

class StopAtLimits : public CaDiCaL::Terminator {
 public:
  explicit StopAtLimits(const Limits& limits) : limits_(limits) {}
  // The solver asks so often that a look at the clock and at memory each time would take most of
  // the time.
  bool terminate() override { return ++calls_ % 64 == 0 && limits_.reached_now().has_value(); }

 private:
  const Limits& limits_;
  unsigned calls_ = 0;
};

std::uint64_t hash_of(std::span<const Bit> bits) {
  std::uint64_t hash = bits.size();
  for (const Bit bit : bits) {
    hash = (hash ^ bit.code) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

Circuit::Circuit() : solver_(std::make_unique<CaDiCaL::Solver>()) {
  solver_->set("quiet", 1);
  gates_.push_back({.known = 1});
}

Circuit::~Circuit() = default;

Bit Circuit::variable() {
  gates_.emplace_back();
  return {static_cast<std::uint32_t>(2 * (gates_.size() - 1))};
}

std::span<const Bit> Circuit::inputs(const Gate& gate) const {
  return std::span(inputs_).subspan(gate.first, gate.count);
}

Bit Circuit::simplified(Bit bit) const {
  const std::int8_t known = gates_[bit.node()].known;
  if (known == 0) return bit;
  return constant((known > 0) != bit.is_negated());
}

Bit Circuit::both(Bit a, Bit b) { return all_of({a, b}); }

Bit Circuit::all_of(std::vector<Bit> bits) {
  for (Bit& bit : bits) bit = simplified(bit);
  std::erase(bits, yes);
  std::ranges::sort(bits);
  bits.erase(std::unique(bits.begin(), bits.end()), bits.end());
  if (bits.empty()) return yes;
  if (bits.front() == no) return no;
  if (bits.size() == 1) return bits.front();
  for (std::size_t i = 0; i + 1 < bits.size(); ++i)
    if (bits[i].node() == bits[i + 1].node()) return no;

  const std::uint64_t hash = hash_of(bits);
  for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it)
    if (std::ranges::equal(inputs(gates_[it->second]), bits)) return {2 * it->second};
  const auto number = static_cast<std::uint32_t>(gates_.size());
  gates_.push_back({.first = static_cast<std::uint32_t>(inputs_.size()),
                    .count = static_cast<std::uint32_t>(bits.size())});
  inputs_.insert(inputs_.end(), bits.begin(), bits.end());
  by_hash_.emplace(hash, number);
  return {2 * number};
}

Bit Circuit::any_of(std::vector<Bit> bits) {
  for (Bit& bit : bits) bit = !bit;
  return !all_of(std::move(bits));
}

int Circuit::literal(Bit bit) {
  ISOSCOPE_REQUIRE(!bit.is_constant());
  Gate& gate = gates_[bit.node()];
  if (gate.literal == 0) gate.literal = ++solver_variables_;
  return bit.is_negated() ? -gate.literal : gate.literal;
}

void Circuit::add_clause(std::span<const Bit> bits) {
  for (const Bit bit : bits) solver_->add(literal(bit));
  solver_->add(0);
  ++clauses_;
}

// Adds clauses that make `bit`, if it is true, have the right inputs, and these theirs, and so on.
// The stack is explicit because circuits can be deep.
void Circuit::define(Bit bit) {
  std::vector<Bit> open = {bit};
  std::vector<Bit> clause;
  while (!open.empty()) {
    const Bit next = open.back();
    open.pop_back();
    const std::uint32_t number = next.node();
    if (gates_[number].count == 0) continue;
    bool& done = next.is_negated() ? gates_[number].is_implying : gates_[number].is_implied;
    if (done) continue;
    done = true;
    const Bit gate{2 * number};
    if (next.is_negated()) {  // not gate => some input is not
      clause.assign(1, gate);
      for (const Bit input : inputs(gates_[number])) clause.push_back(!input);
      add_clause(clause);
      for (std::size_t i = 1; i < clause.size(); ++i) open.push_back(clause[i]);
    } else {
      for (std::uint32_t i = 0; i < gates_[number].count; ++i) {
        const Bit input = inputs_[gates_[number].first + i];
        const Bit pair[] = {!gate, input};
        add_clause(pair);
        open.push_back(input);
      }
    }
  }
}

void Circuit::require(Bit bit) {
  bit = simplified(bit);
  if (bit == yes) return;
  if (bit == no) {
    solver_->add(0);
    ++clauses_;
    return;
  }
  const Gate gate = gates_[bit.node()];
  gates_[bit.node()].known = bit.is_negated() ? -1 : 1;
  // Clauses that mention the gate's literal need its value there, too.
  if (gate.literal != 0 || gate.count == 0) {
    const Bit unit[] = {bit};
    add_clause(unit);
  }
  if (gate.count == 0) return;
  const std::vector<Bit> parts(inputs(gate).begin(), inputs(gate).end());
  if (!bit.is_negated()) {
    for (const Bit part : parts) require(part);
    return;
  }
  std::vector<Bit> opposites;
  for (const Bit part : parts) opposites.push_back(!part);
  require_any(opposites);
}

void Circuit::require_any(std::span<const Bit> bits) {
  std::vector<Bit> clause;
  for (Bit bit : bits) {
    bit = simplified(bit);
    if (bit == yes) return;
    if (bit != no) clause.push_back(bit);
  }
  if (clause.size() == 1) return require(clause.front());
  add_clause(clause);
  for (const Bit bit : clause) define(bit);
}

Satisfiability Circuit::solve(std::span<const Bit> assumed, const Limits& limits) {
  solver_was_asked_ = std::ranges::none_of(assumed, [this](Bit b) { return simplified(b) == no; });
  if (!solver_was_asked_) return Satisfiability::unsatisfiable;
  if (limits.reached_now()) return Satisfiability::stopped;
  for (Bit bit : assumed) {
    bit = simplified(bit);
    if (bit == yes) continue;
    define(bit);
    solver_->assume(literal(bit));
  }
  StopAtLimits stop(limits);
  solver_->connect_terminator(&stop);
  const int status = solver_->solve();
  solver_->disconnect_terminator();
  if (status == 10) return Satisfiability::satisfiable;
  if (status == 20) return Satisfiability::unsatisfiable;
  return Satisfiability::stopped;
}

bool Circuit::value(Bit bit) const {
  const Bit simple = simplified(bit);
  if (simple.is_constant()) return simple == yes;
  const Gate& gate = gates_[simple.node()];
  bool is_true = false;
  if (gate.count > 0) {
    // The clauses may say less than the gate does: its value is that of its inputs.
    is_true = std::ranges::all_of(inputs(gate), [this](Bit input) { return value(input); });
  } else if (gate.literal != 0) {
    is_true = solver_->val(gate.literal) > 0;
  }
  return is_true != simple.is_negated();
}

bool Circuit::mattered(Bit assumption) const {
  const Bit bit = simplified(assumption);
  if (!solver_was_asked_ || bit.is_constant()) return bit == no;
  const Gate& gate = gates_[bit.node()];
  return gate.literal != 0 && solver_->failed(bit.is_negated() ? -gate.literal : gate.literal);
}

void Circuit::prefer(Bit variable, bool value) {
  variable = simplified(variable);
  if (variable.is_constant()) return;
  const int phase = literal(variable);
  solver_->phase(value ? phase : -phase);
}

}  // namespace isoscope::circuit
