#pragma once

#include <vector>

#include "isoscope/circuit/circuit.h"

namespace isoscope::synth {

using circuit::Bit;
using circuit::Circuit;
using circuit::constant;
using circuit::no;
using circuit::yes;

/// A relation whose pairs are Bits; a set is a relation with one row.
class BitRelation {
 public:
  BitRelation() = default;
  BitRelation(std::size_t rows, std::size_t columns, Bit fill = no)
      : rows_(rows), columns_(columns), bits_(rows * columns, fill) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Bit& at(std::size_t row, std::size_t column) { return bits_[row * columns_ + column]; }
  Bit at(std::size_t row, std::size_t column) const { return bits_[row * columns_ + column]; }
  std::vector<Bit>& bits() { return bits_; }
  const std::vector<Bit>& bits() const { return bits_; }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<Bit> bits_;
};

/// One relation, or one for every key.
using BitValue = std::vector<BitRelation>;

/// The algebra of relations on bits. Shapes must fit.
BitRelation unite(Circuit& circuit, const BitRelation& a, const BitRelation& b);
BitRelation intersect(Circuit& circuit, const BitRelation& a, const BitRelation& b);
BitRelation subtract(Circuit& circuit, const BitRelation& a, const BitRelation& b);
BitRelation compose(Circuit& circuit, const BitRelation& a, const BitRelation& b);
BitRelation product(Circuit& circuit, const BitRelation& rows, const BitRelation& columns);
BitRelation transpose(const BitRelation& a);
/// Transitive closure, by squaring; in one pass where no pair can go backwards.
BitRelation closure(Circuit& circuit, const BitRelation& a);

Bit is_subset(Circuit& circuit, const BitRelation& a, const BitRelation& b);
Bit is_irreflexive(Circuit& circuit, const BitRelation& a);
/// Strict and total on a set (one row).
Bit is_total_order(Circuit& circuit, const BitRelation& order, const BitRelation& set);

}  // namespace isoscope::synth
