#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "isoscope/base/limits.h"
#include "isoscope/history/history.h"
#include "isoscope/protocol/trace.h"

namespace isoscope::protocol {

struct SimulateOptions {
  Sizes sizes = {.clients = 3, .keys = 3, .transactions = 3};
  std::uint64_t seed = 1;
  std::size_t most_steps = 10'000;
  std::reference_wrapper<const Limits> limits = Limits::none();
};

struct Simulation {
  Trace trace;
  History history;
  /// A limit was reached, so the run is shorter than it would have been.
  std::optional<StopReason> stopped = {};
};

/// A random run: constants and orders at random (an order keeps session order), then one enabled
/// step after the other, each equally likely, until there is none or there were enough of them. The
/// same seed gives the same run everywhere.
Simulation simulate(const Model& model, const SimulateOptions& options);

}  // namespace isoscope::protocol
