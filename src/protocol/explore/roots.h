#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isoscope/base/result.h"
#include "isoscope/protocol/explore.h"
#include "protocol/explore/system.h"

namespace isoscope::protocol {

/// Other names for keys and for clients, whose transactions go along. A model cannot tell names
/// apart, so what it does from a renamed state is the renaming of what it does.
struct Renaming {
  std::vector<std::uint8_t> keys, clients;
  std::vector<std::uint8_t> transactions;  ///< what each one becomes; 64, to include `nobody`
  std::vector<std::uint32_t> source;       ///< by cell: where its value comes from
};

/// Every renaming, the identity first. If there are more than `most_renamings`, only the renamings
/// of some of the clients and keys.
inline constexpr std::size_t most_renamings = 2'000;
std::vector<Renaming> renamings(const Cells& cells);

/// A start: values of the constants and orders, and which renamings leave these as they are.
struct Root {
  std::vector<std::uint8_t> values;     ///< of all cells
  std::vector<std::uint32_t> symmetry;  ///< numbers of renamings, the identity first
};

/// Every start there is, but only one of those that are renamings of each other. Without `symmetry`
/// it is all of them, each with no symmetry except the identity. Constants that nothing looks at
/// are false. With shapes, the shapes say what the constants are.
///
/// An Error if there are more than `most_roots`, or shapes that do not fit the model.
inline constexpr std::size_t most_roots = std::size_t{1} << 20;
Result<std::vector<Root>> roots_of(const System& system, const std::vector<Renaming>& renamings,
                                   const std::vector<Shape>& shapes, bool symmetry);

}  // namespace isoscope::protocol
