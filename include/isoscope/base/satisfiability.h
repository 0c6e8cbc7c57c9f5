#pragma once

#include <cstdint>

namespace isoscope {

/// What a solver found out about its clauses; `stopped`: nothing, because a limit was reached.
enum class Satisfiability : std::uint8_t { satisfiable, unsatisfiable, stopped };

}  // namespace isoscope
