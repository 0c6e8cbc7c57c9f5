#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "protocol/prove/houdini.h"

namespace isoscope::protocol {

/// One event, or the start, and all that is known of it.
struct Houdini::Step {
  /// Terms for k, t and u, and the atoms there before the event.
  struct Place {
    Ground::Element k = 0, t = 0, u = 0;
    Bit same = circuit::no;
    std::vector<Bit> atoms;
  };

  const Event* event = nullptr;
  Circuit circuit;
  std::unique_ptr<Ground> ground;
  std::vector<Place> places;
  std::map<std::array<Ground::Element, 3>, std::size_t> place_of;
  std::vector<Bit> after;  ///< the atoms at the free constants after the event
  Bit same_after = circuit::no;
  std::map<std::size_t, Bit> active;    ///< by candidate: its instances count
  std::map<std::size_t, Bit> failures;  ///< by candidate: it is false after the event
  std::set<std::pair<std::size_t, std::size_t>> instances;  ///< candidate, place
};

}  // namespace isoscope::protocol
