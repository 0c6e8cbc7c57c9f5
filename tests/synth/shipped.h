#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "isoscope/spec/level_text.h"

namespace isoscope::synth {

/// The shipped level text of that name.
inline spec::Definition shipped(std::string_view name) {
  const auto text = spec::find_shipped(name, "");
  if (!text) {
    ADD_FAILURE() << "no level text " << name;
    return {};
  }
  auto definition = spec::read_definition(*text, spec::find_shipped);
  if (!definition) {
    ADD_FAILURE() << definition.error().text();
    return {};
  }
  return *std::move(definition);
}

/// Every shipped level, bases among them.
inline std::vector<spec::Definition> all_shipped() {
  std::vector<spec::Definition> result;
  for (const spec::ShippedLevel& level : spec::shipped_levels())
    result.push_back(shipped(level.name));
  return result;
}

}  // namespace isoscope::synth
