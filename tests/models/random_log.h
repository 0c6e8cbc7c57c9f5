#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isoscope/base/random.h"
#include "isoscope/history/format.h"

namespace isoscope::models {

/// One operation of a random log, for the references to look at: plain numbers, and no code of the
/// library.
struct PlainOperation {
  std::string f;
  Outcome outcome = Outcome::indeterminate;
  int process = 0;
  int invoked = 0;        ///< its line; 0 if it was not logged
  int completed = 1'000;  ///< the line of :ok or :fail; a late one if there is none
  std::vector<int> argument = {};
  std::vector<int> result = {};

  bool is_ok() const { return outcome == Outcome::committed; }
  bool failed() const { return outcome == Outcome::aborted; }
};

/// How a model writes what an operation asks for, and what it returned, as EDN.
using Spell = std::function<std::string(const PlainOperation&, bool completed)>;

/// A log of a few clients, each with one operation after the other.
class RandomLog {
 public:
  explicit RandomLog(Random& random) : random_(random) {}

  int number(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool chance(unsigned percent) { return random_.chance(percent); }

  /// Operations with their times; `ask` makes the next one with its argument, and `answer` fills in
  /// the result of one that succeeded.
  std::vector<PlainOperation> make(
      int count, const std::function<PlainOperation()>& ask,
      const std::function<void(PlainOperation&, const std::vector<PlainOperation>&)>& answer) {
    std::vector<PlainOperation> all;
    const int clients = 1 + number(3);
    const bool logs_invocations = !chance(5);
    std::vector<int> under_way(static_cast<std::size_t>(clients), -1);
    std::vector<int> processes;
    for (int client = 0; client < clients; ++client) processes.push_back(client);
    int next_process = clients;
    int line = 0;
    while (static_cast<int>(all.size()) < count || line < count) {
      const auto client = static_cast<std::size_t>(number(clients));
      if (under_way[client] < 0) {
        if (static_cast<int>(all.size()) == count) break;
        all.push_back(ask());
        all.back().process = processes[client];
        if (logs_invocations) all.back().invoked = ++line;
        under_way[client] = static_cast<int>(all.size()) - 1;
        continue;
      }
      PlainOperation& operation = all[static_cast<std::size_t>(under_way[client])];
      under_way[client] = -1;
      const int fate = number(10);
      if (fate == 0) {
        processes[client] = next_process++;
        continue;  // of unknown outcome, and not completed in the log
      }
      operation.outcome = fate == 1 ? Outcome::aborted : Outcome::committed;
      operation.completed = ++line;
      if (operation.is_ok()) answer(operation, all);
    }
    if (!logs_invocations)
      std::erase_if(all, [](const auto& one) { return one.completed == 1'000; });
    return all;
  }

  static std::string edn(const std::vector<PlainOperation>& all, const Spell& spell) {
    std::string text;
    for (int line = 1; line < 1'000; ++line) {
      for (const PlainOperation& one : all) {
        if (one.invoked != line && one.completed != line) continue;
        const bool completed = one.completed == line;
        const std::string type = !completed ? "invoke" : one.is_ok() ? "ok" : "fail";
        text += "{:type :" + type + ", :f :" + one.f + ", :process " + std::to_string(one.process) +
                ", :index " + std::to_string(line) + ", :value " + spell(one, completed) + "}\n";
      }
    }
    return text;
  }

  static Result<OperationLog> read(const std::string& text) {
    return read_operation_log(Source::from_memory("log.edn", text), {.format = Format::edn});
  }

 private:
  Random& random_;
};

inline std::string in_brackets(const std::vector<int>& numbers) {
  std::string text = "[";
  for (const int number : numbers) text += (text == "[" ? "" : " ") + std::to_string(number);
  return text + "]";
}

}  // namespace isoscope::models
