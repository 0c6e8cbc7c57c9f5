#include "confirm_certificate.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "child.h"

namespace isoscope {

namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

constexpr std::string_view status_line = "(set-info :status ";

/// The certificate without the questions that must have another answer, in a file; how many are
/// left.
std::size_t write_only(const std::string& status, const std::vector<std::string>& lines,
                       const std::string& path) {
  std::ofstream file(path);
  std::size_t count = 0;
  bool is_wanted = false;
  for (const std::string& line : lines) {
    if (line.starts_with(status_line)) is_wanted = line == std::string(status_line) + status + ")";
    if (line == "(check-sat)" && !is_wanted) continue;
    if (line == "(check-sat)") ++count;
    file << line << "\n";
  }
  return count;
}

/// Are there `count` answers, all of them this one?
bool is_answered(const std::string& output, const std::string& answer, std::size_t count) {
  for (const std::string& line : lines_of(output)) {
    if (line != answer) return false;
    if (count-- == 0) return false;
  }
  return count == 0;
}

}  // namespace

Confirmation confirm_certificate(const std::string& path) {
  Confirmation result;
  const TemporaryFolder folder;
  const std::vector<std::string> lines = lines_of(path);
  const std::string output = folder.file("answers");
  const auto ask = [&](std::vector<std::string> command, const std::string& status) {
    const std::string questions = folder.file(status + ".smt2");
    const std::size_t count = write_only(status, lines, questions);
    const std::string prover = command[0];
    command.push_back(questions);
    const ProgramUse use = run_program(command, output);
    std::optional<double>& seconds = prover == "z3" ? result.z3 : result.cvc5;
    if (use.exit_code < 0) return;  // not installed
    seconds = seconds.value_or(0) + use.cpu_seconds;
    if (prover == "z3") result.questions += count;
    if (!is_answered(output, status, count))
      result.complaint += prover + " does not say " + status + " to all that should be; ";
  };
  for (const char* status : {"unsat", "sat"}) ask({"z3"}, status);
  ask({"cvc5", "--incremental", "--full-saturate-quant"}, "unsat");
  ask({"cvc5", "--incremental", "--finite-model-find"}, "sat");
  return result;
}

}  // namespace isoscope
