#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>

#include "cli/command.h"
#include "cli/file_roles.h"
#include "cli/memory.h"
#include "cli/parser.h"
#include "isoscope/base/suggestion.h"

namespace isoscope::cli {

namespace {

/// What Ctrl-C and SIGTERM stop. A signal handler can reach nothing but globals.
Limits* interruptible = nullptr;

extern "C" void on_interrupt(int) {
  if (interruptible != nullptr) interruptible->request_stop();
  // A second one ends the program at once.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void apply_limits(Invocation& invocation) {
  const Options& options = invocation.options;
  if (options.is_set("time-limit")) {
    invocation.limits.set_time(std::chrono::nanoseconds(options.number("time-limit")));
  }
  if (options.is_set("memory-limit")) {
    const auto bytes = static_cast<std::size_t>(options.number("memory-limit"));
    invocation.limits.set_memory(bytes);
    limit_memory(bytes);
  }
  interruptible = &invocation.limits;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

/// An option that the command does not have, as it was typed.
std::string unknown_option(const Command& command, std::string_view typed) {
  const std::string_view name = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  std::vector<std::string> known = {"help"};
  for (const CommandOption& option : command.options) known.emplace_back(option.name);
  std::string what = std::string(command.name) + " has no option " + std::string(typed);
  if (const auto near = nearest_name(name, known))
    return what + "; did you mean `--" + *near + "`?";
  if (const Command* other = command_with_option(name))
    what += "; " + std::string(other->name) + " has it";
  return what;
}

/// What is wrong with words that the parser did not know, and with too many or too few arguments.
std::optional<std::string> problem_with(const Command& command,
                                        const std::vector<std::string>& left,
                                        const std::vector<std::string>& arguments) {
  const std::string usage = "expected isoscope " + std::string(command.name) +
                            (command.arguments.empty() ? "" : " " + std::string(command.arguments));
  for (const std::string& word : left) {
    if (word.starts_with('-') && word.size() > 1 && word != "--")
      return unknown_option(command, word.substr(0, word.find('=')));
  }
  for (const std::string& word : left) {
    if (word != "--") return usage + ", found '" + word + "' as well";
  }
  if (arguments.size() > command.max_arguments)
    return usage + ", found '" + arguments[command.max_arguments] + "' as well";
  if (arguments.size() < command.min_arguments) return usage;
  return std::nullopt;
}

/// Parses the words after the command's name. False: help was asked for, and is printed.
Result<bool> parse(const Command& command, std::vector<std::string> words, Invocation& invocation) {
  const auto app = parser_of(command, &invocation);
  std::ranges::reverse(words);  // as CLI11 takes them
  std::optional<std::string> problem;
  try {
    app->parse(words);
    problem = problem_with(command, app->remaining(), invocation.arguments);
  } catch (const CLI::CallForHelp&) {
    print(help_of(command));
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    problem = what.substr(0, what.find(':')) + ": expected a value";
  } catch (const CLI::ParseError& error) {
    problem = error.what();
  }
  if (!problem) return true;
  return Error{*problem + " (isoscope " + std::string(command.name) + " --help says more)"};
}

/// Commands that know what was found out until memory was refused say so themselves.
ExitCode run_within_memory(const Command& command, Invocation& invocation) {
  try {
    return command.run(invocation);
  } catch (const std::bad_alloc&) {
    invocation.progress.finish();
    complain("unknown: stopped: " + std::string(name_of(StopReason::memory)));
    return exit_unknown;
  }
}

}  // namespace

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain(std::string_view message) {
  std::fprintf(stderr, "isoscope: %.*s\n", static_cast<int>(message.size()), message.data());
}

ExitCode failed(const Error& error) {
  complain(error.text());
  return code_of(error.kind);
}

ExitCode wrong_usage(const Error& error) {
  complain(error.text());
  return exit_usage;
}

int run(int count, char** words) {
  std::vector<std::string> rest(words + 1, words + count);
  if (rest.empty()) {
    print(program_help());
    return wrong_usage(Error{"expected a command, as in isoscope check FILE"});
  }
  if (rest[0] == "--help" || rest[0] == "-h") rest[0] = "help";
  if (rest[0] == "--version" || rest[0] == "-V") rest[0] = "version";
  const auto command = take_command(rest);
  if (!command) return wrong_usage(command.error());
  const std::vector<OptionSpec> table = options_of(**command);
  Invocation invocation(table);
  const auto parsed = parse(**command, std::move(rest), invocation);
  if (!parsed) return wrong_usage(parsed.error());
  if (!*parsed) return exit_holds;
  if (const Status roles = check_file_roles(invocation); !roles) return wrong_usage(roles.error());
  apply_limits(invocation);
  const ExitCode code = run_within_memory(**command, invocation);
  invocation.progress.finish();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("cannot write to standard output");
    return worse(code, exit_bad_input);
  }
  return code;
}

}  // namespace isoscope::cli
