#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "check/weak/commit_graph.h"

namespace isoscope::weak {

/// Why an edge into the initial state cannot be: one sentence.
std::string text_of(const KnownSources& sources, const ForcedEdge& before_initial);

/// Why there is no commit order: the edges of a cycle, in one sentence. Long cycles are cut short.
/// `cycle`: nodes, which may be points in time; each comes before the next one.
std::string text_of(const KnownSources& sources, std::span<const std::uint32_t> cycle,
                    std::span<const ForcedEdge> forced);

}  // namespace isoscope::weak
