#pragma once

#include <optional>

#include "isoscope/synth/confirm.h"

namespace isoscope::synth {

/// How much of a scope a level allows. A level that allows nothing implies every other one, and
/// what is said of it is worth nothing.
enum class Extent : std::uint8_t { some, nothing, everything, unknown };

/// Looks for a history that the level allows, and for one that it forbids, unless one is known.
Extent extent_of(const spec::Definition& level, bool allows_some, bool forbids_some,
                 const Scope& scope, const Strategy& strategy, const Limits& limits,
                 Progress& progress);

/// Two levels, and a smallest history that one allows and the other does not, both ways.
struct Comparison {
  enum class Kind : std::uint8_t {
    equivalent,  ///< in the scope: each history is allowed by both or by neither
    stronger,    ///< the first allows less
    weaker,      ///< the first allows more
    incomparable,
    different,  ///< a history tells them apart, but the other direction was not decided
    unknown,    ///< nothing was found before a limit was reached
  };
  struct Side {
    Synthesis::Kind answer = Synthesis::Kind::none;
    std::optional<Example> example = {};
  };

  Side only_first;   ///< allowed by the first, forbidden by the second
  Side only_second;  ///< the other way round
  Extent first_allows = Extent::some;
  Extent second_allows = Extent::some;

  Kind kind() const;
};

/// The definitions must outlive the comparison. An Error is one of confirmed().
Result<Comparison> compare(const spec::Definition& first, const spec::Definition& second,
                           const Scope& scope, const Strategy& strategy, const Limits& limits,
                           Progress& progress);

}  // namespace isoscope::synth
