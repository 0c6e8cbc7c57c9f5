#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "isoscope/base/result.h"

namespace isoscope::record {

/// A program that answers one line for each line it is sent. Its standard input and output are one
/// socket to us, so it comes to its end when we do, however that happens. What it writes to
/// standard error is the user's to see.
class ChildProcess {
 public:
  /// Runs the command in a shell.
  static Result<ChildProcess> start(const std::string& command);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  /// Closes its input, and if it is still there after a second, ends it.
  ~ChildProcess();

  /// Sends the line and waits for the answer, which has no end of line. False: it is gone.
  bool ask(std::string_view line, std::string& answer);

 private:
  ChildProcess(pid_t process, int socket) : process_(process), socket_(socket) {}

  pid_t process_;
  int socket_;
  std::string buffer_;  // what came behind the last answer
};

}  // namespace isoscope::record
