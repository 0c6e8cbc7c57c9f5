#pragma once

namespace isoscope::cli {

/// What the program's exit code says. docs/exit-codes.md is the page for users.
enum ExitCode : int {
  exit_holds = 0,
  exit_internal_error = 1,
  exit_usage = 2,
  exit_bad_input = 3,
  exit_violated = 10,
  exit_unknown = 20,
};

/// The code to report for several files or levels. Bad input outranks "violated", which outranks
/// "unknown", which outranks "holds".
constexpr ExitCode worse(ExitCode a, ExitCode b) {
  for (const ExitCode code :
       {exit_internal_error, exit_usage, exit_bad_input, exit_violated, exit_unknown}) {
    if (a == code || b == code) return code;
  }
  return exit_holds;
}

}  // namespace isoscope::cli
