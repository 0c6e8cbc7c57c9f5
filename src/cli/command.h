#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.h"
#include "isoscope/base/limits.h"
#include "isoscope/base/option_table.h"
#include "isoscope/base/progress.h"
#include "isoscope/base/result.h"

namespace isoscope::cli {

/// Every option of every command, once (option_list.cpp).
std::span<const OptionSpec> option_list();

/// What the user asked for, and what a command may use to do it.
struct Invocation {
  explicit Invocation(std::span<const OptionSpec> table) : options(table) {}

  std::vector<std::string> arguments;
  Options options;
  Limits limits;
  ProgressBar progress{standard_error_is_terminal()};
};

/// An option as a command takes it: the row of the list, except for what is said here. So help
/// offers what the command accepts, and nothing else.
struct CommandOption {
  constexpr CommandOption(const char* option) : name(option) {}
  constexpr CommandOption(const char* option, std::string_view own_range,
                          std::string_view own_default = {}, std::string_view own_help = {})
      : name(option), range(own_range), default_text(own_default), help(own_help) {}

  std::string_view name;
  std::string_view range;  ///< empty: as in the list; so the others
  std::string_view default_text;
  std::string_view help;
};

/// --format of what draws no pictures.
inline constexpr CommandOption text_or_json{"format", "text|json"};

/// One subcommand of the program.
struct Command {
  std::string_view name;       ///< of a part with its command's: "levels show"
  std::string_view summary;    ///< one line, for `isoscope --help`
  std::string_view arguments;  ///< as the usage line shows them; empty: takes none
  std::size_t min_arguments = 0;
  std::size_t max_arguments = 0;
  std::vector<CommandOption> options;
  std::string_view details;  ///< for `isoscope NAME --help`: what it does, examples
  ExitCode (*run)(Invocation&);
  /// Commands of its own, such as `levels show`; it takes no other arguments then.
  std::vector<Command> parts = {};
};

/// What `isoscope generate --help` says, with the lists of all there is.
std::string_view generate_details();
/// `isoscope protocol` and its parts.
Command protocol_command();

/// In the order in which help lists them.
std::span<const Command> commands();

/// The table of options with the command's own ranges, defaults and help.
std::vector<OptionSpec> options_of(const Command& command);

/// The first command, or part of one, that has the option; null if none has.
const Command* command_with_option(std::string_view name);

/// Takes the words that name a command, and its part if it has any, out of `words`.
Result<const Command*> take_command(std::vector<std::string>& words);

/// What `isoscope --help` and `isoscope NAME --help` print.
std::string program_help();
std::string help_of(const Command& command);

/// Parses the command line, runs the command, and returns the exit code.
int run(int count, char** words);

// For commands: the only code of the project that prints.

/// The result, on standard output.
void print(std::string_view text);
/// A message for the user, on standard error, as one line "isoscope: ...".
void complain(std::string_view message);
/// Complains, and gives the code for the error's kind.
ExitCode failed(const Error& error);
/// The same for an error that is the fault of the command line, whatever its kind.
ExitCode wrong_usage(const Error& error);

ExitCode run_check(Invocation& invocation);
ExitCode run_compare(Invocation& invocation);
ExitCode run_convert(Invocation& invocation);
ExitCode run_db(Invocation& invocation);
ExitCode run_demo(Invocation& invocation);
ExitCode run_elle(Invocation& invocation);
ExitCode run_generate(Invocation& invocation);
ExitCode run_help(Invocation& invocation);
ExitCode run_lattice(Invocation& invocation);
ExitCode run_levels(Invocation& invocation);
ExitCode run_levels_format(Invocation& invocation);
ExitCode run_levels_show(Invocation& invocation);
ExitCode run_levels_texts(Invocation& invocation);
ExitCode run_shrink(Invocation& invocation);
ExitCode run_stats(Invocation& invocation);
ExitCode run_stores(Invocation& invocation);
ExitCode run_stores_show(Invocation& invocation);
ExitCode run_synth(Invocation& invocation);
ExitCode run_version(Invocation& invocation);

}  // namespace isoscope::cli
