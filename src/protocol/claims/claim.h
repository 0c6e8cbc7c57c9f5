#pragma once

#include <string>
#include <vector>

#include "protocol/claims/ground.h"

namespace isoscope::protocol {

/// A quantifier-free combination of formulas about the states before and after an event. Its
/// variables are the event's parameters, then those of the Claim it stands in.
struct Proposition {
  enum class Kind : std::uint8_t {
    formula,  ///< `formula`, its variables being `arguments`, at `when`
    equal,    ///< arguments[0] and arguments[1], of `sort`
    session_order,
    same_owner,
    negation,
    conjunction,
    disjunction,
  };

  Kind kind = Kind::conjunction;
  FormulaPtr formula = {};
  When when = When::before;
  Sort sort = Sort::transaction;
  std::vector<std::uint32_t> arguments = {};
  std::vector<Proposition> parts = {};
};

Proposition formula_is(FormulaPtr formula, std::vector<std::uint32_t> arguments, When when);
Proposition is_equal(Sort sort, std::uint32_t a, std::uint32_t b);
Proposition is_before_in_session(std::uint32_t a, std::uint32_t b);
Proposition has_same_owner(std::uint32_t a, std::uint32_t b);
Proposition operator!(Proposition p);
Proposition operator&&(Proposition a, Proposition b);
Proposition operator||(Proposition a, Proposition b);
Proposition operator>>(Proposition a, Proposition b);  ///< implies
Proposition operator==(Proposition a, Proposition b);  ///< if and only if
Proposition nothing();                                 ///< false
inline Proposition anything() { return !nothing(); }

/// What an event must keep to: true for all values of the variables.
struct Claim {
  std::string name;        ///< "last write wins"
  std::string belongs_to;  ///< which part of the level it belongs to: "canCommit(SI)"
  std::vector<Sort> variables;
  Proposition body;
};

/// The initial transaction as a variable of every claim: the number behind all others.
inline constexpr std::uint32_t initial_variable = 0xffff;

/// The bit that is implied by the claim's opposite, on the ground's free constants.
Bit opposite_of(const Claim& claim, Ground& ground, Circuit& circuit);
/// How many free constants that needs.
Constants constants_for(const Claim& claim);
/// Requires all instances of the claim, or only some if a limit is reached.
void assume(const Claim& claim, Ground& ground, Circuit& circuit, const Limits& limits);

}  // namespace isoscope::protocol
