#pragma once

#include <cstdint>
#include <string_view>

namespace isoscope::report {

/// What a fact of an explanation is about.
enum class FactKind : std::uint8_t {
  session_order,    ///< `from` comes before `to` in their session
  real_time,        ///< `from` ended before `to` began
  initial_state,    ///< `to` comes after the initial state
  read_dependency,  ///< wr: `to` read what `from` wrote
  overwrite,        ///< ww: `from` wrote the key before `to` did
  anti_dependency,  ///< rw: `from` read the key before `to` overwrote it
  supposed,         ///< `from` before `to` is the case being looked at
  source,           ///< `to` read, or did not read, what `from` wrote
  outcome,          ///< `to`, of unknown outcome, committed, or did not
};

/// "session-order", "wr", ...
std::string_view name_of(FactKind kind);

}  // namespace isoscope::report
