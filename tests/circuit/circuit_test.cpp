#include "isoscope/circuit/circuit.h"

#include <gtest/gtest.h>

#include <vector>

#include "isoscope/base/random.h"
#include "test_scale.h"

namespace isoscope::circuit {
namespace {

TEST(Circuit, FoldsConstantsAndSharesGates) {
  Circuit circuit;
  const Bit a = circuit.variable(), b = circuit.variable();
  EXPECT_EQ(circuit.both(a, yes), a);
  EXPECT_EQ(circuit.both(a, no), no);
  EXPECT_EQ(circuit.both(a, !a), no);
  EXPECT_EQ(circuit.either(a, !a), yes);
  EXPECT_EQ(circuit.both(a, b), circuit.both(b, a));
  EXPECT_EQ(circuit.implies(a, a), yes);
  EXPECT_EQ(circuit.all_of({}), yes);
  EXPECT_EQ(circuit.any_of({}), no);
}

TEST(Circuit, TakesWhatWasRequiredAsKnown) {
  Circuit circuit;
  const Bit a = circuit.variable(), b = circuit.variable();
  circuit.require(a);
  EXPECT_EQ(circuit.both(a, b), b);
  circuit.require(circuit.implies(a, b));
  EXPECT_EQ(circuit.either(b, a), yes);
  Limits limits;
  EXPECT_EQ(circuit.solve({}, limits), Satisfiability::satisfiable);
  EXPECT_TRUE(circuit.value(a) && circuit.value(b));
  const Bit not_b[] = {!b};
  EXPECT_EQ(circuit.solve(not_b, limits), Satisfiability::unsatisfiable);
  EXPECT_EQ(circuit.solve({}, limits), Satisfiability::satisfiable);
}

TEST(Circuit, SaysWhichAssumptionsMattered) {
  Circuit circuit;
  const Bit a = circuit.variable(), b = circuit.variable(), c = circuit.variable();
  circuit.require(!circuit.both(a, b));
  Limits limits;
  const Bit assumed[] = {a, c, b};
  ASSERT_EQ(circuit.solve(assumed, limits), Satisfiability::unsatisfiable);
  EXPECT_TRUE(circuit.mattered(a) && circuit.mattered(b));
  EXPECT_FALSE(circuit.mattered(c));
}

// Random formulas over five variables against all 32 assignments.
TEST(Circuit, AgreesWithATruthTable) {
  Random random(3);
  Limits limits;
  for (int round = 0; round < 300 * test_scale(); ++round) {
    Circuit circuit;
    std::vector<Bit> bits;
    std::vector<std::uint32_t> tables;  // bit i: the value under assignment i
    for (unsigned v = 0; v < 5; ++v) {
      bits.push_back(circuit.variable());
      std::uint32_t table = 0;
      for (unsigned i = 0; i < 32; ++i) table |= (i >> v & 1) << i;
      tables.push_back(table);
    }
    std::uint32_t models = ~0u;
    for (int gate = 0; gate < 12; ++gate) {
      std::vector<Bit> inputs;
      std::uint32_t table = ~0u;
      for (std::uint64_t i = 0; i < 1 + random.below(3); ++i) {
        const std::size_t pick = random.below(bits.size());
        const bool is_negated = random.chance(50);
        inputs.push_back(is_negated ? !bits[pick] : bits[pick]);
        table &= is_negated ? ~tables[pick] : tables[pick];
      }
      bits.push_back(circuit.all_of(inputs));
      tables.push_back(table);
      if (gate % 4 == 3) {  // some of them must be false, and what follows may fold that
        circuit.require(!bits.back());
        models &= ~table;
      }
    }
    ASSERT_EQ(circuit.solve({}, limits) == Satisfiability::satisfiable, models != 0);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      for (const bool wanted : {true, false}) {
        const Bit assumed[] = {wanted ? bits[i] : !bits[i]};
        const bool possible = (models & (wanted ? tables[i] : ~tables[i])) != 0;
        ASSERT_EQ(circuit.solve(assumed, limits) == Satisfiability::satisfiable, possible);
        if (possible) {
          ASSERT_EQ(circuit.value(bits[i]), wanted);
        }
      }
    }
  }
}

}  // namespace
}  // namespace isoscope::circuit
