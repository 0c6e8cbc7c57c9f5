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
  std::vector<std::string> arguments;
  Options options{option_list()};
  Limits limits;
  ProgressBar progress{standard_error_is_terminal()};
};

/// One subcommand of the program.
struct Command {
  std::string_view name;
  std::string_view summary;    ///< one line, for `isoscope --help`
  std::string_view arguments;  ///< as the usage line shows them; empty: takes none
  std::size_t min_arguments = 0;
  std::size_t max_arguments = 0;
  std::vector<std::string_view> options;
  std::string_view details;  ///< for `isoscope NAME --help`: what it does, examples
  ExitCode (*run)(Invocation&);
};

/// What `isoscope generate --help` says, with the lists of all there is.
std::string_view generate_details();
/// What `isoscope protocol --help` says.
std::string_view protocol_details();

/// In the order in which help lists them.
std::span<const Command> commands();

/// Parses the command line, runs the command, and returns the exit code.
int run(int count, char** words);

// For commands: the only code of the project that prints.

/// The result, on standard output.
void print(std::string_view text);
/// A message for the user, on standard error, as one line "isoscope: ...".
void complain(std::string_view message);
/// Complains and gives the code for it.
ExitCode bad_input(const Error& error);
ExitCode wrong_usage(const Error& error);

ExitCode run_check(Invocation& invocation);
ExitCode run_compare(Invocation& invocation);
ExitCode run_convert(Invocation& invocation);
ExitCode run_demo(Invocation& invocation);
ExitCode run_generate(Invocation& invocation);
ExitCode run_lattice(Invocation& invocation);
ExitCode run_levels(Invocation& invocation);
ExitCode run_protocol(Invocation& invocation);
ExitCode run_shrink(Invocation& invocation);
ExitCode run_stats(Invocation& invocation);
ExitCode run_stores(Invocation& invocation);
ExitCode run_synth(Invocation& invocation);

}  // namespace isoscope::cli
