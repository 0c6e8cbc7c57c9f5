#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace isoscope {

/// One of the Isolde paper's 46 problems: levels that allow a history, separated by blanks, and one
/// that forbids it.
struct IsoldeProblem {
  enum class Class { sat_single, sat_multi, unsat_single, unsat_multi };

  Class of;
  std::string_view allow;
  std::string_view forbid;

  /// Is there such a history with this number of transactions? Causal and prefix consistency differ
  /// only from four on.
  bool has_history(std::size_t transactions) const {
    if (of == Class::unsat_single || of == Class::unsat_multi) return false;
    return transactions > 3 || !(allow.ends_with("/CC") && forbid.ends_with("/PC"));
  }
};

inline constexpr std::array<std::string_view, 4> isolde_class_names = {
    "SAT, one framework", "SAT, two frameworks", "UNSAT, one framework", "UNSAT, two frameworks"};

/// The problems stand in the paper's order of classes.
const std::vector<IsoldeProblem>& isolde_problems();

}  // namespace isoscope
