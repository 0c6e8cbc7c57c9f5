#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isoscope/protocol/abstract_model.h"

namespace isoscope::protocol {

/// Values of all cells (cells.h), a byte each, below 64.
using Values = const std::uint8_t*;

/// A formula with all variables filled in, as the number of the first test of its decision diagram.
using Diagram = std::int32_t;

/// Decision diagrams: formulas as tests of single cells with two ways out each, which lead to other
/// tests or to the ends `always` and `never`. Equal tests with equal ways out are one, so diagrams
/// share their ends. Unlike in a binary decision diagram, a test is about a set of values, and
/// cells may be tested in any order.
class DecisionDiagrams {
 public:
  static constexpr Diagram always = -1, never = -2;

  /// A test that goes on at `yes` if the cell has one of `values`, otherwise at `no`.
  Diagram test(std::uint32_t cell, Bits values, Diagram yes, Diagram no);

  bool holds(Diagram diagram, Values values) const {
    while (diagram >= 0) {
      const Test& test = tests_[static_cast<std::size_t>(diagram)];
      diagram = (test.values >> values[test.cell] & 1) != 0 ? test.yes : test.no;
    }
    return diagram == always;
  }

  /// Can it hold when this cell has this value, whatever the others have?
  bool can_hold(Diagram diagram, std::uint32_t cell, std::uint8_t value) const;
  /// Can both hold at once if cells only have these values? The answer "yes" may be wrong, because
  /// the search gives up after many tests.
  bool can_both_hold(Diagram first, Diagram second, const std::vector<Bits>& possible) const;
  /// Is there a test of the cell that some of these values pass and others do not?
  bool tells_apart(Diagram diagram, std::uint32_t cell, Bits values) const;

  /// Calls visit(cell) for every cell that the formula looks at, maybe several times.
  template <class Visit>
  void for_each_cell(Diagram diagram, const Visit& visit) const {
    any_test(diagram, [&](const Test& test) {
      visit(test.cell);
      return false;
    });
  }

 private:
  struct Test {
    std::uint32_t cell = 0;
    Diagram yes = never, no = never;
    Bits values = 0;
    bool operator==(const Test&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Test& test) const;
  };

  bool can_both_hold(Diagram first, Diagram second, std::vector<Bits>& possible,
                     int& patience) const;
  /// Is is_it(test) true for some test that the formula may come to? Each test is asked once.
  template <class IsIt>
  bool any_test(Diagram diagram, const IsIt& is_it) const {
    std::vector<Diagram> open = {diagram};
    std::vector<bool> seen(tests_.size(), false);
    while (!open.empty()) {
      const Diagram next = open.back();
      open.pop_back();
      if (next < 0 || seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      const Test& test = tests_[static_cast<std::size_t>(next)];
      if (is_it(test)) return true;
      open.push_back(test.yes);
      open.push_back(test.no);
    }
    return false;
  }

  std::vector<Test> tests_;
  std::unordered_map<Test, Diagram, Hash> known_;
};

}  // namespace isoscope::protocol
