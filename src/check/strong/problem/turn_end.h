#pragma once

#include <cstdint>

namespace isoscope::strong {

/// How a turn of a search for an order ends. Searches take turns, because nobody knows beforehand
/// which of them is the fastest.
enum class TurnEnd : std::uint8_t {
  found,       ///< an order that is right
  impossible,  ///< there is no order
  not_yet,     ///< the search may go on in another turn
  gave_up,     ///< the search does not suit this problem, or would take too much
  stopped,     ///< a limit was reached
};

}  // namespace isoscope::strong
