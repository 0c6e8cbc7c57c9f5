#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isoscope/base/result.h"

namespace isoscope::servers {

/// A user of the machine.
struct Account {
  uid_t user = 0;
  gid_t group = 0;
};

/// The user that servers run as: nobody, if we are root. Otherwise there is no choice, and no
/// account.
Result<std::optional<Account>> account_for_servers();

/// A program that the keeper starts.
struct Program {
  std::vector<std::string> command;
  std::string folder;  ///< where it runs
  std::string input;   ///< the file that is its standard input
  std::string log;     ///< what it prints is appended to this file
  std::optional<Account> account;
  int lock = -1;  ///< a file that it has open, too
};

/// Starts it with a small environment of its own. When the process that called this ends, the
/// kernel sends it `signal`. -1: there are no more processes.
pid_t start(const Program& program, int signal);

/// What a program prints, standard error included.
Result<std::string> output_of(const std::vector<std::string>& command);

/// The line of a log that says what went wrong first, without what stands before it.
std::string first_error_in(const std::string& log);
/// The first line with this in it, if there is one.
std::string first_line_with(const std::string& log, std::string_view part);
/// The last line.
std::string last_line_of(const std::string& log);

}  // namespace isoscope::servers
