#include "cli/command.h"

#ifndef ISOSCOPE_VERSION
#error "the build says which version this is"
#endif

namespace isoscope::cli {

ExitCode run_help(Invocation& invocation) {
  std::vector<std::string> words = invocation.arguments;
  if (words.empty()) {
    print(program_help());
    return exit_holds;
  }
  const auto command = take_command(words);
  if (!command) return wrong_usage(command.error());
  if (!words.empty()) return wrong_usage(Error{"expected isoscope help COMMAND"});
  print(help_of(**command));
  return exit_holds;
}

ExitCode run_version(Invocation&) {
  print("isoscope " ISOSCOPE_VERSION "\n");
  return exit_holds;
}

}  // namespace isoscope::cli
