#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isoscope/protocol/abstract_model.h"

namespace isoscope::protocol {

/// Values of all cells (cells.h), a byte each, below 64.
using Values = const std::uint8_t*;

/// Formulas with all variables filled in, as tests of single cells with two ways out each. A
/// formula is the number of its first test; `always` and `never` are the ways out. Equal tests with
/// equal ways out are one, so formulas share their ends.
class Code {
 public:
  using Entry = std::int32_t;
  static constexpr Entry always = -1, never = -2;

  /// A test that goes on at `yes` if the cell has one of `values`, otherwise at `no`.
  Entry test(std::uint32_t cell, Bits values, Entry yes, Entry no);

  bool holds(Entry entry, Values values) const {
    while (entry >= 0) {
      const Test& test = tests_[static_cast<std::size_t>(entry)];
      entry = (test.values >> values[test.cell] & 1) != 0 ? test.yes : test.no;
    }
    return entry == always;
  }

  /// Can it hold when this cell has this value, whatever the others have?
  bool can_hold(Entry entry, std::uint32_t cell, std::uint8_t value) const;
  /// Can both hold at once if cells only have these values? The answer "yes" may be wrong, because
  /// the search gives up after many tests.
  bool can_both_hold(Entry first, Entry second, const std::vector<Bits>& possible) const;
  /// Is there a test of the cell that some of these values pass and others do not?
  bool tells_apart(Entry entry, std::uint32_t cell, Bits values) const;

  /// Calls visit(cell) for every cell that the formula looks at, maybe several times.
  template <class Visit>
  void for_each_cell(Entry entry, const Visit& visit) const {
    any_test(entry, [&](const Test& test) {
      visit(test.cell);
      return false;
    });
  }

 private:
  struct Test {
    std::uint32_t cell = 0;
    Entry yes = never, no = never;
    Bits values = 0;
    bool operator==(const Test&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Test& test) const;
  };

  bool can_both_hold(Entry first, Entry second, std::vector<Bits>& possible, int& patience) const;
  /// Is is_it(test) true for some test that the formula may come to? Each test is asked once.
  template <class IsIt>
  bool any_test(Entry entry, const IsIt& is_it) const {
    std::vector<Entry> open = {entry};
    std::vector<bool> seen(tests_.size(), false);
    while (!open.empty()) {
      const Entry next = open.back();
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
  std::unordered_map<Test, Entry, Hash> known_;
};

}  // namespace isoscope::protocol
