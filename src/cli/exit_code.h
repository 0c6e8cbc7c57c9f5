#pragma once

#include "isoscope/base/result.h"
#include "isoscope/certificate/verdict.h"

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

constexpr ExitCode code_of(Answer answer) {
  switch (answer) {
    case Answer::holds:
      return exit_holds;
    case Answer::violated:
      return exit_violated;
    case Answer::unknown:
      return exit_unknown;
  }
  return exit_internal_error;
}

constexpr ExitCode code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::input:
      return exit_bad_input;
    case ErrorKind::usage:
      return exit_usage;
    case ErrorKind::stopped:
      return exit_unknown;
    case ErrorKind::internal:
      return exit_internal_error;
  }
  return exit_internal_error;
}

}  // namespace isoscope::cli
