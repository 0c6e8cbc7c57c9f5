#pragma once

#include <functional>

#include "cli/command.h"

// What a command says and returns when a limit ends its work.

namespace isoscope::cli {

/// Complains that a limit was reached, and gives the code for that.
ExitCode stopped(const Invocation& invocation);

/// The same for work that ended with an Error: what else went wrong is complained about as it is.
ExitCode not_finished(const Invocation& invocation, const Error& error);

/// Does work that may need much memory. Where memory is refused, the limit counts as reached.
ExitCode within_memory(Invocation& invocation, const std::function<ExitCode()>& work);

}  // namespace isoscope::cli
