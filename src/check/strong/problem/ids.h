#pragma once

#include <cstdint>

#include "isoscope/base/id.h"

namespace isoscope::strong {

struct ReadTag;
/// A read of the problem; see OrderProblem::reads.
using ReadId = Id<ReadTag>;

struct VersionTag;
/// A version of the problem; see OrderProblem::versions.
using VersionId = Id<VersionTag>;

struct EventTag;
/// An event or a point in time; see OrderProblem::begin().
using EventId = Id<EventTag>;

struct ChainTag;
/// A chain of transactions. 0 is that of the initial state.
using ChainId = Id<ChainTag>;

/// No transaction, no event, no read and so on.
struct None {
  constexpr operator std::uint32_t() const { return 0xFFFFFFFF; }
  template <class Tag>
  constexpr operator Id<Tag>() const {
    return Id<Tag>(0xFFFFFFFF);
  }
};
inline constexpr None none;

}  // namespace isoscope::strong
