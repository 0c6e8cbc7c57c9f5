#pragma once

#include <CLI/App.hpp>
#include <memory>

#include "cli/command.h"

namespace isoscope::cli {

/// The parser of a command's options and arguments, which also formats its help. What it parses
/// goes into `invocation`, which may be null where there is only help to print. Words that it does
/// not know are in its remaining().
std::unique_ptr<CLI::App> parser_of(const Command& command, Invocation* invocation);

}  // namespace isoscope::cli
