#pragma once

#include <vector>

#include "cli/command.h"

namespace isoscope::cli {

/// Every command, and after it its parts.
inline std::vector<const Command*> commands_and_parts() {
  std::vector<const Command*> all;
  for (const Command& command : commands()) {
    all.push_back(&command);
    for (const Command& part : command.parts) all.push_back(&part);
  }
  return all;
}

}  // namespace isoscope::cli
