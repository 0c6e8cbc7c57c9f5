#pragma once

#include <cstddef>
#include <cstdint>

namespace isoscope {

/// Parts of the engine for strong levels that can be switched off, to see what they are good for.
/// The answer is the same with every combination.
struct StrongTechniques {
  /// Find out first what follows about the order without any choice.
  bool saturation = true;
  /// Try first the value of a choice that agrees with the order guessed so far.
  bool order_guides_polarity = true;
  /// Make a choice only when an order got it wrong, instead of all of them beforehand.
  bool lazy_choices = true;
  /// The maximum number of choices in a cycle that the solver is given beforehand; 0 and 1: no
  /// cycle is given.
  int eager_width = 0;
  /// When another search runs: in turns with the solver, or before it.
  enum class When : std::uint8_t { off, turns, first };
  /// With real time: search all configurations that are possible at a time.
  When frontiers = When::turns;
  /// Without real time: look for a contradiction among the first transactions of each session.
  When beginnings = When::turns;
  /// What is known of the order is kept by chain (mostly a chain is a session), unless there are
  /// more chains than this. Then it is kept in a window around each event, which is this many
  /// events wide at most. Tests make both small.
  std::size_t most_chains = 256;
  std::size_t widest_window = 8192;
  /// A question takes turns of several attempts if it has more conflicts of the solver than this.
  /// The solver has some ten thousand in a second, and most histories have fewer than this. Tests
  /// make it small. 0: there is no turn of one attempt alone.
  std::uint64_t first_turn = 5'000;
  /// Beyond the first turn attempts run at once where there are threads (CheckOptions::threads).
  bool race = true;
};

}  // namespace isoscope
