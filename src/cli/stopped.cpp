#include "cli/stopped.h"

#include <new>

namespace isoscope::cli {

ExitCode stopped(const Invocation& invocation) {
  const auto reason = invocation.limits.reached_now();
  complain("unknown: stopped: " + std::string(reason ? name_of(*reason) : "a limit was reached"));
  return exit_unknown;
}

ExitCode not_finished(const Invocation& invocation, const Error& error) {
  return error.kind == ErrorKind::stopped ? stopped(invocation) : failed(error);
}

ExitCode within_memory(Invocation& invocation, const std::function<ExitCode()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    invocation.limits.memory_was_refused();
    return stopped(invocation);
  }
}

}  // namespace isoscope::cli
